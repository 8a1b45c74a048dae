// harness/recipe/sentence.cc: offers, requests and calls in words.
#include "harness/recipe/sentence.h"

#include <fmt/format.h>

#include <string_view>

#include "harness/recipe/enum_words.h"
#include "harness/recipe/words.h"

namespace dlpack_cts {
namespace {

constexpr uint8_t kPlainAlignmentLog2 = 6;

/// The parts of a sentence about one block, with commas between them.
class Saying {
 public:
  void Add(std::string_view words) {
    if (!words.empty()) text_.append(text_.empty() ? "" : ", ").append(words);
  }
  void AddIf(bool holds, std::string_view words) {
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
  saying.AddIf(tensor.large != 0, "memory for a large tensor");
}

std::string VersionWords(const Offer& offer) {
  if (offer.kind == StructKind::kView) return "DLTensor without a managed struct";
  if (offer.kind == StructKind::kLegacy) return "legacy";
  return fmt::format("versioned {}.{}", offer.major, offer.minor);
}

constexpr SentenceWords<Placement> kPlacements = {"",
                                                  "data directly after an inaccessible page",
                                                  "data in read-only memory",
                                                  "data at an address without memory",
                                                  "data NULL",
                                                  "data 0x1",
                                                  "element 0 far after data",
                                                  "data in CUDA device memory"};
constexpr SentenceWords<StructPlace> kPlaces = {"", "struct in read-only memory",
                                                "struct of which only the first 32 bytes are readable"};
constexpr SentenceWords<DeleterKind> kDeleters = {"", "deleter NULL",
                                                  "deleter during which the library imports another such tensor",
                                                  "deleter during which another thread imports such a tensor"};
constexpr SentenceWords<ContextKind> kContexts = {"", "manager_ctx NULL", "manager_ctx 0x1",
                                                  "manager_ctx without memory"};
constexpr SentenceWords<DestructorKind> kDestructors = {"", "capsule without destructor"};
constexpr SentenceWords<Gives> kGives = {"",
                                         "__dlpack__ returns the same capsule at each call",
                                         "__dlpack__ raises BufferError",
                                         "__dlpack__ returns None",
                                         "__dlpack__ raises OSError",
                                         "__dlpack_device__ raises OSError",
                                         "the producer has no __dlpack__",
                                         "the producer has neither __dlpack__ nor __dlpack_device__",
                                         "__dlpack__ raises TypeError for any arguments",
                                         "__dlpack_device__ returns None",
                                         "__dlpack_device__ returns 1",
                                         "__dlpack_device__ returns (1,)",
                                         "__dlpack_device__ returns (1, 0, 0)",
                                         "__dlpack_device__ returns ('cpu', 0)"};
constexpr SentenceWords<Making> kMakings = {"", "a view"};
constexpr SentenceWords<Oddity> kOddities = {"",
                                             "byte-swapped elements",
                                             "long double elements",
                                             "complex long double elements",
                                             "elements that are objects",
                                             "byte strides that are not multiples of the item size",
                                             "conjugate bit set",
                                             "negative bit set",
                                             "sparse",
                                             "requires_grad",
                                             "meta device",
                                             "instance of a subclass",
                                             "extents of 1 with byte strides that are not multiples of the item size",
                                             "zeros without memory",
                                             "elements that are dates",
                                             "elements that are quantized integers",
                                             "elements that are text",
                                             "a scalar object of the library instead of an array"};
constexpr SentenceWords<TableAttribute> kAttributes = {"",
                                                       "__dlpack_c_exchange_api__ on the producer's type",
                                                       "__dlpack_c_exchange_api__ is a capsule with a wrong name",
                                                       "__dlpack_c_exchange_api__ is a str",
                                                       "__dlpack_c_exchange_api__ on the producer but not on its type",
                                                       "__dlpack_c_exchange_api__ is an int with the table's address"};
constexpr EnumWords<TableFunction> kFunctions = {"managed_tensor_allocator", "managed_tensor_from_py_object_no_sync",
                                                 "managed_tensor_to_py_object_no_sync",
                                                 "dltensor_from_py_object_no_sync", "current_work_stream"};

std::string NameWords(const Offer& offer) {
  const std::string own = offer.kind == StructKind::kLegacy ? abi::kLegacyName : abi::kVersionedName;
  switch (offer.name) {
    case CapsuleName::kOwn:
      return "";
    case CapsuleName::kUsed:
      return fmt::format("capsule name \"used_{}\"", own);
    case CapsuleName::kForeign:
      return "capsule name of another protocol";
    case CapsuleName::kTrailingSpace:
      return fmt::format("capsule name \"{} \"", own);
    case CapsuleName::kNone:
      return "capsule name NULL";
  }
  return std::string(kUndefinedWord);
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
  static constexpr SentenceWords<Reply> kWords = {"", "raises BufferError if it cannot satisfy", "raises TypeError for",
                                                  "raises BufferError for", "raises RuntimeError for"};
  for (size_t reply = 1; reply < kEnumerators<Reply>; ++reply) {
    std::string names;
    for (const Named& one : all) {
      if (static_cast<size_t>(one.reply) == reply) names += (names.empty() ? "" : " and ") + std::string(one.name);
    }
    if (!names.empty()) saying.Add(fmt::format("__dlpack__ {} {}", kWords[static_cast<Reply>(reply)], names));
  }
}

std::string OfferWords(const Offer& offer) {
  Saying saying;
  saying.Add(DtypeWords(offer.dtype));
  AddLayout(offer, saying);
  saying.AddIf(offer.negative_metadata != 0, "shape or ndim without memory behind it");
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
  saying.AddIf(two, "__dlpack_device__ returns " + DeviceWords(offer.reported_device));
  saying.Add(kPlacements[offer.placement]);
  saying.Add(kPlaces[offer.place]);
  saying.Add(kDeleters[offer.deleter]);
  saying.Add(kContexts[offer.context]);
  saying.Add(NameWords(offer));
  saying.Add(kDestructors[offer.destructor]);
  AddReplies(offer.keywords, saying);
  saying.Add(kGives[offer.gives]);
  return saying.text();
}

std::string TableWords(const ForgedTable& table) {
  Saying saying;
  saying.Add(kAttributes[table.attribute]);
  const bool found = table.attribute == TableAttribute::kCapsule || table.attribute == TableAttribute::kOnObject ||
                     table.attribute == TableAttribute::kInteger;
  if (!found) return saying.text();
  saying.Add(fmt::format("table version {}.{}", table.version.major, table.version.minor));
  for (int i = 0; i < kTableFunctions; ++i) {
    const auto function = std::string(kFunctions[static_cast<TableFunction>(i)]);
    saying.AddIf((table.null_slots >> i & 1) != 0, function + " NULL");
    saying.AddIf((table.failing_slots >> i & 1) != 0, function + " fails");
    saying.AddIf((table.silent_slots >> i & 1) != 0, function + " fails without an exception");
    saying.AddIf((table.empty_slots >> i & 1) != 0, function + " returns 0 without a result");
  }
  saying.AddIf(table.moves != 0, fmt::format("the table's address changes after {} lookups", table.moves));
  std::string chain;
  for (int i = 0; i < table.chain_length; ++i) {
    chain += fmt::format("{} {}.{}", i == 0 ? "" : " and", table.chain[i].major, table.chain[i].minor);
  }
  saying.AddIf(!chain.empty(), "prev_api leads to tables of version" + chain);
  return saying.text();
}

std::string RequestWords(const Request& request) {
  Saying saying;
  saying.Add(DtypeWords(request.dtype));
  AddLayout(request, saying);
  saying.Add(kMakings[request.making]);
  saying.AddIf(request.offset != 0, fmt::format("starts at element {} of its memory", request.offset));
  saying.AddIf(request.read_only != 0, "read-only");
  saying.Add(kOddities[request.oddity]);
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
  return std::string(kUndefinedWord);
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
  saying.AddIf(call.fresh_names != 0, "keyword names that are not interned");
  return saying.text();
}

uint32_t UsedBy(const Recipe& recipe, bool (*uses)(Op)) {
  uint32_t used = 0;
  for (const Step& step : recipe.life()) {
    if (uses(step.op)) used |= 1u << step.block;
  }
  return used;
}

/// The blocks that a step of the life uses. The first one has no name if there is only one kind of block.
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
