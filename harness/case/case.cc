// harness/case/case.cc: the catalogue of cases, and the functions that draw their recipes.
#include "harness/case/case.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "harness/case/entries.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/layout.h"
#include "harness/recipe/life.h"
#include "harness/recipe/together.h"

namespace dlpack_cts {
namespace {

std::vector<Case>& DeclaredCases() {
  static std::vector<Case> cases;
  return cases;
}

[[noreturn]] void BadCase(std::string_view id, const char* what) {
  std::fprintf(stderr, "dlpack-cts: the case \"%.*s\" %s\n", static_cast<int>(id.size()), id.data(), what);
  std::abort();
}

/// "suite/topic/what-holds": ids are typed, matched by globs, and made into file names.
bool IsPath(std::string_view id) {
  const auto plain = [](char c) {
    return std::islower(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c)) || c == '-' ||
           c == '.';
  };
  int names = 0;
  for (;; ++names) {
    const size_t end = id.find('/');
    const std::string_view name = id.substr(0, end);
    if (name.empty() || !std::all_of(name.begin(), name.end(), plain)) return false;
    if (end == std::string_view::npos) return names > 0;
    id.remove_prefix(end + 1);
  }
}

void Check(const Case& declared) {
  if (!IsPath(declared.id)) BadCase(declared.id, "has an invalid id: expected suite/topic/what-holds");
  if (declared.examples == Examples::kTable && declared.table < 1) BadCase(declared.id, "has a table without rows");
  if (declared.rules.empty()) BadCase(declared.id, "names no rule");
  if (declared.draw == nullptr) BadCase(declared.id, "has no draw function");
  if ((declared.judge == nullptr) != (declared.examples == Examples::kWhole))
    BadCase(declared.id, "needs either a judge function or Examples::kWhole");
  if (declared.on_refusal == OnRefusal::kWarn && declared.control == nullptr) {
    BadCase(declared.id, "has OnRefusal::kWarn but no control function");
  }
  const bool judges = declared.on_refusal == OnRefusal::kJudge;
  if (judges && declared.control == nullptr && declared.uncontrolled.empty()) {
    BadCase(declared.id, "has OnRefusal::kJudge, but neither a control nor the reason why it has none");
  }
  if (!declared.uncontrolled.empty() && (!judges || declared.control != nullptr)) {
    BadCase(declared.id, "gives a reason for a missing control, but has a control or does not need one");
  }
}

bool Has(uint64_t mask) { return mask != 0; }

constexpr uint32_t Bit(Layout layout) { return 1u << static_cast<uint32_t>(layout); }

int Nearest(const Limits& limits, int wanted) {
  for (int distance = 0; distance <= kWalkedDims; ++distance) {
    if (limits.Rank(wanted - distance)) return wanted - distance;
    if (limits.Rank(wanted + distance)) return wanted + distance;
  }
  return wanted;
}

/// The same imports, of bare capsules.
Sharing Bare(Sharing sharing) {
  switch (sharing) {
    case Sharing::kOneCapsule:
      return Sharing::kOneBare;
    case Sharing::kMany:
      return Sharing::kManyBare;
    case Sharing::kFar:
      return Sharing::kFarBare;
    case Sharing::kReexports:
      return Sharing::kReexportsBare;
    default:
      return sharing;
  }
}

}  // namespace

Limits Draw::limits() const {
  Limits limits;
  // A dtype that the library converts on import has other elements. Cases about dtypes judge it.
  limits.dtypes = profile.takes_dtypes & ~profile.narrows_dtypes;
  if (!Has(limits.dtypes)) limits.dtypes = profile.takes_dtypes;
  if (!Has(limits.dtypes)) limits.dtypes = profile.declared.element_types;
  limits.ranks = profile.takes_ranks;
  limits.layouts = profile.takes_layouts;
  limits.alignment_log2 = profile.takes_alignment_log2;
  limits.null_strides = profile.takes_null_strides;
  limits.legacy = profile.takes_legacy;
  limits.versioned = profile.takes_versioned;
  limits.strided = profile.takes_strided;
  limits.negative = profile.survives_negative;
  limits.empty = profile.takes_empty;
  limits.scalar = profile.takes_scalar;
  limits.offset = profile.takes_offset;
  limits.read_only = profile.takes_read_only;
  // A subject that imports neither kind is still offered both: the case then reports its refusals.
  if (!limits.legacy && !limits.versioned) limits.legacy = limits.versioned = true;
  return limits;
}

