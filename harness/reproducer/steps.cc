// harness/reproducer/steps.cc: writes the life of a recipe as Python text.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "harness/recipe/life.h"
#include "harness/recipe/ops.h"
#include "harness/reproducer/python.h"

namespace dlpack_cts::python {
namespace {

std::string EnumeratorText(int64_t number) {
  return fmt::format("enum.IntEnum(\"Number\", [(\"number\", {})]).number", number);
}

std::string SubclassText(int64_t number) { return fmt::format("type(\"Number\", (int,), {{}})({})", number); }

/// An object that has __index__ and is not an int.
std::string IndexText(int64_t number) {
  return fmt::format("type(\"Index\", (), {{\"__index__\": lambda self: {}}})()", number);
}

/// An argument of a call, as Python.
std::string ArgumentText(const Argument& argument) {
  switch (argument.kind) {
    case ArgumentKind::kAbsent:
    case ArgumentKind::kNone:
      return "None";
    case ArgumentKind::kPair:
      return fmt::format("({}, {})", argument.a, argument.b);
    case ArgumentKind::kInt:
      return fmt::to_string(argument.a);
    case ArgumentKind::kTrue:
      return "True";
    case ArgumentKind::kFalse:
      return "False";
    case ArgumentKind::kList:
      return fmt::format("[{}, {}]", argument.a, argument.b);
    case ArgumentKind::kOneTuple:
      return fmt::format("({},)", argument.a);
    case ArgumentKind::kString:
      return "\"dlpack\"";
    case ArgumentKind::kFloats:
      return fmt::format("(float({}), {})", argument.a, argument.b);
    case ArgumentKind::kHuge:
      return "(1 << 200, 0)";
    case ArgumentKind::kBools:
      return fmt::format("(bool({}), bool({}))", argument.a, argument.b);
    case ArgumentKind::kEnumPair:
      return fmt::format("({}, {})", EnumeratorText(argument.a), argument.b);
    case ArgumentKind::kSubclassPair:
      return fmt::format("type(\"Pair\", (tuple,), {{}})(({}, {}))", SubclassText(argument.a),
                         SubclassText(argument.b));
    case ArgumentKind::kIndexPair:
      return fmt::format("({}, {})", IndexText(argument.a), IndexText(argument.b));
    case ArgumentKind::kEnumInt:
      return EnumeratorText(argument.a);
    case ArgumentKind::kSubclassInt:
      return SubclassText(argument.a);
    case ArgumentKind::kIndexInt:
      return IndexText(argument.a);
    case ArgumentKind::kObject:
      break;
  }
  return "object()";
}

}  // namespace

std::string Keywords(const Call& call, bool from_dlpack) {
  std::string text;
  const auto add = [&text](std::string_view name, const Argument& argument) {
    if (argument.kind != ArgumentKind::kAbsent) text += fmt::format(", {}={}", name, ArgumentText(argument));
  };
  if (from_dlpack) {
    add("device", call.dl_device);
    add("copy", call.copy);
    return text;
  }
  const std::pair<std::string_view, const Argument*> listed[] = {{"max_version", &call.max_version},
                                                                 {"dl_device", &call.dl_device},
                                                                 {"copy", &call.copy},
                                                                 {"stream", &call.stream}};
  for (const int place : KeywordOrder(call)) add(listed[place].first, *listed[place].second);
  if (call.unknown_keyword != 0) text += ", nonsense=1";
  return call.fresh_names != 0 && !text.empty() ? fmt::format(", **fresh({})", text.substr(2)) : text;
}

namespace {

/// Name and arguments of the method in the script that runs the step.
std::string StepText(const Recipe& recipe, const Step& step) {
  if (step.op == Op::kDropArray && step.lane != 0) return fmt::format("drop_elsewhere({})", step.slot);
  if (step.op == Op::kDelete && step.context == Context::kFinalised) {
    return fmt::format("delete_finalised({})", step.slot);
  }
  if (step.op == Op::kDelete && step.context == Context::kForkedChild)
    return fmt::format("delete_forked({})", step.slot);
  if (step.op == Op::kDelete && step.context == Context::kAtExit) {
    return fmt::format("delete_forked({}, at_exit=True)", step.slot);
  }
  std::string name(RowOf(step.op).word);
  std::replace(name.begin(), name.end(), '-', '_');
  if (ImportsOffer(step.op)) name = "import_";
  std::string arguments = HasTrait(step.op, OpTrait::kScriptedAlone) ? "" : fmt::to_string(step.slot);
  const int other = OtherSlot(step);
  const bool replaces = HasTrait(step.op, OpTrait::kOtherIsAddress) && other >= 0 && other != step.slot;
  if (HasTrait(step.op, OpTrait::kFillsOther) || replaces) arguments += fmt::format(", {}", other);
  if (step.op == Op::kImportCapsule) arguments += ", bare=True";
  if (step.op == Op::kDelete && step.context == Context::kRawThread) arguments += ", on_raw_thread=True";
  if (step.op == Op::kMake && step.argument != 0) arguments = fmt::to_string(step.argument);
  if (HasTrait(step.op, OpTrait::kScriptedArgument) && step.argument != 0)
    arguments += fmt::format(", {}", step.argument);
  const Call& call = recipe.calls[step.call];
  if (HasTrait(step.op, OpTrait::kPassesKeywords)) {
    arguments += Keywords(call, HasTrait(step.op, OpTrait::kImportSide));
  }
  return fmt::format("{}({})", name, arguments);
}

}  // namespace

std::string Steps(const Recipe& recipe, std::span<const Step> life, bool looks) {
  std::string text;
  std::string together;  // slots whose deleters run at the same time
  const auto flush = [&] {
    if (!together.empty()) text += fmt::format("    life.delete_together({})\n", together);
    together.clear();
  };
  for (const Step& step : life) {
    if (HasTrait(step.op, OpTrait::kOnlyLooks) && !looks) continue;
    const bool lane = step.op == Op::kDelete && step.lane != 0;
    if (!lane || step.barrier != 0) flush();
    if (lane) {
      together += fmt::format("{}{}", together.empty() ? "" : ", ", step.slot);
    } else {
      const bool strict = step.context == Context::kStrictWarnings;
      if (strict) text += "    warnings.simplefilter(\"error\")\n";
      text += fmt::format("    life.{}\n", StepText(recipe, step));
      if (strict) text += "    warnings.simplefilter(\"always\")\n";
    }
  }
  flush();
  return text.empty() ? "    pass\n" : text;
}

}  // namespace dlpack_cts::python
