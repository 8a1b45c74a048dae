// tests/reports/sample_run.cc: a small run that holds every verdict.
#include "tests/reports/sample_run.h"

#include "results/tally.h"

namespace dlpack_cts {
namespace {

Result Case(const std::string& id, std::vector<std::string> rules, Verdict verdict, const std::string& message) {
  Result result;
  result.library = "numpy";
  result.library_version = "2.4.6";
  result.suite = id.substr(0, id.find('/'));
  result.seen.case_id = id;
  result.rules = std::move(rules);
  result.role = Role::kConsumer;
  result.level = Level::kMust;
  result.verdict = verdict;
  result.as_expected = !IsDeviation(verdict);
  result.seen.observed = Observed::kHeld;
  result.seen.message = message;
  result.seen.seed = 18446744073709551615u;
  result.seen.examples = 100;
  result.seen.held = 90;
  result.seen.refused = 3;
  result.seen.nothing = 7;
  result.seen.seconds = 0.0125;
  result.replay = "dlpack-cts run numpy --select '" + id + "' --seed 42";
  return result;
}

/// The cause of the failure, which names it.
Cause NegativeStrides(const Result& fail) {
  Cause cause;
  cause.id = fail.cause;
  cause.rule = "C-STRIDES-06";
  cause.verdict = Verdict::kFail;
  cause.as_expected = false;
  cause.case_id = fail.seen.case_id;
  cause.fact = "importS.memory";
  cause.wanted = "matches";
  cause.got = "differs";
  cause.words = {"float32, shape (3,), strides (-1,), versioned 1.3", fail.seen.words.meaning, "element [1] = 1.0",
                 "element [1] = 0.0"};
  cause.count = 7;
  cause.cases = {cause.case_id};
  cause.recipe = fail.seen.recipe;
  cause.replay = "dlpack-cts replay report/causes/import.place.negative-strides.json";
  return cause;
}

/// An unexpected cause whose case is a known deviation.
Cause Unlisted() {
  Cause cause;
  cause.id = "import/outcome/zero-strides";
  cause.rule = "C-STRIDES-10";
  cause.verdict = Verdict::kWarn;
  cause.as_expected = false;
  cause.case_id = "c-abi/strides/zero-strides-repeat-one-element";
  cause.fact = "importS.outcome";
  cause.message = "refuses <zero> strides";
  cause.wanted = "accepted";
  cause.got = "refused";
  cause.count = 1;
  cause.cases = {cause.case_id};
  cause.recipe = {{"kind", "import"}};
  cause.replay = "dlpack-cts run numpy --select " + cause.case_id;
  return cause;
}

}  // namespace

Run SampleRun() {
  Run run;
  Header& header = run.header;
  header.program_version = "0.1.0";
  header.library = "numpy";
  header.library_version = "2.4.6";
  header.interpreter = "CPython 3.11.2";
  header.machine = "Linux 6.1 x86_64, 2 cores";
  header.environment = "/home/a/.cache/dlpack-cts/numpy";
  header.variables = {{"PYTHONPATH", nullptr}, {"OMP_NUM_THREADS", "1"}};
  header.seed = 42;
  header.examples = 100;
  header.started = "2026-11-21T04:00:00Z";
  header.command = "dlpack-cts run numpy --out report";
  header.profile = {{"takes", "structs", "legacy and versioned structs"},
                    {"takes", "dtypes", "all types except <bfloat16>"},
                    {"ways", "clears-destructors", "clears the destructor of capsules that it took"}};
  std::vector<Result>& results = run.results;
  results.push_back(Case("c-abi/strides/null-means-row-major", {"C-STRIDES-03"}, Verdict::kPass, ""));
  Result fail = Case("c-abi/strides/negative-strides-are-read-backwards", {"C-STRIDES-06", "C-DATA-01"}, Verdict::kFail,
                     "an element has other bits than the offer");
  fail.breached = {"C-STRIDES-06"};
  fail.seen.fact = "imports0.memory";
  fail.seen.wanted = "element 1 = 0x3f800000";
  fail.seen.got = "element 1 = 0x00000000";
  fail.seen.ledger = {
      {{"step", 0}, {"op", "import"}, {"seen", "step"}, {"slot", 0}, {"text", "step import on slot 0"}},
      {{"step", 0}, {"op", "import"}, {"seen", "producer-called"}, {"slot", 0}, {"text", "producer-called"}},
      {{"step", 0},
       {"op", "import"},
       {"seen", "name-changed"},
       {"slot", 0},
       {"text", "capsule renamed from dltensor to used_dltensor"}},
      {{"step", 1}, {"op", "read"}, {"seen", "step"}, {"slot", 0}, {"text", "step read on slot 0"}},
      {{"step", 1}, {"op", "read"}, {"seen", "read"}, {"slot", 0}, {"text", "elements: differs"}},
      {{"step", 2}, {"op", "drop-array"}, {"seen", "step"}, {"slot", 1}, {"text", "step drop-array on slot 1"}},
      {{"step", 2},
       {"op", "drop-array"},
       {"seen", "fault"},
       {"slot", 1},
       {"text", "fault: read of strides, after the deleter"}}};
  fail.seen.recipe = {{"kind", "import"},
                      {"offer", {{"dtype", "float32"}, {"shape", {2, 3}}, {"strides", {-3, 1}}, {"byte_offset", 12}}},
                      {"life", {{{"op", "import"}, {"slot", 0}}, {{"op", "read"}, {"slot", 0}}}}};
  fail.seen.words = {"float32, shape (2,3), strides (-3,1), versioned 1.3, byte_offset 12; import, read",
                     "elements through the described pointer and strides", "element [0,1] = 1.0",
                     "element [0,1] = 0.0"};
  fail.cause = "import/place/negative-strides";
  fail.reproducer = "findings/negative-strides.py";
  results.push_back(fail);
  Result warn =
      Case("c-abi/strides/zero-strides-repeat-one-element", {"C-STRIDES-10"}, Verdict::kWarn, "refuses zero strides");
  warn.as_expected = true;
  warn.expectation = "numpy refuses broadcast arrays; https://example.org/issue/1";
  results.push_back(warn);
  Result stale = Case("c-abi/data/offset-is-added", {"C-DATA-01"}, Verdict::kPass, "");
  stale.as_expected = false;
  stale.expectation = "offset was ignored before 2.4";
  results.push_back(stale);
  Result crash = Case("c-abi/data/null-with-zero-size", {"C-DATA-04"}, Verdict::kCrash, "SIGSEGV");
  crash.seen.got = std::string(kNastyText);
  results.push_back(crash);
  results.push_back(
      Case("python/capsule/used-name-is-refused", {"PY-CAPSULE-02"}, Verdict::kTimeout, "no answer in 10 s"));
  results.push_back(
      Case("python/capsule/refused-capsule-is-released", {"PY-CAPSULE-05"}, Verdict::kLeak, "the deleter never ran"));
  Result note = Case("python/capsule/minor-note", {"PY-CAPSULE-09"}, Verdict::kNote, std::string(kNastyText));
  note.seen.wanted = "used_dltensor";
  note.seen.got = "dltensor";
  note.seen.recipe = {{"kind", "import"}, {"offer", {{"ndim", 0}}}, {"life", {{{"op", "import"}, {"slot", 0}}}}};
  note.seen.words.example = "float32, shape (), versioned 1.3; import";
  results.push_back(note);
  Result refused = Case("python/dlpack/refused-note", {"PY-DLPACK-03"}, Verdict::kNote, "a note without a right value");
  refused.seen.got = "ValueError: <no>";
  results.push_back(refused);
  results.push_back(
      Case("cuda/stream/default-stream", {"CUDA-STREAM-01"}, Verdict::kSkip, "this machine has no CUDA device"));
  results.push_back(Case("cuda/stream/no-sync", {"CUDA-STREAM-02"}, Verdict::kBlocked, "the probe found no allocator"));
  Result hostile = Case("robustness/import/huge-ndim", {"C-SHAPE-02"}, Verdict::kUnsafe, "wrote behind the shape");
  hostile.hostile = true;
  results.push_back(hostile);
  run.causes = {NegativeStrides(fail), Unlisted()};
  run.footer.stale = {"expectations.toml:3: c-abi/flags/* is expected to be FAIL (<x>), but gave PASS ()"};
  run.footer.counts = CountsOf(results);
  run.footer.unexpected = CountUnexpected(run) + static_cast<int64_t>(run.footer.stale.size());
  run.footer.interrupted = true;
  run.footer.seconds = 4.25;
  return run;
}

ReportContext SampleContext() {
  return {{{"C-SHAPE-02",
            "A consumer does not read more dimensions than it can hold.",
            {{"dlpack.h, line 1", "https://example.org/dlpack.h#L1"}},
            "implied",
            "WARN"},
           {"C-STRIDES-03",
            "NULL strides mean compact row-major order.",
            {{"dlpack.h, line 2", "https://example.org/dlpack.h#L2"}},
            "MUST",
            "FAIL"},
           {"C-STRIDES-06",
            "Strides may be negative; <b>bold</b> stays text.",
            {{"dlpack.h, line 3", "https://example.org/dlpack.h#L3"}},
            "MUST",
            "FAIL"},
           {"C-STRIDES-10",
            "Zero strides are expressible.",
            {{"dlpack.h, line 4", "https://example.org/dlpack.h#L4"}},
            "MAY",
            "WARN"},
           {"C-DATA-01",
            "byte_offset is added to data.",
            {{"dlpack.h, line 5", "https://example.org/dlpack.h#L5"}},
            "MUST",
            "FAIL"},
           {"C-DATA-99",
            "No case of this run names it.",
            {{"dlpack.h, line 6", "https://example.org/dlpack.h#L6"}},
            "MUST",
            "FAIL"}}};
}

}  // namespace dlpack_cts