Recipe Draw::Import(Tier tier) { return Import(limits(), tier); }

Recipe Draw::Import(const Limits& limits, Tier tier) {
  Recipe recipe = DrawImport(random, index, tier, limits);
  if (tier == Tier::kLegal) FitTensor(profile, recipe.offer());
  return recipe;
}

Recipe Draw::ImportOf(StructKind kind) {
  Limits one = limits();
  one.legacy = kind == StructKind::kLegacy;
  one.versioned = !one.legacy;
  return Import(one);
}

Recipe Draw::ImportOfAnySize() {
  Limits any = limits();
  any.deepest = profile.takes_deepest;
  any.large = true;
  Recipe recipe = Import(any);
  SometimesCopy(recipe);
  return recipe;
}

Limits Draw::made() const {
  Limits limits;
  limits.dtypes = Has(profile.makes_dtypes) ? profile.makes_dtypes : profile.declared.element_types;
  limits.ranks = profile.makes_ranks;
  limits.layouts = profile.makes_layouts;
  limits.strided = !Has(limits.layouts) || limits.layouts != Bit(Layout::kCompact);
  limits.scalar = !Has(limits.ranks) || (limits.ranks & 1u) != 0;
  limits.empty = profile.makes_empty;
  limits.offset = profile.makes_offset;
  limits.read_only = profile.makes_read_only && !profile.Says(Trait::kImmutable);
  limits.legacy = profile.makes_legacy;
  limits.versioned = profile.makes_versioned;
  if (!limits.legacy && !limits.versioned) limits.legacy = limits.versioned = true;
  return limits;
}

Limits Draw::both() const {
  const auto common = [](auto a, auto b) { return a == 0 || (b != 0 && (a & b) == 0) ? b : b == 0 ? a : a & b; };
  const Limits taken = limits();
  Limits both = made();
  both.dtypes = common(both.dtypes, taken.dtypes);
  both.ranks = common(both.ranks, taken.ranks);
  both.layouts = common(both.layouts, taken.layouts);
  both.strided = both.strided && taken.strided;
  both.scalar = both.scalar && taken.scalar;
  both.empty = both.empty && taken.empty;
  return both;
}

Recipe Draw::Export(Tier tier) { return Export(made(), tier); }

Recipe Draw::Export(const Limits& limits, Tier tier) {
  Recipe recipe = DrawExport(random, index, tier, limits);
  // A library without offsets and without strided layouts has no views.
  if (!limits.offset && !limits.strided) recipe.request().making = Making::kFresh;
  if (profile.takes_keywords == 0 && tier == Tier::kLegal) recipe.call() = Call{};
  return recipe;
}

int Draw::Rank(int wanted) const {
  // Whoever asks for a rank gives the tensor strides. A rank that needs NULL strides is the last choice.
  Limits strided = limits();
  const uint32_t ranks = strided.ranks & ~profile.null_ranks;
  if (Has(ranks)) strided.ranks = ranks;
  return Nearest(strided, wanted);
}
int Draw::MadeRank(int wanted) const { return Nearest(made(), wanted); }

StructKind Draw::TakenKind() {
  const bool versioned = profile.takes_versioned != 0 && (Pick(2) == 0 || profile.takes_legacy == 0);
  return versioned ? StructKind::kVersioned : StructKind::kLegacy;
}

StructKind Draw::NewestTakenKind() const {
  return profile.takes_versioned != 0 ? StructKind::kVersioned : StructKind::kLegacy;
}

Recipe Draw::PlainImport(StructKind kind) const {
  Recipe recipe = dlpack_cts::PlainImport(kind);
  if (kind == StructKind::kVersioned) recipe.offer().minor = profile.plain_minor;
  SetPlainShape(profile.plain_rank, recipe.offer().shape);
  recipe.offer().dims = profile.plain_rank;
  recipe.offer().ndim = profile.plain_rank;
  recipe.offer().dtype = DataTypes()[profile.plain_dtype].dtype;
  return recipe;
}

