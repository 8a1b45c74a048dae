// harness/recipe/elements.cc: the bits of every element, as a fast function of seed and position.
//
// An element consists of one or more parts of 1, 2, 4 or 8 bytes (two for a complex number, one per lane). The bits of
// a part are seed + position * an odd number, so that neighbours differ even in 8 bits. Floats get neither the lowest
// nor the highest exponent: NaN, infinity and subnormal numbers (which some libraries flush to zero) would hide the
// difference between a wrong layout and a legitimate conversion. Elements and lanes of fewer than 8 bits go through all
// values except 0. So the first bits of a byte show from which end it was filled.
#include "harness/recipe/elements.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "harness/recipe/dtypes.h"
#include "harness/recipe/packing.h"

static_assert(std::endian::native == std::endian::little, "element bits are written in the machine's order");

namespace dlpack_cts {
namespace {

constexpr uint64_t kStep = 0x9E3779B97F4A7C15u;
constexpr uint64_t kSlow = 256;
constexpr uint64_t kSlowStep =
    0x2545F4914F6CDD1Du;  // added every kSlow positions, so that 8-bit values do not repeat too soon

/// How the parts of one dtype are made.
struct Pattern {
  int part_bytes;
  int64_t parts;      // of one element
  uint64_t exponent;  // the exponent bits of a float; 0 for other dtypes
  uint64_t top;       // the highest exponent bit
  uint64_t keep;      // bits that a part may have set
  bool boolean;
  bool never_zero = false;
};

Pattern Integer(int bits) { return {bits / 8, 1, 0, 0, bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1, false}; }

Pattern Float(int bits, int mantissa) {
  Pattern pattern = Integer(bits);
  pattern.top = uint64_t{1} << std::max(bits - 2, 0);
  pattern.exponent = 2 * pattern.top - (uint64_t{1} << mantissa);
  if (mantissa == 0) pattern.exponent = pattern.keep, pattern.top *= 2;  // no sign bit
  return pattern;
}

/// Any bits: only the size counts.
Pattern Bytes(abi::DLDataType dtype) {
  Pattern pattern = Integer(8);
  pattern.parts = ItemSize(dtype);
  if (dtype.bits > 0 && dtype.bits < 8 && dtype.lanes == 1) {
    pattern.keep = (uint64_t{1} << dtype.bits) - 1;
    pattern.never_zero = true;
  }
  return pattern;
}

Pattern PatternOf(abi::DLDataType dtype) {
  const int bits = dtype.bits;
  const int named = DataTypeIndex(abi::DLDataType{dtype.code, dtype.bits, 1});
  const int fraction = named < 0 ? NamedDataType::kNoFloat : DataTypes()[static_cast<size_t>(named)].fraction;
  const int parts = fraction >= 0 && dtype.code == abi::kDLComplex ? 2 : 1;
  const bool whole = bits == 8 || bits == 16 || bits == 32 || bits == 64;
  if (!whole && parts == 1) return Bytes(dtype);
  Pattern pattern = fraction >= 0 ? Float(bits / parts, fraction) : Integer(bits);
  pattern.boolean = dtype.code == abi::kDLBool;
  pattern.parts = parts * dtype.lanes;
  return pattern;
}

uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// The parts of elements: `parts` of them in sequence, then those of the next element.
struct Parts {
  uint64_t first;
  uint64_t stride;
  int64_t parts;
  int64_t count;

