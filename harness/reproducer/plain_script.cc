// harness/reproducer/plain_script.cc: fills the templates of short scripts.
#include "harness/reproducer/plain.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/elements.h"
#include "harness/reproducer/literal.h"
#include "harness/reproducer/needs.h"
#include "harness/reproducer/plain_facts.h"
#include "harness/reproducer/prelude.h"
#include "harness/reproducer/python.h"
#include "harness/reproducer/select.h"
#include "harness/reproducer/texts.h"
#include "harness/reproducer/watched.h"

namespace dlpack_cts {
namespace {

constexpr uint64_t kBytesOfPages = 20 * 4096;
constexpr uint64_t kNear = uint64_t{1} << 40;  // a byte_offset below it leaves `data` an address above 0

/// Python text by the name that stands for it in a template.
using Values = std::map<std::string, std::string>;

/// The expression of the address in dl_tensor.data.
std::string DataText(const Offer& offer, const Needs& needs) {
  if (offer.placement == Placement::kNull) return "0";
  if (offer.placement == Placement::kForeignHandle) return "1";
  const python::Place place = python::PlaceOf(offer);
  const std::vector<uint8_t> stored = python::Memory(offer, 0);
  const bool backed = needs.tags.contains("backed");
  const std::string fill = needs.tags.contains("plain-read") ? "b\"\\xC5\" * {}" : "bytes({})";
  const std::string elements = backed ? python::Bytes(stored) : "b\"\"";
  std::string text;
  uint64_t element0 = place.below;  // behind the address that guarded() returns
  if (offer.placement == Placement::kUnmapped || offer.placement == Placement::kDevice) {
    text = "guarded(b\"\")";
    element0 = place.room;
  } else if (offer.placement == Placement::kStartsAtGuard) {
    const std::string before = fmt::format(fmt::runtime(fill), place.room - place.below);
    const uint64_t behind = kBytesOfPages - (place.room - place.below) - (backed ? stored.size() : 0);
    text = fmt::format("guarded({} + {} + {})", before, elements, fmt::format(fmt::runtime(fill), behind));
    element0 = place.room;
  } else {
    const uint64_t behind = place.room + place.below - (backed ? stored.size() : 0);
    text = backed ? "guarded(" + elements : "guarded(";
    if (behind != 0) text += (backed ? " + " : "") + fmt::format(fmt::runtime(fill), behind);
    if (!backed && behind == 0) text += "b\"\"";
    text += ")";
  }
  if (element0 != 0) text += fmt::format(" + {}", element0);
  if (offer.byte_offset != 0) text += fmt::format(" - {}", offer.byte_offset);
  return offer.byte_offset < kNear ? text : fmt::format("({}) & (1 << 64) - 1", text);
}

/// The address of a copy of these numbers.
std::string NumbersText(const std::string& list, int count) {
  if (list.find('*') == std::string::npos) {
    const std::string numbers = list.substr(1, list.size() - 2);
    return fmt::format("guarded(struct.pack(\"<{}q\"{}{}))", count, count == 0 ? "" : ", ", numbers);
  }
  return fmt::format("guarded(struct.pack(\"<{}q\", *{}))", count, list);
}

/// What from_dlpack gets.
std::string ObjectText(const Step& step, const Needs& needs, const std::string& capsule_name) {
  if (step.op == Op::kImportCapsule && needs.tags.contains("counts")) return "capsules[0]";
  if (step.op == Op::kImportCapsule) return fmt::format("c.PyCapsule_New(tensor, {}, None)", capsule_name);
  return needs.tags.contains("step.drop-producer") ? "offered" : "Producer()";
}

int EntriesOf(const Offer& offer) {
  constexpr int kMetadataEntries = 3 * 4096 / 8;
  return std::clamp(offer.ndim, 0, kMetadataEntries);
}

/// The templates record no other values for "unknown", and only these facts may stay unseen.
std::string ShortComparison(const ReproducerInput& input) {
  constexpr std::string_view kUnknown[] = {"unsupported"};
  const std::string fact = PlainKey(input.fact);
  const std::string ending = EndingOf(fact);
  const bool outcome = ending == "outcome";
  const bool recorded =
      outcome || (ending.empty() && fact != "export.strides" && fact != "export.version" && fact != "export.flags");
  return Comparison(input, std::span(kUnknown, outcome ? 1 : 0), !recorded);
}

/// What the script prints before the value that it saw.
std::string Question(const ReproducerInput& input) {
  const std::string fact = WatchedFact(input);
  return fmt::format("{}: expected {}, got", fact, fact == input.fact ? input.wanted : "1");
}

void AddOffer(const ReproducerInput& input, const Needs& needs, Values& values) {
  const Recipe& recipe = input.recipe;
  const Offer& offer = recipe.offer();
  const Step& step = LifeOf(input).steps.front();
  const auto pair = [](int a, int b) { return fmt::format("{}, {}", a, b); };
  std::string arguments = python::Keywords(recipe.calls[step.call], true);
  if (needs.tags.contains("adapter.ndim")) {
    arguments += fmt::format(", dtype={}, ndim={}", python::Literal(DataTypeName(offer.dtype)), EntriesOf(offer));
  }
  const std::string context = offer.context == ContextKind::kNull       ? "0"
                              : offer.context == ContextKind::kOne      ? "1"
                              : offer.context == ContextKind::kUnmapped ? "guarded(b\"\")"
                                                                        : "guarded(bytes(8))";
  const std::string deleter =
      offer.deleter == DeleterKind::kNull ? "0" : "ctypes.cast(c.getpid, ctypes.c_void_p).value";
  values.merge(
      Values{{"OFFER.data", DataText(offer, needs)},
             {"OFFER.dtype_name", std::string(DataTypeName(offer.dtype))},
             {"OFFER.shape", offer.null_shape != 0 ? "0" : NumbersText(python::ShapeOf(offer), EntriesOf(offer))},
             {"OFFER.strides",
              offer.strides_kind == StridesKind::kNull ? "0" : NumbersText(python::StridesOf(offer), EntriesOf(offer))},
             {"OFFER.context", context},
             {"OFFER.deleter", deleter},
             {"OFFER.version", fmt::format("{}, {}", offer.major, offer.minor)},
             {"OFFER.flags", fmt::to_string(offer.flags)},
             {"OFFER.device", pair(offer.device.device_type, offer.device.device_id)},
             {"OFFER.reported_device", pair(offer.reported_device.device_type, offer.reported_device.device_id)},
             {"OFFER.ndim", fmt::to_string(offer.ndim)},
             {"OFFER.dtype", fmt::format("{}, {}, {}", offer.dtype.code, offer.dtype.bits, offer.dtype.lanes)},
             {"OFFER.byte_offset", fmt::to_string(offer.byte_offset)},
             {"OFFER.capsule_name", python::CapsuleNameOf(offer)},
             {"OFFER.object", ObjectText(step, needs, python::CapsuleNameOf(offer))},
             {", OFFER.arguments", arguments},
             {"OFFER.right", needs.tags.contains("plain-read") ? python::Bytes(python::Right(offer, 0)) : ""}});
}

void AddRequest(const ReproducerInput& input, Values& values) {
  const Request& request = input.recipe.request();
  const Step& step = LifeOf(input).steps.back();
  const std::string keywords = python::Keywords(input.recipe.calls[step.call], false);
  const bool exports = input.adapter.find("def export(") != std::string::npos;
  const bool devices = input.adapter.find("def device(") != std::string::npos;
  values.merge(Values{
      {"EXPORT.request", python::Block(request, input.adapter)},
      {"EXPORT.call", exports
                          ? fmt::format("library.export(array{})", keywords)
                          : fmt::format("array.__dlpack__({})", keywords.substr(std::min<size_t>(keywords.size(), 2)))},
      {"EXPORT.device", devices ? "library.device(array)" : "array.__dlpack_device__()"},
      {"EXPORT.item", fmt::to_string(ItemSize(request.dtype))},
      {"EXPORT.right", python::Bytes(python::Right(request))},
  });
}

/// What stands for the names in the templates.
Values ValuesOf(const ReproducerInput& input, const Needs& needs) {
  Values values = {
      {"FINDING.missing", python::Literal("The library could not be imported. Install it (" + Installation(input) +
                                          "), or add its folder to PYTHONPATH.")},
      {"FINDING.reproduced", python::Literal("REPRODUCED " + input.verdict + " " + input.case_id)},
      {"FINDING.question", python::Literal(Question(input))},
      {"FINDING.unseen", python::Literal(Unseen(input.fact))},
      {"FINDING.wrong", CrashOf(input).empty() ? ShortComparison(input) : ""},
  };
  if (python::Offers(input.recipe)) AddOffer(input, needs, values);
  if (python::Requests(input.recipe)) AddRequest(input, values);
  return values;
}

/// The code with every name replaced by its value, and with the bodies of functions without parameters at the left
/// edge.
std::string Filled(std::string_view code, const Values& values) {
  static const std::regex kName("(, )?\\b(OFFER|EXPORT|FINDING)\\.\\w+");
  std::string text;
  bool straight = false;  // inside such a function
  for (const std::string_view raw : Split(code, "\n")) {
    std::string line(raw);
    if (line.empty()) continue;
    if (!line.starts_with(' ')) straight = line.starts_with("def ") && line.ends_with("():");
    if (straight && line.starts_with("def ")) continue;
    if (straight) line.erase(0, 4);
    if (line.starts_with('#')) text += "\n";
    if (line == "#") continue;
    std::string filled;
    auto rest = line.cbegin();
    for (std::sregex_iterator match(line.begin(), line.end(), kName), end; match != end; ++match) {
      filled.append(rest, match->prefix().second);
      const std::string name = match->str();
      const auto whole = values.find(name);
      filled += whole != values.end() ? whole->second
                                      : name.substr(0, static_cast<size_t>(match->length(1))) +
                                            values.at(name.substr(static_cast<size_t>(match->length(1))));
      rest = match->suffix().first;
    }
    filled.append(rest, line.cend());
    text += filled + "\n";
  }
  return text;
}

/// The adapter with its modules and variables.
std::string AdapterPart(const ReproducerInput& input) {
  std::string text = Copies(input) + AdapterLiterals(input);
  if (!input.modules.empty()) {
    text +=
        "FOLDER = tempfile.mkdtemp()  # for the modules, which the adapter imports\n"
        "for name, source in MODULES.items():\n"
        "    os.makedirs(os.path.dirname(os.path.join(FOLDER, name)), exist_ok=True)\n"
        "    with open(os.path.join(FOLDER, name), \"wb\") as file:\n"
        "        file.write(source)\n"
        "sys.path.insert(0, FOLDER)\n";
  }
  for (const auto& [name, value] : input.environment) {
    const bool inside = value.find("{environment}") != std::string::npos;
    text += fmt::format("os.environ.setdefault({}, {}{})\n", python::Literal(name), python::Literal(value),
                        inside ? ".replace(\"{environment}\", sys.prefix)" : "");
  }
  return text;
}

/// counts: the script counts the calls of the deleter, and keeps each capsule (keeps: one that __dlpack__ makes; own:
/// one that from_dlpack gets) to see whether it was used. late: the adapter can release what the library keeps.
void CountDeleterCalls(Needs& needs) {
  needs.tags.insert("counts");
  if (needs.tags.erase("hands-out") != 0) needs.tags.insert("keeps");
  if (needs.tags.contains("step.import-capsule")) needs.tags.insert("own");
  if (needs.tags.contains("adapter.release")) needs.tags.insert("late");
  // Everything is dropped at the end.
  for (const char* step : {"step.drop-producer", "step.drop-array"}) needs.tags.erase(step);
}

/// The imports and the code that is not the adapter's.
Selection CodeOf(const ReproducerInput& input) {
  Needs needs = NeedsOf(input);
  needs.code = python::Offers(input.recipe) ? "process, imports" : "process, exports";
  if (!input.modules.empty()) {
    needs.code += ", tempfile";
    needs.tags.erase("adapter.file");  // its file is with the modules
  }
  const std::string fact = PlainKey(needs.fact);
  const std::string ending = EndingOf(fact);
  if (!ending.empty()) needs.tags.insert({"ended", ending});
  if (python::Requests(input.recipe) && IsField(fact, input.recipe.request())) needs.tags.insert("field");
  if (input.verdict == "TIMEOUT") needs.tags.insert("timeout");
  if (fact == kDeleterCallsFact) CountDeleterCalls(needs);
  Selection selection = Select(kPlainTemplates, needs);
  selection.code = Filled(selection.code, ValuesOf(input, needs));
  return selection;
}

}  // namespace

std::string PlainCode(const ReproducerInput& input) { return CodeOf(input).code; }

std::string PlainScript(const ReproducerInput& input) {
  const Selection selection = CodeOf(input);
  std::string text = ShortHeader(input) + "import " + selection.imports + "\n";
  if (!CrashOf(input).empty()) text += "EXPECTED_END = " + EndsLiteral(input) + "\n";
  return text + "\n" + AdapterPart(input) + selection.code;
}

}  // namespace dlpack_cts
