// harness/case/case.h: declaring a case, as data.
//
// A case is a value: its id, its rules, how to draw a recipe, and how to judge the ledger of a run. It never runs the
// exchange itself; the worker does, in a process that may die. So every case is replayable from its recipe alone.
#ifndef DLPACK_CTS_HARNESS_CASE_CASE_H_
#define DLPACK_CTS_HARNESS_CASE_CASE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/case/judgement.h"
#include "harness/case/profile.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

enum class Role : uint8_t { kConsumer, kProducer, kExchange };

/// What a polite refusal of the drawn recipe means.
enum class OnRefusal : uint8_t {
  kSkip,   // fine; SKIP with what was said when every example was refused
  kWarn,   // a breach of the case's first rule, WARN at most, when the control was not refused
  kPass,   // refusing is one of the right answers
  kJudge,  // the case's judge looks at the refusal itself
};

/// How many recipes one run of the case draws.
enum class Examples : uint8_t {
  kProperty,  // --examples of them (default 100), through rapidcheck, shrunk on failure
  kSweep,     // ten times as many, for defects that show only in rare combinations
  kWhole,  // --sweep of them, each beside the reference: the whole ledger is judged, by harness/judge/, and no `judge`
  kTable,  // `table` of them, one per row: draw reads Draw::index
};

/// What a draw may look at.
struct Draw {
  Random random;
  int index;  // of the example; the row of a table
  const Profile& profile;

  /// One of `count` variants. Not a remainder of the index: dtype, rank and kind walk with that, and would meet the
  /// same variants again and again.
  int Pick(int count) { return static_cast<int>(random.Below(static_cast<uint64_t>(count))); }

  /// What the subject imports, and what it makes and exports, as its profile has it.
  Limits limits() const;
  Limits made() const;
  /// What one makes and the other one imports, where two are a pair.
  Limits both() const;
  /// The number of dimensions nearest to `wanted` that it imports; that it makes.
  int Rank(int wanted) const;
  int MadeRank(int wanted) const;
  /// The plainest import and the plainest request that the probes found it to take and to make.
  Recipe PlainImport(StructKind kind) const;
  Request PlainRequest() const;
  /// Asks for a capsule in the plainest way that is answered: without keywords, or with max_version=(1, 3) where only
  /// versioned structs are given.
  Call PlainCall() const;
  /// A recipe of the legal tier within the limits; kind of struct, dtype, rank and layout walk with `index`.
  Recipe Import(Tier tier = Tier::kLegal);
  Recipe Export(Tier tier = Tier::kLegal);
  /// As Import, narrowed. No keyword is passed to a __dlpack__ that knows none.
  Recipe Import(const Limits& limits, Tier tier = Tier::kLegal);
  Recipe Export(const Limits& limits, Tier tier = Tier::kLegal);
  /// In that kind of struct, whether the subject takes it or not.
  Recipe ImportOf(StructKind kind);
  /// Asked for that kind of struct, with no other keyword than that takes.
  Recipe ExportOf(StructKind kind);
  /// Now and then of more dimensions, or of more data, than Import() and Export() draw, where the subject has them. For
  /// judges that do not look at a refusal. Large data costs milliseconds.
  Recipe ImportOfAnySize();
  Recipe ExportOfAnySize();
  /// Every fourth one asks for a copy, where the library's __dlpack__ knows keywords. For judges that do not care where
  /// the exported memory lies.
  Recipe ExportOrCopy();
  /// Makes the offer a scalar (1), an empty tensor (2) or one of one element (3), as far as the subject takes such;
  /// leaves it alone otherwise. What is wrong of a tensor is wrong however few elements it has.
  void Dwarf(Offer& offer, int how) const;
  /// A type of less than a byte: one that the library makes, where it makes any.
  abi::DLDataType SubByteType();
  /// As ExportOrCopy, or of some pages of memory, with the life of Op::kExportOften: each export is deleted, or its
  /// capsule dies `unused`.
  Recipe ExportOften(bool unused);
};

struct Case {
  std::string_view id;                  // "c-abi/strides/null-means-row-major"
  std::vector<std::string_view> rules;  // the first is the one that an unspecific breach counts for
  Role role = Role::kConsumer;
  Examples examples = Examples::kProperty;
  int table = 1;  // rows, for Examples::kTable
  OnRefusal on_refusal = OnRefusal::kSkip;
  bool hostile = false;           // lives in robustness/, counted apart
  std::vector<Claim> needs = {};  // claims without which the case is SKIP
  bool seldom = false;            // few examples of it show anything, and these few decide
  bool pair = false;              // runs in pair jobs only (interop), and no other case does
  bool python = false;            // needs the Python protocol; SKIP for native subjects
  /// NULL, or tells why the profile does not allow the case: a text, which makes it BLOCKED; "" when it does.
  std::string_view (*blocked)(const Profile& profile) = nullptr;
  Recipe (*draw)(Draw& draw) = nullptr;
  /// Removes the one peculiarity that the case is about. When the peculiar recipe is refused and the control too, the
  /// refusal says nothing about the peculiarity. Needed for OnRefusal::kWarn.
  void (*control)(Recipe& recipe) = nullptr;
  /// Judges one finished example; NULL for Examples::kWhole alone. Has to look at it: a ledger that nobody judged is a
  /// failure of the harness.
  void (*judge)(const Recipe& recipe, const Ledger& ledger, Judgement& judgement) = nullptr;
};

/// Gives the tensor a deleter that its capsule calls where nobody took it over.
void MakeReleasable(Recipe& recipe);

/// Changes a drawn recipe to the subject's ways: capsules are handed out bare where objects are not taken, what an
/// imported array borrows from stays as long as the array, and arrays are asked for read-only where there are no
/// others.
void FollowWays(const Profile& profile, Recipe& recipe);

/// Adds a case to the catalogue when the program starts:
///
///     // C-STRIDES-03: A consumer reads NULL strides of a <1.2 or legacy tensor as compact row-major.
///     const Register kNullMeansRowMajor{{
///         .id = "c-abi/strides/null-means-row-major",
///         .rules = {"C-STRIDES-03"},
///         .draw = [](Draw& draw) { ... return recipe; },
///         .judge = [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) { ... },
///     }};
struct Register {
  explicit Register(Case declared);
};

/// All registered cases in catalogue order (by id). Aborts with the id when one is declared twice or lacks a field.
const std::vector<Case>& Catalogue();
const Case* FindCase(std::string_view id);

/// "null-means-row-major" -> "NullMeansRowMajor": the GoogleTest name of a case.
std::string TestName(std::string_view id);
/// "c-abi/strides": the part of the id before the last slash.
std::string_view SuiteOf(std::string_view id);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_CASE_H_