  bool FollowEachOther() const { return stride == 1 && parts == 1; }
};

Parts PartsOf(const Pattern& pattern, int64_t position, int64_t step, int64_t count) {
  const auto parts = static_cast<uint64_t>(pattern.parts);
  const uint64_t first = static_cast<uint64_t>(position) * parts;
  // Consecutive elements form one run of parts.
  if (step == 1) return {first, 1, 1, count * pattern.parts};
  return {first, static_cast<uint64_t>(step) * parts, pattern.parts, count};
}

uint64_t Walked(uint64_t mixed, uint64_t position) { return mixed + position * kStep + (position / kSlow) * kSlowStep; }

/// Writes `make` of the lowest bits at each position.
template <typename T, typename Bits, typename Make>
void Run(const Parts& run, uint64_t mixed, uint8_t* out, Make make) {
  const auto put = [make](uint8_t* at, Bits walked) {
    const T bits = make(walked);
    std::memcpy(at, &bits, sizeof(T));
  };
  if (!run.FollowEachOther()) {
    uint64_t part = run.first;
    for (int64_t i = 0; i < run.count; ++i, part += run.stride) {
      for (int64_t j = 0; j < run.parts; ++j, out += sizeof(T)) {
        put(out, static_cast<Bits>(Walked(mixed, part + static_cast<uint64_t>(j))));
      }
    }
    return;
  }
  // Between two slow steps the loop is a simple one, which compilers vectorise.
  const auto count = static_cast<uint64_t>(run.count);
  for (uint64_t done = 0; done < count;) {
    const uint64_t first = run.first + done;
    const auto now = static_cast<uint32_t>(std::min(count - done, kSlow - first % kSlow));
    const auto walked = static_cast<Bits>(Walked(mixed, first));
    for (uint32_t i = 0; i < now; ++i) {
      put(out + i * sizeof(T), static_cast<Bits>(walked + static_cast<Bits>(i) * static_cast<Bits>(kStep)));
    }
    out += now * sizeof(T);
    done += now;
  }
}

template <typename T>
void RunOf(const Pattern& pattern, uint64_t mixed, const Parts& run, uint8_t* out) {
  if (pattern.boolean) {
    return Run<T, uint64_t>(run, mixed, out, [](uint64_t walked) { return static_cast<T>(walked >> 63); });
  }
  const auto keep = static_cast<T>(pattern.keep);
  if (pattern.exponent == 0) {
    return Run<T, T>(run, mixed, out, [keep](T walked) { return static_cast<T>(walked & keep); });
  }
  const auto all = static_cast<T>(pattern.exponent);
  const auto top = static_cast<T>(pattern.top);
  Run<T, T>(run, mixed, out, [keep, all, top](T walked) {
    const auto bits = static_cast<T>(walked & keep);
    const auto exponent = static_cast<T>(bits & all);
    return static_cast<T>(bits ^ (exponent == 0 || exponent == all ? top : T{0}));
  });
}

uint8_t FewBits(const Pattern& pattern, uint64_t mixed, uint64_t part) {
  return static_cast<uint8_t>(1 + (mixed % pattern.keep + part) % pattern.keep);
}

/// The same for elements of fewer than 8 bits, one byte each.
void RunOfFewBits(const Pattern& pattern, uint64_t mixed, const Parts& run, uint8_t* out) {
  uint64_t part = run.first;
  for (int64_t i = 0; i < run.count; ++i, part += run.stride) out[i] = FewBits(pattern, mixed, part);
}

/// Lanes of fewer than 8 bits are separate values. The bits after the last one are 0.
void RunPacked(abi::DLDataType dtype, uint64_t mixed, int64_t position, int64_t step, int64_t count, uint8_t* out) {
  const Pattern pattern = Bytes({dtype.code, dtype.bits, 1});
  const int64_t item = ItemSize(dtype);
  std::memset(out, 0, static_cast<size_t>(count * item));
  for (int64_t i = 0; i < count; ++i, position += step, out += item) {
    const auto first = static_cast<uint64_t>(position) * dtype.lanes;
    for (uint64_t lane = 0; lane < dtype.lanes; ++lane) {
      SetBitsAt(out, static_cast<int64_t>(lane) * dtype.bits, dtype.bits, FewBits(pattern, mixed, first + lane));
    }
  }
}

}  // namespace

void ElementRun(abi::DLDataType dtype, uint64_t seed, int64_t position, int64_t step, int64_t count, uint8_t* out) {
  const uint64_t mixed = Mix(seed);
  if (HasPackedLanes(dtype)) return RunPacked(dtype, mixed, position, step, count, out);
  const Pattern pattern = PatternOf(dtype);
  const Parts run = PartsOf(pattern, position, step, count);
  if (pattern.never_zero) return RunOfFewBits(pattern, mixed, run, out);
  switch (pattern.part_bytes) {
    case 1:
      return RunOf<uint8_t>(pattern, mixed, run, out);
    case 2:
      return RunOf<uint16_t>(pattern, mixed, run, out);
    case 4:
      return RunOf<uint32_t>(pattern, mixed, run, out);
    default:
      return RunOf<uint64_t>(pattern, mixed, run, out);
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
