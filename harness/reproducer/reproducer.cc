// harness/reproducer/reproducer.cc: builds a reproducer: the finding, the exchange, the adapter, the prelude.
#include "harness/reproducer/reproducer.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "harness/recipe/ops.h"
#include "harness/reproducer/adapter.h"
#include "harness/reproducer/literal.h"
#include "harness/reproducer/needs.h"
#include "harness/reproducer/plain.h"
#include "harness/reproducer/prelude.h"
#include "harness/reproducer/python.h"
#include "harness/reproducer/select.h"
#include "harness/reproducer/texts.h"
#include "harness/reproducer/watched.h"

namespace dlpack_cts {
namespace {

bool Has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Whether the fact is about an export.
bool Looks(const ReproducerInput& input) { return input.every_fact || WatchedFact(input).starts_with("export"); }

/// The check in Python, and the texts that the prelude prints at the end.
std::string Finding(const ReproducerInput& input) {
  std::string text;
  const auto add = [&text](std::string_view name, const std::string& value) {
    text += fmt::format("{} = {}\n", name, python::Literal(value));
  };
  add("CASE", input.verdict + " " + input.case_id);
  add("INSTALL", Installation(input));
  if (!input.environment.empty()) text += "ENVIRONMENT = " + EnvironmentLiteral(input) + "\n";
  if (!CrashOf(input).empty()) return text + "EXPECTED_END = " + EndsLiteral(input) + "\n";
  constexpr std::string_view kUnknown[] = {"none", "not-run", "not-read", "not-seen", "unsupported"};
  return text +
         fmt::format("FACT, UNSEEN = {}, {}\n", python::Literal(WatchedFact(input)),
                     python::Literal(Unseen(input.fact))) +
         "def is_wrong(seen):\n    return " + Comparison(input, kUnknown, true) + "\n";
}

/// The offered tensor and the requested array.
std::string Blocks(const Recipe& recipe, const std::string& code) {
  std::string text;
  if (python::Offers(recipe)) {
    text += "OFFER = " + python::Block(recipe.offer(), code) + "\n";
    text += python::Elements(recipe, Has(code, "RIGHT["));
  }
  if (python::Requests(recipe)) {
    text += "REQUEST = " + python::Block(recipe.request(), code) + "\n";
  }
  return text.empty() ? text : "\n" + text;
}

struct Script {
  std::string code;  // the part that is not the adapter's
  std::string text;
};

/// The script that runs any exchange.
Script LongScript(const ReproducerInput& input) {
  const std::string finding = Finding(input);
  const std::string exchange =
      "\ndef exchange(life):\n" + python::Steps(input.recipe, LifeOf(input).steps, Looks(input));
  constexpr std::string_view kEnd = "\nif __name__ == \"__main__\":\n    sys.exit(reproduce())\n";
  Needs needs = NeedsOf(input);
  needs.code = exchange + std::string(kEnd) + "types.SimpleNamespace";
  const Selection selection = Select(kReproducerPrelude + python::Types(), needs);
  std::string used = selection.code;
  for (const auto& [name, text] : input.modules) used += "\n" + text;
  std::string text = Header(input) + "import " + selection.imports + "\n" + finding;
  text += Blocks(input.recipe, used + "\n" + input.adapter) + exchange;
  text += "\n" + AdapterLiterals(input);
  text += "\n# ---- Supporting code: the process, the memory of the tensor, the steps.\n" + selection.code;
  return {selection.code + exchange, text + std::string(kEnd)};
}

/// The same finding with the part of the adapter that the code uses.
ReproducerInput WithUsedAdapter(ReproducerInput input, std::string_view code) {
  AdapterText used = WithoutUnused({input.adapter, input.modules}, code);
  input.adapter = std::move(used.text);
  input.modules = std::move(used.modules);
  return input;
}

}  // namespace

std::string WhyNoReproducer(const ReproducerInput& input) {
  for (const std::string_view part : {"without_gil", "pending_exception"}) {
    if (Has(input.fact, part)) return "Python code cannot see " + input.fact;
  }
  if (Has(input.fact, ".name_agrees")) return "a script always reads a struct as the kind that the capsule name says";
  if (input.fact.starts_with("deleter")) return "a script does not record single deleter calls";
  if (Has(input.fact, ".cuda_")) return "a script does not use the CUDA driver";
  if (input.fact.starts_with("table")) return "a script does not observe the C exchange API";
  if (input.verdict == "CRASH" && CrashOf(input).empty()) return "a script does not limit its memory";
  if (input.fact.empty() && CrashOf(input).empty()) return "the finding has no single deciding fact";
  // An unused offer or request may contain anything.
  if ((python::Offers(input.recipe) && input.recipe.offer().large != 0) ||
      (python::Requests(input.recipe) && input.recipe.request().large != 0))
    return "there are too many elements for a script";
  if (python::Offers(input.recipe) && input.recipe.offer().placement == Placement::kDevice) {
    return "a script does not use the CUDA driver";
  }
  if (input.recipe.table.attribute != TableAttribute::kNone)
    return "a script does not make a table of the C exchange API";
  if (input.recipe.rounds > 1) return "a script runs the exchange only once";
  for (const Step& step : input.recipe.life()) {
    if (HasTrait(step.op, OpTrait::kRaces))
      return "a script does not run races between threads, or hundreds of exchanges at once";
    if (step.op == Op::kMake && step.slot != 0) return "a script makes only one array";
    if (HasTrait(step.op, OpTrait::kUnscripted)) {
      return "a script calls only the managed functions of the C exchange API";
    }
    if (IsOfCuda(step.context) || step.stream != 0) return "a script does not use the CUDA driver";
    if (step.context == Context::kPendingException) return "Python code cannot leave an exception pending";
    const bool there = step.context == Context::kRawThread || step.context == Context::kFinalised ||
                       step.context == Context::kForkedChild || step.context == Context::kAtExit;
    const bool deletes = step.op == Op::kDelete && there;
    if (step.context != Context::kUsual && step.context != Context::kStrictWarnings && !deletes) {
      return "a script runs all steps except deleter calls in the main interpreter";
    }
    if (step.lane != 0 && step.op != Op::kDelete && step.op != Op::kDropArray) {
      return "a script runs all steps except deleter calls on one thread";
    }
    if (step.block != 0) return "a script has only one tensor or array";
    if (step.op == Op::kImport && input.recipe.offer().kind == StructKind::kView) return "a view has no capsule";
  }
  return "";
}

std::string Reproducer(const ReproducerInput& input) {
  const ReproducerInput used = WithUsedAdapter(input, LongScript(input).code);
  return IsPlain(used) ? PlainScript(WithUsedAdapter(used, PlainCode(used))) : LongScript(used).text;
}

}  // namespace dlpack_cts
