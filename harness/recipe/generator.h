// harness/recipe/generator.h: the generator of recipes, in tiers.
//
// Cases, properties, the fuzzer's mutator and the benchmarks all use it. A 64-bit seed and the example's index
// determine everything. The index goes through dtype x rank x kind of struct systematically, so that 100 examples reach
// every dtype, rank and kind and most of their combinations. The seed decides the rest.
#ifndef DLPACK_CTS_HARNESS_RECIPE_GENERATOR_H_
#define DLPACK_CTS_HARNESS_RECIPE_GENERATOR_H_

#include <cstdint>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// A small fast random number generator (splitmix64). Equal seeds give equal numbers on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next();
  /// Uniform in [0, bound); 0 if bound is 0.
  uint64_t Below(uint64_t bound);
  /// Uniform in [low, high].
  int64_t Between(int64_t low, int64_t high);
  /// True with probability 1/n.
  bool OneIn(uint64_t n) { return Below(n) == 0; }

 private:
  uint64_t state_;
};

/// legal: a conforming consumer accepts it, or refuses it with an exception. edge: legal but rare (other major
/// versions, unknown enumerators, huge extents next to a zero extent). hostile: violates the contract; only memory
/// safety is required.
enum class Tier : uint8_t { kLegal, kEdge, kHostile };

/// Ranks that are generated systematically and probed: 0 to this one. Higher ranks are drawn rarely.
inline constexpr int kWalkedDims = 8;

/// What the generator may draw. A bit of `dtypes` is an index into DataTypes(), a bit of `ranks` a number of
/// dimensions, a bit of `layouts` a Layout (layout.h). 0 means all.
struct Limits {
  uint64_t dtypes = 0;
  uint32_t ranks = 0;
  uint32_t layouts = 0;
  int alignment_log2 = 0;  // element 0 of an offer is aligned to at least this power of two, in bytes
  bool legacy = true;
  bool versioned = true;
  bool strided = true;  // layouts other than row-major compact
  bool null_strides = true;
  bool negative = true;  // negative strides, also where they have no meaning
  bool empty = true;     // tensors without elements
  bool scalar = true;    // tensors without dimensions
  bool offset = true;    // byte_offset other than 0
  bool read_only = true;
  int max_dims = 5;
  int deepest = 0;     // the highest rank that is drawn rarely, if it is above 8
  bool large = false;  // rarely draw more data than kDataCapacity, up to a few MiB

  /// Whether the generator may draw that many dimensions.
  bool Rank(int dims) const;
};

/// In both functions consecutive values of `index` go through dtype x rank x kind, and reach every combination once per
/// round. A run should start at an index that its seed determines. The legal tier never offers 8-bit floats, which
/// exist since 1.1, in a legacy struct.

/// An import with the default life: import, describe, read, compute, drop, collect.
Recipe DrawImport(Random& random, int index, Tier tier, const Limits& limits);

/// An export with the default life: make, export, ask device, inspect, read, take, delete, drop, collect.
Recipe DrawExport(Random& random, int index, Tier tier, const Limits& limits);

/// Replaces the life by the default life of the recipe's kind.
void SetPlainLife(Recipe& recipe);

/// The simplest import: six float32 in one dimension, aligned to 256 bytes, version 1.0. Subjects are probed with it
/// first. If a subject accepts it, and refuses it with one other value, it refuses that value.
Recipe PlainImport(StructKind kind);

/// The extents of default tensors with that many dimensions: (), (6,), (2, 3), (2, 1, 3), ...
void SetPlainShape(int dims, int64_t* shape);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_GENERATOR_H_
