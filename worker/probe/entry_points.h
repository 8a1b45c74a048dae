// worker/probe/entry_points.h: the ways into and out of a library, and the simplest exchange of each.
#ifndef DLPACK_CTS_WORKER_PROBE_ENTRY_POINTS_H_
#define DLPACK_CTS_WORKER_PROBE_ENTRY_POINTS_H_

#include <cstdint>
#include <map>
#include <span>
#include <string_view>

#include "worker/probe/exchanges.h"
#include "worker/probe/limit_changes.h"

namespace dlpack_cts::worker {

enum class Entry : uint8_t {
  kObject,   // an object with the two methods
  kCapsule,  // a bare capsule
  kExport,
  kTableImport,
  kTableExport,
  kTableView,
  kTableAllocate,
  kPair
};

struct EntryPoint {
  Entry entry;
  std::string_view id;
  Side side;
  std::string_view refuses;              // what it does instead of accepting the exchange; the words of a change follow
  std::string_view refuses_copies = "";  // the same of a copy, where the entry point has the keyword
  std::string_view native_refuses = "";  // the same as `refuses` of a plug-in, where plug-ins have the entry point
};

std::span<const EntryPoint> AllEntryPoints();

/// A refusal that the library meant. Others are reported by cases.
inline bool IsRefusal(const Refusal& answer) {
  return answer.outcome == Outcome::kRefused && answer.ends_programs == 0 && answer.stumbled == 0;
}

class EntryPoints : public Exchanges {
 public:
  using Exchanges::Exchanges;

 protected:
  /// Whether the library accepts the simplest exchange by this entry point.
  bool IsOpen(Entry entry);

  /// Of a pair, only what one library makes and the other imports: each library's own run asks the rest.
  bool IsTried(Entry entry) const;

  /// The simplest exchange of that kind.
  Recipe Simple(Entry entry) const;

  /// Whether copy=True is accepted with the simplest tensor or array.
  bool Copies(Entry entry);

  /// Runs it through this entry point. A bare capsule, or an object, whatever else the library prefers.
  const Refusal& Through(Entry entry, Recipe recipe);

  bool Accepts(Entry entry, const Recipe& recipe) { return Through(entry, recipe).outcome == Outcome::kAccepted; }

  static bool IsOfPair(Entry entry) { return entry == Entry::kPair; }

  /// Whether the producer of a pair exports such arrays, so that it is the consumer that refuses them.
  bool IsExported(const Change& change);

  /// The functions of the exchange table have none. A bare capsule is all that an old from_dlpack function takes.
  static bool HasKeywords(Entry entry) { return entry == Entry::kObject || entry == Entry::kExport; }

  /// ChangeOffer() for imports, ChangeRequest() for exports. False if the exchange cannot have the value.
  bool Apply(Side side, const Change& change, Recipe& recipe, Recipe& control) const {
    return side == Side::kImport ? ChangeOffer(change, profile_, recipe, control)
                                 : ChangeRequest(change, profile_, recipe, control);
  }

  /// Whether the simpler entry point accepts it.
  bool IsOfThisEntry(Entry entry, const Change& change);

 private:
  std::map<Entry, bool> open_;
  std::map<Entry, bool> copies_;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROBE_ENTRY_POINTS_H_
