// harness/recipe/sentence.cc: describes offers, requests and calls.
#include "harness/recipe/sentence.h"

#include <fmt/format.h>

#include <string_view>

#include "base/enum_words.h"
#include "harness/recipe/in_use.h"
#include "harness/recipe/names.h"
#include "harness/recipe/words.h"

namespace dlpack_cts {
namespace {

constexpr uint8_t kPlainAlignmentLog2 = 6;
constexpr EnumWords<TableFunction> kFunctions = {"managed_tensor_allocator", "managed_tensor_from_py_object_no_sync",
                                                 "managed_tensor_to_py_object_no_sync",
                                                 "dltensor_from_py_object_no_sync", "current_work_stream"};

/// The parts of a sentence about one block, separated by commas.
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

std::string NameWords(const Offer& offer) {
  const std::string own = offer.kind == StructKind::kLegacy ? abi::kLegacyName : abi::kVersionedName;
  return fmt::format(fmt::runtime(kCapsuleNames[offer.name].sentence), own);
}

/// The producer's answers to the keywords of __dlpack__.
void AddReplies(const Keywords& keywords, Saying& saying) {
  struct Named {
    Reply reply;
    std::string_view name;
  };
  const Named all[] = {{keywords.max_version, "max_version"},
                       {keywords.dl_device, "dl_device"},
                       {keywords.copy, "copy"},
                       {keywords.stream, "stream"}};
  for (size_t reply = 1; reply < kEnumerators<Reply>; ++reply) {
    std::string names;
    for (const Named& one : all) {
      if (static_cast<size_t>(one.reply) == reply) names += (names.empty() ? "" : " and ") + std::string(one.name);
    }
    if (!names.empty())
      saying.Add(fmt::format("__dlpack__ {} {}", kReplies[static_cast<Reply>(reply)].sentence, names));
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
  saying.Add(kPlacements[offer.placement].sentence);
  saying.Add(kStructPlaces[offer.place].sentence);
  saying.Add(kDeleters[offer.deleter].sentence);
  saying.Add(kManagerContexts[offer.context].sentence);
  saying.Add(NameWords(offer));
  saying.Add(kDestructors[offer.destructor].sentence);
  AddReplies(offer.keywords, saying);
  saying.Add(kGives[offer.gives].sentence);
  return saying.text();
}

std::string TableWords(const ForgedTable& table) {
  Saying saying;
  saying.Add(kTableAttributes[table.attribute].sentence);
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
  saying.Add(kMakings[request.making].sentence);
  saying.AddIf(request.offset != 0, fmt::format("starts at element {} of its memory", request.offset));
  saying.AddIf(request.read_only != 0, "read-only");
  saying.Add(kOddities[request.oddity].sentence);
  saying.AddIf(request.device.device_type != abi::kDLCPU || request.device.device_id != 0,
               "device " + DeviceWords(request.device));
  return saying.text();
}

/// As Python writes it.
std::string ArgumentWords(const Argument& argument) {
  const auto boolean = [](int64_t number) { return number != 0 ? "True" : "False"; };
  return fmt::format(fmt::runtime(kArguments[argument.kind].sentence), argument.a, argument.b, boolean(argument.a),
                     boolean(argument.b));
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
  saying.AddIf(call.order != 0, fmt::format("keywords in order {}", call.order));
  return saying.text();
}

/// The blocks that the steps use. The first one has no name if there is only one kind of block.
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
  const RecipeInUse used(recipe);
  const bool both = used.requests != 0 && used.offers != 0;
  AddBlocks(used.requests, recipe.requests, "request", both, RequestWords, text);
  AddBlocks(used.offers, recipe.offers, "offer", both, OfferWords, text);
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
