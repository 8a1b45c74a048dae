// harness/choices/choice.h: what the specification leaves open, as one table.
//
// Two conforming libraries differ in most facts of an exchange: what they ask, when they release, whether they copy. A
// row of the table is one such choice: the rule that leaves it open, and the reading that an exchange shows, which is
// the library's observed choice. Everything else is a query:
// - whether a fact may differ from that of the reference run (Excuses);
// - whether a library left a reading that all other exchanges showed (Leaves);
// - what a library does about a question of rules/*.toml, for the authors of the next text (ReadingIn).
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

/// One exchange as it went on two libraries. Where there is no reference run, the subject stands for it.
struct Exchange {
  const Recipe& recipe;
  const Ledger& subject;
  const Ledger& reference;
  const Profile& profile;  // of the subject
};

inline constexpr int kNoReading = -1;
inline constexpr int kReadings = 4;

/// A function that says what one slot of an exchange shows: of the exchange and the slot, or of a view of both. A view
/// has a function In(exchange, slot), which returns nothing where there is nothing to see.
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

/// What the text leaves open, and its answers. A question that consumers and producers answer each in their way has two
/// rows.
struct Question {
  std::string_view number;                                // "A-23", as in rules/*.toml
  std::string_view text;                                  // what the text does not decide
  std::array<std::string_view, kReadings> readings = {};  // each without a subject: "clears it"
  Observer asked = {};  // 1 where the reading answers it; unset: wherever there is one
  /// A reading that may have another reason (a refusal): it counts where no other reading was ever shown.
  int weak = kNoReading;
  std::string_view unseen = {};  // why no exchange can show it; empty where one can
};

/// What users rely on if every plain exchange before the first case showed it. An exchange with the reading of the
/// reference is noted then. No such row depends on size, alignment, element type or layout in known libraries (strides
/// left out where they are compact), on what an adapter knows of an array (addresses), or on what one probe alone can
/// show (arrays without dimensions).
struct Habit {
  std::string_view fact;    // "importS.aliases": shows that it was left
  std::string_view wanted;  // that fact, as the library has it otherwise
  Observer plain = {};      // 1 where the exchange is plain enough
};

struct ChoiceDetails {
  Observer legal = {};        // 1 where the choice is open; unset: wherever there is a reading
  uint8_t accepted = 0b1110;  // readings, as bits, that explain a difference; 0 is that of the reference
  Habit habit = {};
  Question question = {};
};

struct Choice {
  std::string_view id;    // "clears-destructors"; empty for a question that explains no difference
  std::string_view rule;  // that leaves it open
  std::string_view what;  // one sentence without a subject
  /// Patterns of FactRow, separated by spaces: in these a library may differ. One that ends in * stands for what begins
  /// so.
  std::string_view facts;
  bool constant;     // of the library, and not of one exchange: granted where probes saw it beforehand
  Observer observe;  // the reading: 0 for that of the reference, an index into the question's readings
  ChoiceDetails more;

  /// The probes look for it.
  bool IsRemembered() const { return constant || more.habit.plain; }

  /// True when a difference in the slot is this choice of the library.
  bool Excuses(const Exchange& exchange, int slot) const;

  /// True when the slot could show the library's habit, and shows the reading of the reference.
  bool Leaves(const Exchange& exchange, int slot) const;

  /// The answer to the question, as an index; kNoReading where the exchange shows none.
  int ReadingIn(const Recipe& recipe, const Ledger& ledger, const Profile& profile) const;
};

consteval Choice May(std::string_view id, std::string_view rule, std::string_view what, std::string_view facts,
                     Observer observe, ChoiceDetails more = {}) {
  return {id, rule, what, facts, false, observe, more};
}
consteval Choice MayAlways(std::string_view id, std::string_view rule, std::string_view what, std::string_view facts,
                           Observer observe, ChoiceDetails more = {}) {
  return {id, rule, what, facts, true, observe, more};
}
/// The lists, in the order of Choices().
enum class ChoiceList : uint8_t { kQuestions, kImport, kExport };

struct RegisterChoices {
  RegisterChoices(ChoiceList list, std::span<const Choice> choices);
};

/// Of the choices that explain differences, whose number fits into a byte.
inline constexpr size_t kMostChoices = 128;

/// Every choice. Those that probes look for stand first: their index is a bit of ChoicesSeen. The questions that
/// explain no difference are last.
std::span<const Choice> Choices();

/// Indices of the choices that speak of a row of FactRows().
std::span<const uint8_t> ChoicesOf(int row);

/// The choices with a question, by number.
std::span<const Choice> Questions();

/// Adds what a plain exchange shows of the choices that probes look for to `seen`.
void Learn(const Exchange& exchange, ChoicesSeen& seen);

/// The row of the habit's fact in that slot.
int RowOf(const Habit& habit, int slot);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CHOICES_CHOICE_H_
