// harness/recipe/sentence.cc: offers, requests and calls in words.
#include "harness/recipe/sentence.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "harness/recipe/words.h"

namespace dlpack_cts {
namespace {

constexpr uint8_t kPlainAlignmentLog2 = 6;

/// The word of an enumerator; the plain one has none.
template <size_t kSize, typename Enum>
std::string Word(const std::array<std::string_view, kSize>& words, Enum value) {
  const auto index = static_cast<size_t>(value);
  return index < kSize ? std::string(words[index]) : "?";
}

/// What is said of one block, with commas between.
class Saying {
 public:
  void Add(const std::string& words) {
    if (!words.empty()) text_ += (text_.empty() ? "" : ", ") + words;
  }
  void AddIf(bool holds, const std::string& words) {
    if (holds) Add(words);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

template <typename Tensor>
void AddLayout(const Tensor& tensor, Saying& saying) {
  saying.Add("shape " + TupleWords({tensor.shape, tensor.dims}));
  if (tensor.strides_kind == StridesKind::kExplicit) saying.Add("strides " + TupleWords({tensor.strides, tensor.dims}));
  saying.AddIf(tensor.strides_kind == StridesKind::kNull, "strides NULL");
  saying.AddIf(tensor.large != 0, "room for many elements");
}

std::string VersionWords(const Offer& offer) {
  if (offer.kind == StructKind::kView) return "a plain DLTensor";
  if (offer.kind == StructKind::kLegacy) return "legacy";
  return fmt::format("versioned {}.{}", offer.major, offer.minor);
}

std::string PlacementWords(Placement placement) {
  static constexpr std::array<std::string_view, 8> kWords = {
      "",         "data behind an inaccessible page",  "data on a read-only page", "data unmapped", "data NULL",
      "data 0x1", "data far in front of its elements", "data on the device"};
  return Word(kWords, placement);
}

std::string NameWords(const Offer& offer) {
  const std::string own = offer.kind == StructKind::kLegacy ? abi::kLegacyName : abi::kVersionedName;
  switch (offer.name) {
    case CapsuleName::kOwn:
      return "";
    case CapsuleName::kUsed:
      return fmt::format("capsule name \"used_{}\"", own);
    case CapsuleName::kForeign:
      return "a foreign capsule name";
    case CapsuleName::kTrailingSpace:
      return fmt::format("capsule name \"{} \"", own);
    case CapsuleName::kNone:
      return "capsule name NULL";
  }
  return "?";
}

/// How the producer answers the keywords of __dlpack__.
void AddReplies(const Keywords& keywords, Saying& saying) {
  struct Named {
    Reply reply;
    std::string_view name;
  };
  const Named all[] = {{keywords.max_version, "max_version"},
                       {keywords.dl_device, "dl_device"},
                       {keywords.copy, "copy"},
                       {keywords.stream, "stream"}};
  static constexpr std::array<std::string_view, 5> kWords = {"", "obeys", "does not know", "refuses", "raises at"};
  for (size_t reply = 1; reply < kWords.size(); ++reply) {
    std::string names;
    for (const Named& one : all) {
      if (static_cast<size_t>(one.reply) == reply) names += (names.empty() ? "" : " and ") + std::string(one.name);
    }
    if (!names.empty()) saying.Add(fmt::format("its producer {} {}", kWords[reply], names));
  }
}

std::string OfferWords(const Offer& offer) {
  static constexpr std::array<std::string_view, 9> kGives = {"",
                                                             "the same capsule at each call",
                                                             "its producer raises BufferError",
                                                             "its producer returns None",
                                                             "its producer raises OSError",
                                                             "its producer's __dlpack_device__ raises OSError",
                                                             "its producer has no __dlpack__",
                                                             "its producer has neither method",
                                                             "its producer raises TypeError"};
  static constexpr std::array<std::string_view, 4> kContexts = {"", "manager_ctx NULL", "manager_ctx 0x1",
                                                                "manager_ctx unmapped"};
  static constexpr std::array<std::string_view, 3> kPlaces = {"", "a read-only struct",
                                                              "a struct unmapped behind its head"};
  Saying saying;
  saying.Add(DtypeWords(offer.dtype));
  AddLayout(offer, saying);
  saying.AddIf(offer.negative_metadata != 0, "extents that no memory backs");
  saying.AddIf(offer.null_shape != 0, "shape NULL");
  saying.AddIf(offer.ndim != offer.dims, fmt::format("ndim {}", offer.ndim));
  saying.Add(VersionWords(offer));
  saying.AddIf(offer.byte_offset != 0, fmt::format("byte_offset {}", offer.byte_offset));
  saying.AddIf(offer.alignment_log2 < kPlainAlignmentLog2, fmt::format("aligned to {}", 1 << offer.alignment_log2));
  saying.AddIf(offer.kind == StructKind::kVersioned && offer.flags != 0, "flags " + FlagsWords(offer.flags));
  saying.AddIf(offer.device.device_type != abi::kDLCPU || offer.device.device_id != 0,
               "device " + DeviceWords(offer.device));
  const bool two = offer.device.device_type != offer.reported_device.device_type ||
                   offer.device.device_id != offer.reported_device.device_id;
  saying.AddIf(two, "__dlpack_device__ says " + DeviceWords(offer.reported_device));
  saying.Add(PlacementWords(offer.placement));
  saying.Add(Word(kPlaces, offer.place));
  saying.AddIf(offer.deleter == DeleterKind::kNull, "deleter NULL");
  saying.AddIf(offer.deleter == DeleterKind::kReenters, "a deleter in which another such tensor is imported");
  saying.AddIf(offer.deleter == DeleterKind::kMeetsThread,
               "a deleter during which another thread imports such a tensor");
  saying.Add(Word(kContexts, offer.context));
  saying.Add(NameWords(offer));
  saying.AddIf(offer.destructor == DestructorKind::kNone, "a capsule without destructor");
  AddReplies(offer.keywords, saying);
  saying.Add(Word(kGives, offer.gives));
  return saying.text();
}

std::string TableWords(const ForgedTable& table) {
  static constexpr std::array<std::string_view, 6> kAttributes = {"",
                                                                  "an exchange table on its type",
                                                                  "a misnamed exchange table on its type",
                                                                  "a str for an exchange table",
                                                                  "an exchange table on the object and not on its type",
                                                                  "the address of an exchange table on its type"};
  static constexpr std::array<std::string_view, kTableFunctions> kFunctions = {
      "allocator", "from_py_object", "to_py_object", "dltensor_from", "stream"};
  Saying saying;
  saying.Add(Word(kAttributes, table.attribute));
  const bool found = table.attribute == TableAttribute::kCapsule || table.attribute == TableAttribute::kOnObject ||
                     table.attribute == TableAttribute::kInteger;
  if (!found) return saying.text();
  saying.Add(fmt::format("table {}.{}", table.version.major, table.version.minor));
  for (int i = 0; i < kTableFunctions; ++i) {
    const auto function = std::string(kFunctions[static_cast<size_t>(i)]);
    saying.AddIf((table.null_slots >> i & 1) != 0, function + " NULL");
    saying.AddIf((table.failing_slots >> i & 1) != 0, function + " fails");
    saying.AddIf((table.silent_slots >> i & 1) != 0, function + " fails without an exception");
    saying.AddIf((table.empty_slots >> i & 1) != 0, function + " succeeds and gives nothing");
  }
  saying.AddIf(table.moves != 0, fmt::format("elsewhere after {} look-ups", table.moves));
  for (int i = 0; i < table.chain_length; ++i) {
    saying.Add(fmt::format("behind it {}.{}", table.chain[i].major, table.chain[i].minor));
  }
  return saying.text();
}

std::string RequestWords(const Request& request) {
  static constexpr std::array<std::string_view, 14> kOddities = {"",
                                                                 "foreign byte order",
                                                                 "long double",
                                                                 "complex long double",
                                                                 "object",
                                                                 "strides off the item size",
                                                                 "conjugate bit",
                                                                 "negative bit",
                                                                 "sparse",
                                                                 "requires_grad",
                                                                 "meta device",
                                                                 "a subclass",
                                                                 "odd byte strides of single elements",
                                                                 "zeros without memory"};
  Saying saying;
  saying.Add(DtypeWords(request.dtype));
  AddLayout(request, saying);
  saying.AddIf(request.making == Making::kView, "a view");
  saying.AddIf(request.making == Making::kReexport, "imported itself");
  saying.AddIf(request.offset != 0, fmt::format("begins at element {}", request.offset));
  saying.AddIf(request.read_only != 0, "read-only");
  saying.Add(Word(kOddities, request.oddity));
  saying.AddIf(request.device.device_type != abi::kDLCPU || request.device.device_id != 0,
               "device " + DeviceWords(request.device));
  return saying.text();
}

/// As Python writes it.
std::string ArgumentWords(const Argument& argument) {
  switch (argument.kind) {
    case ArgumentKind::kAbsent:
      return "";
    case ArgumentKind::kNone:
      return "None";
    case ArgumentKind::kPair:
      return fmt::format("({},{})", argument.a, argument.b);
    case ArgumentKind::kInt:
      return fmt::format("{}", argument.a);
    case ArgumentKind::kTrue:
      return "True";
    case ArgumentKind::kFalse:
      return "False";
    case ArgumentKind::kList:
      return fmt::format("[{},{}]", argument.a, argument.b);
    case ArgumentKind::kOneTuple:
      return fmt::format("({},)", argument.a);
    case ArgumentKind::kString:
      return "'dlpack'";
    case ArgumentKind::kFloats:
      return fmt::format("({}.0,{})", argument.a, argument.b);
    case ArgumentKind::kHuge:
      return "(1<<200,0)";
    case ArgumentKind::kBools:
      return fmt::format("({},{})", argument.a != 0 ? "True" : "False", argument.b != 0 ? "True" : "False");
    case ArgumentKind::kObject:
      return "object()";
  }
  return "?";
}

std::string CallWords(const Call& call) {
  Saying saying;
  const auto add = [&](std::string_view name, const Argument& argument) {
    if (argument.kind != ArgumentKind::kAbsent) saying.Add(fmt::format("{}={}", name, ArgumentWords(argument)));
  };
  add("max_version", call.max_version);
  add("dl_device", call.dl_device);
  add("copy", call.copy);
  add("stream", call.stream);
  saying.AddIf(call.unknown_keyword != 0, "nonsense=1");
  saying.AddIf(call.fresh_names != 0, "names of keywords that are not interned");
  return saying.text();
}

uint32_t UsedBy(const Recipe& recipe, bool (*uses)(Op)) {
  uint32_t used = 0;
  for (const Step& step : recipe.life()) {
    if (uses(step.op)) used |= 1u << step.block;
  }
  return used;
}

/// The blocks that a step of the life uses. The first one needs no name where there is only one kind of them.
template <typename Block>
void AddBlocks(uint32_t used, const Block* blocks, std::string_view name, bool named,
               std::string (*words)(const Block&), std::string& text) {
  for (int i = 0; i < kBlocks; ++i) {
    if ((used >> i & 1u) == 0) continue;
    if (!text.empty()) text += "; ";
    if (i > 0 || named) text += std::string(name) + (i > 0 ? fmt::format(" {}: ", i + 1) : ": ");
    text += words(blocks[i]);
  }
}

}  // namespace

std::string SentenceOf(const Recipe& recipe) {
  std::string text;
  const uint32_t requests = UsedBy(recipe, UsesRequest);
  const uint32_t offers = UsedBy(recipe, UsesOffer);
  const bool both = requests != 0 && offers != 0;
  AddBlocks(requests, recipe.requests, "request", both, RequestWords, text);
  AddBlocks(offers, recipe.offers, "offer", both, OfferWords, text);
  if (const std::string words = TableWords(recipe.table); !words.empty()) text += (text.empty() ? "" : ", ") + words;
  for (int i = 0; i < recipe.used.calls; ++i) {
    const std::string words = CallWords(recipe.calls[i]);
    if (words.empty()) continue;
    if (!text.empty()) text += i == 0 ? ", " : "; ";
    text += (i == 0 ? "" : fmt::format("call {}: ", i + 1)) + words;
  }
  const std::string life = LifeWords(recipe);
  if (!life.empty()) text += (text.empty() ? "" : "; ") + life;
  return text;
}

}  // namespace dlpack_cts
