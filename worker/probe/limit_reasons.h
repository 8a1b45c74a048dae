// worker/probe/limit_reasons.h: which property of a refused tensor or array is the reason.
#ifndef DLPACK_CTS_WORKER_PROBE_LIMIT_REASONS_H_
#define DLPACK_CTS_WORKER_PROBE_LIMIT_REASONS_H_

#include <algorithm>
#include <optional>
#include <string>

#include "worker/probe/entry_points.h"

namespace dlpack_cts::worker {

class LimitReasons : public EntryPoints {
 public:
  using EntryPoints::EntryPoints;

 protected:
  /// NULL if no question asks for it.
  static const Change* Find(Changed property, int number);

  static bool IsCombined(const Change& change) { return change.property >= Changed::kEmptyDims; }

  /// The change that is the reason of a refusal. A tensor has extents and strides besides its rank: if another one of
  /// the rank is accepted, those are the reason. Nothing if another question reports it.
  std::optional<Change> ReasonOf(const EntryPoint& point, const Change& change, const Recipe& recipe);

 private:
  /// Whether the entry point accepts the tensor or the array with other extents.
  template <typename Alter>
  bool AcceptsShape(const EntryPoint& point, Recipe recipe, const Alter& alter) {
    if (point.side == Side::kImport) {
      alter(recipe.offer().shape, recipe.offer().dims);
    } else {
      alter(recipe.request().shape, recipe.request().dims);
    }
    return Accepts(point.entry, recipe);
  }

  bool AcceptsNullStrides(const EntryPoint& point, Recipe recipe);

  /// Whether the value alone is refused, so that its own question reports it.
  bool IsRefusedAlone(const EntryPoint& point, Changed property, int number);
  bool IsRefusedAlone(const EntryPoint& point, const Change* change);

  /// Libraries differ in the strides of empty rows, which have no meaning. The case about C-STRIDES-11 reports a
  /// library that accepts only its own.
  bool AcceptsZeroStrides(const EntryPoint& point, Recipe recipe);

  /// Whether one part of a combined change is refused alone.
  bool IsKnownAlone(const EntryPoint& point, const Change& change, const Recipe& recipe);

  /// The simplest tensors of three dimensions or more have an extent of 1.
  std::optional<Change> ReasonOfCopy(const EntryPoint& point, const Change& change, const Recipe& recipe);

  static void MakeFull(int64_t* extents, int count) { std::replace(extents, extents + count, int64_t{1}, int64_t{2}); }

  static Change Named(const Change& change, std::string id, const std::string& value, const std::string& words);
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROBE_LIMIT_REASONS_H_
