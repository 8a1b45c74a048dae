// harness/reproducer/plain_values.cc: writes offers, requests and comparisons of short scripts as Python text.
#include "harness/reproducer/plain_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <span>
#include <string>
#include <vector>

#include "harness/recipe/dtypes.h"
#include "harness/recipe/elements.h"
#include "harness/reproducer/literal.h"
#include "harness/reproducer/needs.h"
#include "harness/reproducer/plain_facts.h"
#include "harness/reproducer/python.h"
#include "harness/reproducer/texts.h"
#include "harness/reproducer/watched.h"

namespace dlpack_cts {
namespace {

constexpr uint64_t kBytesOfPages = 20 * 4096;
constexpr uint64_t kNear = uint64_t{1} << 40;  // a byte_offset below it leaves `data` an address above 0

/// Whether the script compares the elements of the imported array with the right ones.
bool ReadsElements(const Needs& needs) {
  return needs.tags.contains("plain-read") || needs.tags.contains("import.memory");
}

/// The expression of the address in dl_tensor.data.
std::string DataText(const Offer& offer, const Needs& needs) {
  if (offer.placement == Placement::kNull) return "0";
  if (offer.placement == Placement::kForeignHandle) return "1";
  const python::Place place = python::PlaceOf(offer);
  const std::vector<uint8_t> stored = python::Memory(offer, 0);
  const bool backed = needs.tags.contains("backed");
  const std::string fill = ReadsElements(needs) ? "b\"\\xC5\" * {}" : "bytes({})";
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
    text += ')';
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
  if (step.op == Op::kImportCapsule && needs.tags.contains("own")) return "capsules[0]";
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

/// The right dtypes, the offered one and the described one, by the names that adapters use.
std::string TypesText(const ReproducerInput& input) {
  const abi::DLDataType& own = input.recipe.offer().dtype;
  const std::string offered = fmt::format("({}, {}, {})", own.code, own.bits, own.lanes);
  std::vector<std::string> entries;
  for (const NamedDataType& type : TypesIn(input.wanted + offered + input.got)) {
    entries.push_back(fmt::format("{}: ({}, {}, {})", python::Literal(type.name), type.dtype.code, type.dtype.bits,
                                  type.dtype.lanes));
  }
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

void AddOffer(const ReproducerInput& input, const Needs& needs, Values& values) {
  const Recipe& recipe = input.recipe;
  const Offer& offer = recipe.offer();
  const Step& step = CallOf(input);
  const auto pair = [](int a, int b) { return fmt::format("{}, {}", a, b); };
  const std::string typed =
      fmt::format("dtype={}, ndim={}", python::Literal(DataTypeName(offer.dtype)), EntriesOf(offer));
  std::string arguments = python::Keywords(recipe.calls[step.call], true);
  if (needs.tags.contains("adapter.may-take-type")) {
    arguments += ", **typed";
  } else if (needs.tags.contains("adapter.ndim")) {
    arguments += ", " + typed;
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
             {"OFFER.typed", "dict(" + typed + ")"},
             {"OFFER.item", fmt::to_string(ItemSize(offer.dtype))},
             {"OFFER.types", TypesText(input)},
             {"OFFER.right", ReadsElements(needs) ? python::Bytes(python::Right(offer, 0)) : ""}});
}

/// Whether adapter.py defines the function, or may import it by that name. If it only may, the script looks for it.
enum class Defined { kNo, kMaybe, kYes };
Defined Defines(const ReproducerInput& input, const std::string& function) {
  if (input.adapter.find("def " + function + "(") != std::string::npos) return Defined::kYes;
  const std::regex hidden("import \\*|import [^\n]*\\b" + function + "\\b|(^|\n)" + function + "\\b");
  return std::regex_search(input.adapter, hidden) ? Defined::kMaybe : Defined::kNo;
}

/// The call of the adapter's function, or of the array's method.
std::string FunctionOrMethod(const ReproducerInput& input, const std::string& function, const std::string& method,
                             const std::string& keywords) {
  switch (Defines(input, function)) {
    case Defined::kYes:
      return fmt::format("library.{}(array{})", function, keywords);
    case Defined::kNo:
      return fmt::format("array.{}({})", method, keywords.substr(std::min<size_t>(keywords.size(), 2)));
    case Defined::kMaybe:
      break;
  }
  return fmt::format("getattr(library, \"{}\", type(array).{})(array{})", function, method, keywords);
}

void AddRequest(const ReproducerInput& input, Values& values) {
  const Request& request = input.recipe.request();
  const Step& step = CallOf(input);
  const std::string keywords = python::Keywords(input.recipe.calls[step.call], false);
  constexpr const char* kChanges[] = {"reshape", "transpose", "resize"};
  std::string change;
  for (const Step& one : LifeOf(input).steps) {
    if (one.op == Op::kChangeMetadata) change = kChanges[static_cast<size_t>(one.argument) % std::size(kChanges)];
  }
  values.merge(Values{
      {"EXPORT.request", python::Block(request, input.adapter)},
      {"EXPORT.call", FunctionOrMethod(input, "export", "__dlpack__", keywords)},
      {"EXPORT.device", FunctionOrMethod(input, "device", "__dlpack_device__", "")},
      {"EXPORT.change", python::Literal(change)},
      {"EXPORT.item", fmt::to_string(ItemSize(request.dtype))},
      {"EXPORT.right", python::Bytes(python::Right(request))},
  });
}

}  // namespace

const Step& CallOf(const ReproducerInput& input) {
  const std::span<const Step> life = LifeOf(input).steps;
  const auto call = std::ranges::find_if(life, [](const Step& step) {
    return step.op == Op::kImport || step.op == Op::kImportCapsule || step.op == Op::kTableImport ||
           step.op == Op::kExport || step.op == Op::kTableExport;
  });
  return call == life.end() ? life.back() : *call;
}

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

}  // namespace dlpack_cts
