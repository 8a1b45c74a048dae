// harness/recipe/generator.h: the one typed generator of recipes, in tiers.
//
// Cases, properties, the fuzzer's mutator and the benchmarks all draw from it. Everything follows from one 64-bit seed
// and the example's index: the index walks dtype x rank x kind of struct systematically, so that 100 examples reach
// every dtype, rank and kind and most of their combinations; the seed decides the rest.
#ifndef DLPACK_CTS_HARNESS_RECIPE_GENERATOR_H_
#define DLPACK_CTS_HARNESS_RECIPE_GENERATOR_H_

#include <cstdint>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// A small fast generator (splitmix64). Equal seeds give equal draws everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next();
  /// Uniform in [0, bound); 0 for bound 0.
  uint64_t Below(uint64_t bound);
  /// Uniform in [low, high].
  int64_t Between(int64_t low, int64_t high);
  /// True once in `n`.
  bool OneIn(uint64_t n) { return Below(n) == 0; }

 private:
  uint64_t state_;
};

/// legal: a conforming consumer accepts or politely refuses. edge: legal but rare (foreign majors, unknown enumerators,
/// huge extents beside a zero). hostile: breaks the contract; only memory safety is asked.
enum class Tier : uint8_t { kLegal, kEdge, kHostile };

/// Ranks that are walked and probed: 0 to this one. Deeper ones are drawn now and then.
inline constexpr int kWalkedDims = 8;

/// What the generator may draw. A bit of `dtypes` is an index into DataTypes(), one of `ranks` a number of dimensions,
/// one of `layouts` a Layout (layout.h). A mask of 0 means all of them.
struct Limits {
  uint64_t dtypes = 0;
  uint32_t ranks = 0;
  uint32_t layouts = 0;
  int alignment_log2 = 0;  // element 0 of an offer is at least that much aligned
  bool legacy = true;
  bool versioned = true;
  bool strided = true;  // layouts other than compact row-major
  bool null_strides = true;
  bool negative = true;  // negative strides, also where they carry no information
  bool empty = true;     // zero elements
  bool scalar = true;    // no dimensions
  bool offset = true;    // byte_offset other than 0
  bool read_only = true;
  int max_dims = 5;
  int deepest = 0;     // now and then a rank of 9 up to this one, where it is more than 8
  bool large = false;  // now and then more data than kDataCapacity, up to a few MiB

  /// True when the generator may draw that many dimensions.
  bool Rank(int dims) const;
};

/// In both, consecutive values of `index` walk dtype x rank x kind and come to every combination once in a round; any
/// start will do, so a run should begin at a place that its seed names. The types that came with 1.1 (8-bit floats) are
/// never offered in a legacy struct by the legal tier: its version cannot describe them.

/// A recipe of an import with the plain life: import, describe, read, compute, drop, collect.
Recipe DrawImport(Random& random, int index, Tier tier, const Limits& limits);

/// A recipe of an export with the plain life: make, export, ask device, inspect, read, take, delete, drop, collect.
Recipe DrawExport(Random& random, int index, Tier tier, const Limits& limits);

/// Replaces the life by the plain one of the recipe's kind.
void SetPlainLife(Recipe& recipe);

/// The simplest import: six float32 in one dimension, aligned to 256 bytes, version 1.0. A subject is asked for it
/// first. A subject that accepts it, and refuses it with one other property value, refuses that value.
Recipe PlainImport(StructKind kind);

/// The extents of plain tensors of that many dimensions: (), (6,), (2, 3), (2, 1, 3), ...
void SetPlainShape(int dims, int64_t* shape);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_GENERATOR_H_
