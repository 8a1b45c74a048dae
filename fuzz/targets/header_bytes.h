// fuzz/targets/header_bytes.h: an input of the target `header`: the struct itself, in the layout of the ABI.
//
// A DLManagedTensorVersioned of 80 bytes, the entries of shape, the entries of strides: min(ndim, 64) of each. Missing
// bytes are 0. All fields are taken as they are, but a fuzzer cannot know addresses. So the low byte of a pointer says
// what the target puts there:
//
//   manager_ctx  bits 0-1: an address, NULL, 0x1, an inaccessible page
//                bit 2: a legacy DLManagedTensor, without version and flags
//                bit 3: struct, shape and strides are read-only pages
//                bits 4-5: the import gets copy=true (1) or copy=false (2)
//   deleter      bit 0: NULL; bit 1: the deleter makes struct and data inaccessible
//   data         low half, modulo 6: memory that ends at an inaccessible page, that starts at one, that is read-only,
//                an inaccessible page, NULL, the address 0x1
//                high half: log2 of the alignment
//   shape        bit 0: NULL
//   strides      modulo 3: NULL, row-major strides, the entries of the input
#ifndef DLPACK_CTS_FUZZ_TARGETS_HEADER_BYTES_H_
#define DLPACK_CTS_FUZZ_TARGETS_HEADER_BYTES_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/recipe/recipe.h"

namespace dlpack_cts::fuzz {

/// Any bytes as a normal recipe.
Recipe DecodeHeader(std::span<const uint8_t> bytes);

/// The bytes of a recipe that FoldHeader() made.
std::vector<uint8_t> EncodeHeader(const Recipe& recipe);

/// A dictionary of libFuzzer: values of fields that decide what a consumer does.
std::string HeaderDictionary();

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_TARGETS_HEADER_BYTES_H_