Request Draw::PlainRequest() const {
  Request request = MakeRecipe(RecipeKind::kExport).request();
  SetPlainShape(profile.made_rank, request.shape);
  request.dims = profile.made_rank;
  request.strides_kind = StridesKind::kCompact;
  request.dtype = DataTypes()[profile.made_dtype].dtype;
  request.read_only = profile.made_read_only;
  return request;
}

Call Draw::PlainCall() const {
  Call call{};
  if (profile.makes_legacy == 0 && profile.makes_versioned != 0) call.max_version = kNewestVersion;
  return call;
}

Recipe Draw::ExportOf(StructKind kind) {
  Recipe recipe = Export();
  recipe.call() = Call{};
  if (kind == StructKind::kVersioned) recipe.call().max_version = kNewestVersion;
  return recipe;
}

Recipe Draw::ExportOfAnySize() {
  Limits any = made();
  any.deepest = profile.makes_deepest;
  any.large = true;
  Recipe recipe = Export(any);
  SometimesCopy(recipe);
  return recipe;
}

void Draw::SometimesCopy(Recipe& recipe) const {
  constexpr uint64_t kEvery = 4;
  const bool import = recipe.kind == RecipeKind::kImport;
  const uint64_t number = (import ? recipe.offer().seed : recipe.request().seed) >> 32;  // the seed is random
  const bool may = import ? profile.Claims(Claim::kCopyKeyword) : profile.takes_keywords != 0;
  if (!may || number % kEvery != 0) return;
  recipe.call().copy.kind = ArgumentKind::kTrue;
  // The producer ignores the keyword, or does not know it.
  constexpr Reply kReplies[] = {Reply::kIgnores, Reply::kTypeError};
  if (import && recipe.offer().keywords.copy != Reply::kTypeError) {
    recipe.offer().keywords.copy = kReplies[number / kEvery % std::size(kReplies)];
  }
}

Recipe Draw::ExportOrCopy() {
  Recipe recipe = Export();
  if (profile.takes_keywords != 0 && random.OneIn(4)) recipe.call().copy.kind = ArgumentKind::kTrue;
  return recipe;
}

Recipe Draw::ExportLazy() {
  Recipe recipe = Export();
  MakeOdd(recipe.request(), index % 2 == 0 ? Oddity::kConjugate : Oddity::kNegated);
  recipe.request().dtype = {abi::kDLComplex, static_cast<uint8_t>(Pick(4) < 2 ? 64 : 128), 1};
  return recipe;
}

abi::DLDataType Draw::SubByteType() {
  const auto types = SubByteTypes();
  const auto first = static_cast<size_t>(Pick(static_cast<int>(types.size())));
  for (size_t i = 0; i < types.size(); ++i) {
    const size_t row = (first + i) % types.size();
    const size_t bit = WholeByteTypes().size() + row;
    if (((profile.makes_dtypes >> bit) & 1u) != 0) return types[row].dtype;
  }
  return types[first].dtype;
}

void Draw::Dwarf(Offer& offer, int how) const {
  const Limits taken = limits();
  if (how == 1 && taken.Rank(0)) offer.dims = 0;
  const bool changes = how == 1 ? offer.dims == 0 : offer.dims > 0 && (how == 3 || (how == 2 && taken.empty));
  if (!changes) return;
  offer.ndim = offer.dims;
  offer.strides_kind = StridesKind::kCompact;
  std::fill_n(offer.shape, kDims, 0);
  std::fill_n(offer.strides, kDims, 0);
  std::fill_n(offer.shape, offer.dims, 1);
  if (how == 2) offer.shape[0] = 0;
}

Recipe Draw::ExportOften(bool unused) {
  constexpr int64_t kBytes = 16384;
  Recipe recipe = ExportOrCopy();
  if (index % 4 == 3 && MadeRank(1) == 1) {
    Request& request = recipe.request();
    request = PlainRequest();
    request.dims = 1;
    request.shape[0] = kBytes / ItemSize(request.dtype);
  }
  SetLife(recipe, {Op::kMake, Op::kExport});
  if (!unused) AddStep(recipe, Op::kTakeCapsule);
  AddStep(recipe, Op::kDropSource);
  if (!unused) AddStep(recipe, Op::kDelete);
  AddStep(recipe, {.op = Op::kExportOften, .argument = unused ? 1 : 0});
  return recipe;
}

Recipe Releasable(Recipe recipe) {
  recipe.offer().deleter = DeleterKind::kCounting;
  recipe.offer().destructor = DestructorKind::kReleases;
  return recipe;
}

