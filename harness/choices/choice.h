// harness/choices/choice.h: what the specification leaves open, as one table.
//
// Two conforming libraries differ in most facts of an exchange: the arguments that they pass, when they release,
// whether they copy. A row of the table is one such choice. It has the rule that leaves it open, and the reading (the
// observed choice) that an exchange shows. Queries on the table:
// - Excuses: whether a fact may differ from that of the reference run.
// - Leaves: whether a library made another choice than in all other exchanges.
// - ReadingIn: the answer of a library to a question of rules/*.toml, for the authors of the specification.
// The rows are in choices_*.cc.
#ifndef DLPACK_CTS_HARNESS_CHOICES_CHOICE_H_
#define DLPACK_CTS_HARNESS_CHOICES_CHOICE_H_

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "harness/case/profile.h"
#include "harness/ledger/fact_table.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// One exchange with its ledgers on the library and on the reference. Without a reference run, `reference` is the
/// subject's ledger too.
struct Exchange {
  const Recipe& recipe;
  const Ledger& subject;
  const Ledger& reference;
  const Profile& profile;  // of the subject
};

inline constexpr int kNoReading = -1;
inline constexpr int kReadings = 4;

/// A function that returns what one slot of an exchange shows. It takes the exchange and the slot, or a view of both. A
/// view has a function In(exchange, slot), which returns an empty value if the slot shows nothing.
class Observer {
 public:
  constexpr Observer() = default;
  template <typename Function>
  // NOLINTNEXTLINE(google-explicit-constructor): a row of a table is written with functions.
  constexpr Observer(Function /*function*/) : read_(&Read<Function>) {}

  explicit constexpr operator bool() const { return read_ != nullptr; }
  int operator()(const Exchange& exchange, int slot) const { return read_(exchange, slot); }

 private:
  template <typename Function, typename Result, typename View>
  static View ViewOf(Result (Function::*)(const View&) const);

  template <typename Function>
  static int Read(const Exchange& exchange, int slot) {
    if constexpr (std::is_invocable_v<Function, const Exchange&, int>) {
      return Function{}(exchange, slot);
    } else {
      const auto view = decltype(ViewOf(&Function::operator()))::In(exchange, slot);
      return view ? static_cast<int>(Function{}(*view)) : kNoReading;
    }
  }

  int (*read_)(const Exchange& exchange, int slot) = nullptr;
};

/// A question that the specification does not answer, and the possible answers. If consumers and producers answer it
/// differently, it has two rows.
struct Question {
  std::string_view number;                                // "A-23", as in rules/*.toml
  std::string_view text;                                  // what the specification does not decide
  std::array<std::string_view, kReadings> readings = {};  // each without a subject: "clears it"
  Observer asked = {};  // 1 if the reading answers the question; unset: always, if there is a reading
  /// A reading that may have another reason (a refusal). It counts only if the library never showed another reading.
  int weak = kNoReading;
  std::string_view unseen = {};  // why no exchange can show it; empty if one can
};

/// A choice that users rely on, if every plain exchange before the first case showed it. Then an exchange with the
/// reading of the reference is a NOTE. In known libraries no such row depends on size, alignment, dtype or layout
/// (strides that are NULL for compact tensors), on what an adapter knows about an array (addresses), or on what only
/// one probe shows (arrays without dimensions).
struct Habit {
  std::string_view fact;    // the fact that shows that the library made another choice: "importS.aliases"
  std::string_view wanted;  // the value of that fact in the library's other exchanges
  Observer plain = {};      // 1 if the exchange is plain enough
};

struct ChoiceDetails {
  Observer legal = {};        // 1 if the choice is open here; unset: always, if there is a reading
  uint8_t accepted = 0b1110;  // readings, one bit each, that explain a difference; 0 is the reading of the reference
  Habit habit = {};
  Question question = {};
};

struct Choice {
  std::string_view id;    // "clears-destructors"; empty for a question that explains no difference
  std::string_view rule;  // the rule that leaves it open
  std::string_view what;  // one sentence without a subject
  /// Patterns of FactRow, separated by spaces: the facts that may differ. A pattern that ends in * matches every fact
  /// that begins with it.
  std::string_view facts;
  bool constant;     // of the library, and not of one exchange: it counts only if the probes saw it before
  Observer observe;  // the reading: 0 for that of the reference, else an index into the question's readings
  ChoiceDetails more;

  /// Whether the probes look for it.
  bool IsRemembered() const { return constant || more.habit.plain; }

  /// Whether this choice of the library explains a difference in the slot.
  bool Excuses(const Exchange& exchange, int slot) const;

  /// Whether the slot could show the library's habit, but shows the reading of the reference.
  bool Leaves(const Exchange& exchange, int slot) const;

  /// The answer to the question, as an index. kNoReading if the exchange shows none. `slot`: of the recipe's
  /// ExchangeStep(), or 0.
  int ReadingIn(const Exchange& exchange, int slot) const;
};

consteval Choice May(std::string_view id, std::string_view rule, std::string_view what, std::string_view facts,
                     Observer observe, ChoiceDetails more = {}) {
  return {id, rule, what, facts, false, observe, more};
}
consteval Choice MayAlways(std::string_view id, std::string_view rule, std::string_view what, std::string_view facts,
                           Observer observe, ChoiceDetails more = {}) {
  return {id, rule, what, facts, true, observe, more};
}
/// The files with rows, in the order of Choices().
enum class ChoiceList : uint8_t { kQuestions, kImport, kExport };

struct RegisterChoices {
  RegisterChoices(ChoiceList list, std::span<const Choice> choices);
};

/// The number of a choice that explains differences fits into a byte.
inline constexpr size_t kMostChoices = 128;

/// Every choice. Those that probes look for come first: their index is a bit of ChoicesSeen. The questions that explain
/// no difference come last.
std::span<const Choice> Choices();

/// Indices of the choices that name this row of FactRows().
std::span<const uint8_t> ChoicesOf(int row);

/// The choices with a question, ordered by number.
std::span<const Choice> Questions();

/// Adds to `seen` what a plain exchange shows about the choices that probes look for.
void Learn(const Exchange& exchange, ChoicesSeen& seen);

/// The row of the habit's fact in that slot.
int RowOf(const Habit& habit, int slot);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CHOICES_CHOICE_H_
