// harness/recipe/elements.cc: the bits of every element, as a fast function of seed and position.
//
// An element consists of one or more parts of 1, 2, 4 or 8 bytes (two for a complex number, one per lane). A part's
// bits are a walk by odd steps from a mixed seed, so that neighbours differ even where a part has 8 bits. Floats get
// neither the lowest nor the highest exponent: NaN, infinity and the subnormal numbers, which some libraries flush to
// zero when they compute, would hide the difference between a wrong layout and a legitimate conversion. Elements of
// less than a byte go through all values but 0, so that a byte shows by its first bits from which end it was filled.
#include "harness/recipe/elements.h"

#include <bit>
#include <cstring>

static_assert(std::endian::native == std::endian::little, "element bits are written in the machine's order");

namespace dlpack_cts {
namespace {

constexpr uint64_t kStep = 0x9E3779B97F4A7C15u;
constexpr uint64_t kSlowStep = 0x2545F4914F6CDD1Du;  // per 256 positions: a walk of bytes does not repeat too soon

/// How the parts of one dtype are made.
struct Pattern {
  int part_bytes;
  int64_t parts;      // of one element
  uint64_t exponent;  // the bits of a float's exponent; 0 for what is no float
  uint64_t top;       // the exponent's highest bit
  uint64_t keep;      // bits that the part may have set
  bool boolean;
  bool never_zero = false;
};

Pattern Integer(int bits) { return {bits / 8, 1, 0, 0, bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1, false}; }

Pattern Float(int bits, int mantissa) {
  Pattern pattern = Integer(bits);
  pattern.top = uint64_t{1} << (bits - 2);
  pattern.exponent = 2 * pattern.top - (uint64_t{1} << mantissa);
  return pattern;
}

Pattern FloatOfBits(int bits) { return bits == 16 ? Float(16, 10) : bits == 32 ? Float(32, 23) : Float(64, 52); }

/// Any bits: the size decides alone.
Pattern Bytes(abi::DLDataType dtype) {
  Pattern pattern = Integer(8);
  pattern.parts = ItemSize(dtype);
  if (dtype.bits < 8 && dtype.lanes == 1) {
    pattern.keep = (uint64_t{1} << dtype.bits) - 1;
    pattern.never_zero = true;
  }
  return pattern;
}

Pattern PatternOf(abi::DLDataType dtype) {
  const int bits = dtype.bits;
  const bool whole = bits == 8 || bits == 16 || bits == 32 || bits == 64;
  Pattern pattern = whole ? Integer(bits) : Bytes(dtype);
  if (!whole && !(dtype.code == abi::kDLComplex && bits == 128)) return pattern;
  switch (dtype.code) {
    case abi::kDLBool:
      pattern.boolean = true;
      break;
    case abi::kDLFloat:
      if (bits >= 16) pattern = FloatOfBits(bits);
      break;
    case abi::kDLBfloat:
      if (bits == 16) pattern = Float(16, 7);
      break;
    case abi::kDLComplex:
      if (bits >= 32) {
        pattern = FloatOfBits(bits / 2);
        pattern.parts = 2;
      }
      break;
    case abi::kDLFloat8_e3m4:
      if (bits == 8) pattern = Float(8, 4);
      break;
    case abi::kDLFloat8_e4m3:
    case abi::kDLFloat8_e4m3b11fnuz:
    case abi::kDLFloat8_e4m3fn:
    case abi::kDLFloat8_e4m3fnuz:
      if (bits == 8) pattern = Float(8, 3);
      break;
    case abi::kDLFloat8_e5m2:
    case abi::kDLFloat8_e5m2fnuz:
      if (bits == 8) pattern = Float(8, 2);
      break;
    case abi::kDLFloat8_e8m0fnu:  // has no sign: all bits are exponent
      if (bits == 8) pattern.exponent = 0xFF, pattern.top = 0x80;
      break;
    default:
      break;
  }
  pattern.parts *= dtype.lanes;
  return pattern;
}

uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

inline uint64_t PartBits(const Pattern& pattern, uint64_t mixed, uint64_t position) {
  if (pattern.never_zero) return 1 + (mixed % pattern.keep + position) % pattern.keep;
  const uint64_t raw = mixed + position * kStep + (position >> 8) * kSlowStep;
  if (pattern.boolean) return raw >> 63;
  const uint64_t bits = raw & pattern.keep;
  const uint64_t exponent = bits & pattern.exponent;
  return pattern.exponent != 0 && (exponent == 0 || exponent == pattern.exponent) ? bits ^ pattern.top : bits;
}

template <typename T>
void Run(const Pattern& pattern, uint64_t mixed, int64_t position, int64_t step, int64_t count, uint8_t* out) {
  auto part = static_cast<uint64_t>(position) * static_cast<uint64_t>(pattern.parts);
  const uint64_t stride = static_cast<uint64_t>(step) * static_cast<uint64_t>(pattern.parts);
  for (int64_t i = 0; i < count; ++i, part += stride) {
    for (int64_t j = 0; j < pattern.parts; ++j, out += sizeof(T)) {
      const T bits = static_cast<T>(PartBits(pattern, mixed, part + static_cast<uint64_t>(j)));
      std::memcpy(out, &bits, sizeof(T));
    }
  }
}

}  // namespace

void ElementRun(abi::DLDataType dtype, uint64_t seed, int64_t position, int64_t step, int64_t count, uint8_t* out) {
  const Pattern pattern = PatternOf(dtype);
  const uint64_t mixed = Mix(seed);
  switch (pattern.part_bytes) {
    case 1:
      return Run<uint8_t>(pattern, mixed, position, step, count, out);
    case 2:
      return Run<uint16_t>(pattern, mixed, position, step, count, out);
    case 4:
      return Run<uint32_t>(pattern, mixed, position, step, count, out);
    default:
      return Run<uint64_t>(pattern, mixed, position, step, count, out);
  }
}

void ElementBits(abi::DLDataType dtype, uint64_t seed, int64_t position, uint8_t* out) {
  ElementRun(dtype, seed, position, 0, 1, out);
}

bool OtherBits(abi::DLDataType dtype, uint64_t seed, int64_t index, const uint8_t* before, uint8_t* bits) {
  for (uint64_t salt = 1; salt <= kSalts; ++salt) {
    ElementBits(dtype, seed + salt, index, bits);
    if (std::memcmp(bits, before, static_cast<size_t>(ItemSize(dtype))) != 0) return true;
  }
  return false;
}

}  // namespace dlpack_cts
