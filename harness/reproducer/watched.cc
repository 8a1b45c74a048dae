// harness/reproducer/watched.cc: knows which steps may note a fact.
#include "harness/reproducer/watched.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/ledger/facts.h"

namespace dlpack_cts {
namespace {

constexpr Op kNone = Op::kEnd;

/// Facts by the beginning of their plain keys, and the only steps that record them. Any step, and the final drop, may
/// record the others.
struct Noted {
  std::string_view fact;
  std::array<Op, 5> by;
};
constexpr Noted kNoted[] = {
    {"import.again", {Op::kImportAgain}},
    {"import.name_after_again", {Op::kImportAgain}},
    {"import.name_before", {Op::kImport, Op::kImportCapsule, Op::kImportAgain}},
    {"import.capsules", {Op::kImport, Op::kImportCapsule, Op::kImportAgain}},
    {"import.call", {Op::kImport, Op::kImportCapsule, Op::kImportAgain}},
    {"import.outcome", {Op::kImport, Op::kImportCapsule, Op::kImportSource, Op::kTableImport}},
    {"import.exception", {Op::kImport, Op::kImportCapsule, Op::kImportSource, Op::kTableImport}},
    {"import.is_", {Op::kImport, Op::kImportCapsule, Op::kImportSource, Op::kTableImport}},
    {"import.message", {Op::kImport, Op::kImportCapsule, Op::kImportSource, Op::kTableImport}},
    {"import.memory", {Op::kRead}},
    {"import.library", {Op::kRead}},
    {"import.computed", {Op::kCompute}},
    {"import.view", {Op::kTakeView}},
    {"import.write_source", {Op::kWriteSource}},
    {"import.write_array", {Op::kWriteArray}},
    {"import.dtype", {Op::kDescribe, Op::kRead, Op::kCompute, Op::kTakeView}},
    {"import.ndim", {Op::kDescribe, Op::kRead, Op::kCompute, Op::kTakeView}},
    {"import.shape", {Op::kDescribe, Op::kRead, Op::kCompute, Op::kTakeView}},
    {"import.strides", {Op::kDescribe, Op::kRead, Op::kCompute, Op::kTakeView}},
    {"import.writable", {Op::kDescribe, Op::kRead, Op::kCompute, Op::kTakeView}},
    {"import.device", {Op::kDescribe, Op::kRead, Op::kCompute, Op::kTakeView}},
    {"import.has_pointer", {Op::kDescribe, Op::kRead, Op::kCompute, Op::kTakeView}},
    {"import.place", {Op::kDescribe, Op::kRead, Op::kCompute, Op::kTakeView}},
    {"import.aliases", {Op::kDescribe, Op::kRead, Op::kCompute, Op::kTakeView}},
    {"export.changed", {Op::kInspect}},
    {"export.write_export", {Op::kWriteExport}},
    {"export.elements", {Op::kExport, Op::kReexport, Op::kTableExport, Op::kReadExport}},
    {"export.data_readable", {Op::kExport, Op::kReexport, Op::kTableExport, Op::kReadExport}},
    {"export.deleted", {kNone}},
    {"export.left_exception", {Op::kDelete}},
    {"export.frees_without_gil", {Op::kDelete}},
    {"export.survives_", {Op::kDelete}},
    {"export.follows_change", {Op::kExport}},
    {"export.", {Op::kExport, Op::kReexport, Op::kTableExport}},
    {"source.change", {Op::kChangeMetadata}},
    {"source.device_", {Op::kAskDevice}},
    {"source.reported_device", {Op::kAskDevice}},
    {"source.references_gained", {Op::kExport}},
    {"source.kept_", {Op::kExportOften}},
    {"source.elements", {Op::kReadSource}},
    {"source.used", {Op::kUseSource}},
    {"source.alive_at_end", {kNone}},
    {"source.", {Op::kMake}},
};

/// The message of a crash names its step; the ledger has the step of an access to forbidden memory.
std::array<Op, 1> FatalStep(const ReproducerInput& input) {
  constexpr std::string_view kDuring = " during ";
  const size_t at = input.message.find(kDuring);
  std::string word = input.verdict == "UNSAFE" ? input.touched_in : "";
  if (at != std::string::npos) {
    const size_t start = at + kDuring.size();
    const size_t end = input.message.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", start);
    word = input.message.substr(start, end == std::string::npos ? end : end - start);
  }
  for (int op = 1; op < static_cast<int>(Op::kCount); ++op) {
    if (word == ToText(static_cast<Op>(op))) return {static_cast<Op>(op)};
  }
  return {kNone};
}

/// The life up to the last step that is one of these.
std::span<const Step> UpTo(std::span<const Step> life, std::span<const Op> ops) {
  const auto last = std::find_if(life.rbegin(), life.rend(), [ops](const Step& step) {
    return step.op != kNone && std::find(ops.begin(), ops.end(), step.op) != ops.end();
  });
  return last == life.rend() ? life : life.first(static_cast<size_t>(life.rend() - last));
}

}  // namespace

std::string PlainKey(std::string fact) {
  std::erase_if(fact, [](char c) { return c >= '0' && c <= '9'; });
  return fact;
}

std::vector<std::string> DeathOf(const ReproducerInput& input) {
  std::vector<std::string> ends;
  if (input.verdict == "TIMEOUT") ends = {"timeout"};
  if (input.verdict == "UNSAFE") ends = {"SIGSEGV"};
  if (input.verdict == "CRASH" && !input.ended.empty()) ends = {input.ended};
  if (input.touched && !ends.empty() && ends.front() != "SIGSEGV") ends.emplace_back("SIGSEGV");
  return ends;
}

std::string WatchedFact(const ReproducerInput& input) {
  if (!DeathOf(input).empty()) return "";
  constexpr std::string_view kException = "exception";
  if (!input.fact.ends_with(kException) || input.wanted != "BufferError") return input.fact;
  return input.fact.substr(0, input.fact.size() - kException.size()) + "is_buffer_error";
}

Life LifeOf(const ReproducerInput& input) {
  const std::span<const Step> life = input.recipe.life();
  const std::string fact = PlainKey(WatchedFact(input));
  if (input.every_fact) return {life, true};
  if (fact.empty()) {
    const std::array<Op, 1> fatal = FatalStep(input);
    const bool there =
        std::any_of(life.begin(), life.end(), [&fatal](const Step& step) { return step.op == fatal[0]; });
    return {UpTo(life, fatal), !there};
  }
  const auto* noted = std::find_if(std::begin(kNoted), std::end(kNoted),
                                   [&fact](const Noted& row) { return fact.starts_with(row.fact); });
  if (noted == std::end(kNoted) || noted->by.front() == kNone) return {life, true};
  return {UpTo(life, noted->by), false};
}

}  // namespace dlpack_cts
