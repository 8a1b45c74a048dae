// harness/case/case.h: declaring a case, as data.
//
// A case is a value: its id, its rules, how to draw a recipe, and how to judge the ledger of a run. It never runs the
// exchange itself. The worker does, in a process that may crash. So every case can be replayed from its recipe alone.
#ifndef DLPACK_CTS_HARNESS_CASE_CASE_H_
#define DLPACK_CTS_HARNESS_CASE_CASE_H_

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "base/terms.h"
#include "harness/case/judgement.h"
#include "harness/case/profile.h"
#include "harness/case/tensor_ways.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// What it means that the library refuses the drawn recipe with an exception.
enum class OnRefusal : uint8_t {
  kSkip,   // allowed; SKIP with the text of the exception when every example was refused
  kWarn,   // a violation of the case's first rule, WARN at most, when the control was not refused
  kPass,   // a refusal is one of the right answers
  kJudge,  // the case's judge looks at the refusal itself; needs a control, or the reason why it has none
};

/// How many recipes one run of the case draws.
enum class Examples : uint8_t {
  kProperty,  // --examples of them (default 100), minimised on failure
  kSweep,     // three times as many, for defects that show only in rare combinations
  kWhole,     // --sweep of them: harness/compare/ compares the whole ledger with the reference run, without `judge`
  kTable,     // `table` of them, one per row: draw reads Draw::index
};

/// What the draw function of a case may use.
struct Draw {
  Random random;
  int index;  // of the example; the row of a table
  const Profile& profile;

  /// One of `count` variants. It is not a remainder of the index: dtype, rank and kind walk with the index, and would
  /// always meet the same variants.
  int Pick(int count) { return static_cast<int>(random.Below(static_cast<uint64_t>(count))); }

  /// What the subject imports, and what it makes and exports, according to its profile.
  Limits limits() const;
  Limits made() const;
  /// What the producer of a pair makes and its consumer imports.
  Limits both() const;
  /// The number of dimensions nearest to `wanted` that the subject imports, or makes.
  int Rank(int wanted) const;
  int MadeRank(int wanted) const;
  /// A kind of struct that the subject imports: either one of several, or the newest.
  StructKind TakenKind();
  StructKind NewestTakenKind() const;
  /// The simplest import and the simplest request that worked in the probes.
  Recipe PlainImport(StructKind kind) const;
  Request PlainRequest() const;
  /// The simplest call that returns a capsule: without keywords, or with max_version=(1, 3) where the subject exports
  /// versioned structs only.
  Call PlainCall() const;
  /// A recipe of the legal tier within the limits. Kind of struct, dtype, rank and layout walk with `index`.
  Recipe Import(Tier tier = Tier::kLegal);
  Recipe Export(Tier tier = Tier::kLegal);
  /// As Import, narrowed. A __dlpack__ that accepts no keywords gets no keywords.
  Recipe Import(const Limits& limits, Tier tier = Tier::kLegal);
  Recipe Export(const Limits& limits, Tier tier = Tier::kLegal);
  /// In that kind of struct, whether the subject imports it or not.
  Recipe ImportOf(StructKind kind);
  /// Requests that kind of struct, with no keyword other than max_version.
  Recipe ExportOf(StructKind kind);
  /// Sometimes with more dimensions, or more data, than Import() and Export() draw, where the subject supports them,
  /// and sometimes as a copy. For judges that do not look at a refusal. Large data costs milliseconds.
  Recipe ImportOfAnySize();
  Recipe ExportOfAnySize();
  /// Changes every fourth recipe, by its seed, into a request for a copy: copy=True of __dlpack__, or of from_dlpack
  /// if the library claims that keyword. For judges that do not care where the elements are.
  void SometimesCopy(Recipe& recipe) const;
  /// Every fourth one requests a copy, where the library's __dlpack__ accepts keywords. For judges that do not care
  /// where the exported memory is.
  Recipe ExportOrCopy();
  /// Makes the offer a scalar (1), an empty tensor (2) or one of one element (3), if the subject imports such a tensor.
  /// A wrong field of a tensor is wrong however few elements it has.
  void Dwarf(Offer& offer, int how) const;
  /// An array of lazily conjugated or negated complex numbers, whichever the index selects.
  Recipe ExportLazy();
  /// A sub-byte type: one that the library makes, if it makes any.
  abi::DLDataType SubByteType();
  /// As ExportOrCopy, or with some pages of memory, with the life of Op::kExportOften: each export is deleted, or its
  /// capsule is destroyed `unused`.
  Recipe ExportOften(bool unused);
};

using DrawFunction = std::function<Recipe(Draw& draw)>;

