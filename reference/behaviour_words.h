// reference/behaviour_words.h: enumerators that several parts of a behaviour share.
#ifndef DLPACK_CTS_REFERENCE_BEHAVIOUR_WORDS_H_
#define DLPACK_CTS_REFERENCE_BEHAVIOUR_WORDS_H_

#include <cstdint>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// The bit of an Oddity in the masks of Exporting.
constexpr uint32_t Bit(Oddity oddity) { return 1u << static_cast<uint32_t>(oddity); }

/// How the reference ends instead of refusing with an exception.
enum class Manner : uint8_t { kRaises, kCrashes, kAborts, kExits, kHangs };

enum class ErrorClass : uint8_t {
  kRight,
  kBufferError,
  kTypeError,
  kValueError,
  kRuntimeError,
  kNameError,
  kTypo,  // AttributeError for an attribute that no object has, as after a misspelt name
  kSystemError,
  kMemoryError
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_BEHAVIOUR_WORDS_H_