DrawFunction Changed(DrawFunction draw, std::function<void(Draw& draw, Recipe& recipe)> change) {
  return [draw = std::move(draw), change = std::move(change)](Draw& drawn) {
    Recipe recipe = draw(drawn);
    change(drawn, recipe);
    return recipe;
  };
}

DrawFunction Changed(DrawFunction draw, std::function<void(Recipe& recipe)> change) {
  return Changed(std::move(draw), [change = std::move(change)](Draw&, Recipe& recipe) { change(recipe); });
}

DrawFunction WithLife(DrawFunction draw, std::initializer_list<Op> operations) {
  return Changed(std::move(draw), [life = std::vector<Op>(operations)](Recipe& recipe) {
    recipe.used.steps = 0;
    for (const Op op : life) AddStep(recipe, op);
  });
}

DrawFunction WithLife(DrawFunction draw, std::initializer_list<Step> steps) {
  return Changed(std::move(draw),
                 [life = std::vector<Step>(steps)](Recipe& recipe) { SetLife(recipe, std::span(life)); });
}

void PutOn(Offer& offer, abi::DLDevice device, Placement place) {
  offer.device = offer.reported_device = device;
  offer.placement = place;
}

void MakeOdd(Request& request, Oddity oddity) {
  request.oddity = oddity;
  request.strides_kind = StridesKind::kCompact;
  request.read_only = 0;
}

void MakeWhole(Request& request) {
  request.making = Making::kFresh;
  request.strides_kind = StridesKind::kCompact;
  request.offset = 0;
}

void FollowWays(const Profile& profile, Recipe& recipe) {
  KeepExtents(profile.declared, recipe);
  KeepTensors(profile, recipe);
  // A library may import objects only because of their exchange table.
  const bool tabled = recipe.table.attribute != TableAttribute::kNone;
  const bool versioned = recipe.offer().kind == StructKind::kVersioned;
  const bool bare = profile.Says(Trait::kCapsulesOnly) ||
                    (!tabled && (versioned ? profile.bare_versioned : profile.bare_legacy) != 0);
  if (profile.looks_for_tables == 0) ImportByTable(profile, recipe);
  uint8_t kept = 0;
  bool held[kSlots] = {};  // a borrowing array of the slot is alive
  for (Step step : recipe.life()) {
    if (step.op == Op::kImport && bare) step.op = Op::kImportCapsule;
    if (step.op == Op::kImportTogether && bare)
      step.argument = static_cast<int32_t>(Bare(static_cast<Sharing>(step.argument)));
    bool& holds = held[step.slot % kSlots];
    if (ImportsOffer(step.op)) holds = profile.Says(Trait::kBorrows);
    if (step.op == Op::kDropArray) holds = false;
    if (holds && (step.op == Op::kDropProducer || step.op == Op::kDropCapsule)) continue;
    recipe.steps[kept++] = step;
  }
  std::fill(recipe.steps + kept, recipe.steps + recipe.used.steps, Step{});
  recipe.used.steps = kept;
  for (int block = 0; profile.made_read_only != 0 && block < recipe.used.requests; ++block) {
    recipe.request(block).read_only = 1;
  }
  PlaceOffers(profile, recipe);
}

void Register(Case declared) {
  Check(declared);
  DeclaredCases().push_back(std::move(declared));
}

const std::vector<Case>& Catalogue() {
  static const std::vector<Case>& sorted = []() -> const std::vector<Case>& {
    std::vector<Case>& cases = DeclaredCases();
    std::sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) { return a.id < b.id; });
    for (size_t i = 1; i < cases.size(); ++i) {
      if (cases[i].id == cases[i - 1].id) BadCase(cases[i].id, "is declared twice");
    }
    return cases;
  }();
  return sorted;
}

const Case* FindCase(std::string_view id) {
  const std::vector<Case>& cases = Catalogue();
  const auto found = std::lower_bound(cases.begin(), cases.end(), id,
                                      [](const Case& a, std::string_view wanted) { return a.id < wanted; });
  return found != cases.end() && found->id == id ? &*found : nullptr;
}

std::string_view SuiteOf(std::string_view id) { return id.substr(0, id.rfind('/')); }

}  // namespace dlpack_cts