struct Case {
  std::string_view id;                       // "c-abi/strides/null-means-row-major"
  std::vector<std::string_view> rules = {};  // the first is the one that an unspecific violation counts for
  Role role = Role::kConsumer;
  Examples examples = Examples::kProperty;
  int table = 1;  // rows, for Examples::kTable
  OnRefusal on_refusal = OnRefusal::kSkip;
  bool hostile = false;           // invalid input: lives in robustness/, counted apart
  std::vector<Claim> needs = {};  // claims without which the case is SKIP
  bool seldom = false;            // few examples are conclusive, and these few decide
  bool pair = false;              // runs in pair jobs only (interop), and no other case does
  bool python = false;            // needs the Python protocol; SKIP for native subjects
  /// NULL, or why the profile does not allow the case: a text makes the case BLOCKED, "" allows it.
  std::string_view (*blocked)(const Profile& profile) = nullptr;
  DrawFunction draw = nullptr;
  /// Removes the one trigger that the case is about. When the control is refused too, the refusal says nothing about
  /// the trigger. Needed for OnRefusal::kWarn, and for kJudge unless `uncontrolled` says why not.
  void (*control)(const Profile& profile, Recipe& recipe) = nullptr;
  /// Why a refusal cannot have another reason than the one that the judge reports (harness/case/controls.h).
  std::string_view uncontrolled = {};
  /// Judges one finished example; NULL only for Examples::kWhole. It must judge every ledger: a ledger without a
  /// judgement is a failure of the harness.
  Judge judge = nullptr;
};

/// The recipe with a tensor whose deleter is called by its capsule if the capsule is not consumed.
Recipe Releasable(Recipe recipe);

/// Draws with that function, and changes the recipe.
DrawFunction Changed(DrawFunction draw, std::function<void(Recipe& recipe)> change);
DrawFunction Changed(DrawFunction draw, std::function<void(Draw& draw, Recipe& recipe)> change);

/// Draws with that function, and sets this life.
DrawFunction WithLife(DrawFunction draw, std::initializer_list<Op> operations);
DrawFunction WithLife(DrawFunction draw, std::initializer_list<Step> steps);

/// Puts the data on that device, in the struct and in the answer of __dlpack_device__; `place` is not host memory.
void PutOn(Offer& offer, abi::DLDevice device, Placement place);

/// Devices whose memory no CPU build can reach.
inline constexpr int32_t kForeignDevices[] = {abi::kDLMetal,  abi::kDLVulkan,  abi::kDLOpenCL, abi::kDLVPI,
                                              abi::kDLWebGPU, abi::kDLHexagon, abi::kDLMAIA,   abi::kDLTrn};

/// One of them, which is not where the library has its own arrays.
int32_t ForeignDevice(const Profile& profile, int index);

/// Makes it an unusual array, compact and writable.
void MakeOdd(Request& request, Oddity oddity);
/// Makes it a whole array, which no view is.
void MakeWhole(Request& request);

/// Adapts a drawn recipe to the subject. Capsules are bare where the subject does not import objects. A producer or
/// capsule that an imported array borrows from lives as long as the array. Arrays are read-only where the subject makes
/// no other arrays.
void FollowWays(const Profile& profile, Recipe& recipe);

/// For a consumer of CUDA memory. One that refuses host memory gets every valid tensor in device memory. No tensor
/// declares another kind of memory than it has.
void PlaceOffers(const Profile& profile, Recipe& recipe);
/// Puts one recipe in four, by its seed, into device memory, for a consumer of both.
void SometimesOnDevice(const Profile& profile, Recipe& recipe);

// What the cases of a table have in common, which they do not repeat.
inline Case OfConsumer(Case made) { return made; }
inline Case OfProducer(Case made) {
  made.role = Role::kProducer;
  return made;
}
inline Case OfPythonConsumer(Case made) {
  made.python = true;
  return made;
}
inline Case OfPythonProducer(Case made) { return OfPythonConsumer(OfProducer(std::move(made))); }
inline Case OfPythonExchange(Case made) {
  made.role = Role::kExchange;
  return OfPythonConsumer(std::move(made));
}

/// Adds a case to the catalogue.
void Register(Case declared);

/// Adds cases, each as `kOf` completes it, to the catalogue when the program starts:
///
///     const RegisterCases<OfConsumer> kCases = {
///         // C-STRIDES-03: A consumer reads NULL strides of a <1.2 or legacy tensor as compact row-major.
///         {.id = "c-abi/strides/null-means-row-major",
///          .rules = {"C-STRIDES-03"},
///          .draw = [](Draw& draw) { ... return recipe; },
///          .judge = [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) { ... }},
///     };
template <Case (*kOf)(Case)>
struct RegisterCases {
  RegisterCases(std::initializer_list<Case> cases) {
    for (const Case& declared : cases) Register(kOf(declared));
  }
};

/// All registered cases in catalogue order (by id). Aborts with the id when one is declared twice or lacks a field.
const std::vector<Case>& Catalogue();
const Case* FindCase(std::string_view id);

/// "c-abi/strides": the part of the id before the last slash.
std::string_view SuiteOf(std::string_view id);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_CASE_H_
