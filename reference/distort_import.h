// reference/distort_import.h: what mutants and conforming variants make of the steps of an import.
//
// import.cc computes the correct value of each step and hands it to the function of that step here, which gives it back
// as it is unless the behaviour says otherwise. A new defect of an import is a field of Importing or Owning
// (behaviour.h) and one line in distort_import.cc.
#ifndef DLPACK_CTS_REFERENCE_DISTORT_IMPORT_H_
#define DLPACK_CTS_REFERENCE_DISTORT_IMPORT_H_

#include <cstdint>
#include <memory>

#include "harness/abi/dlpack.h"
#include "reference/array.h"
#include "reference/behaviour.h"

namespace dlpack_cts {

// ---- Before the tensor is taken.

/// Reads of the struct that come before its version is known.
void DistortFirstLook(const Importing& steps, const void* managed);
abi::DLPackVersion DistortVersion(const Importing& steps, abi::DLPackVersion version);
/// `fits`: the major is the reference's own.
bool DistortMajor(const Importing& steps, abi::DLPackVersion version, bool fits);
int32_t DistortDevice(const Importing& steps, int32_t device_type, const Occasion& occasion);
/// Of another device than the CPU. `copy` as ImportOptions has it.
bool TakesDevice(const Importing& steps, abi::DLDevice device, int copy, const Occasion& occasion);
/// Of a type with several lanes.
bool HasVectors(const Having& having, abi::DLDataType dtype);
/// Bytes of an element of which no more is known than how large it is; 0 where there is more, or less.
int32_t RawBytes(const Having& having, abi::DLDataType dtype);
/// What is done to the data of a device that is refused.
void DistortForeignData(const Importing& steps, const abi::DLTensor& tensor, const Occasion& occasion);
abi::DLDataType DistortType(const Importing& steps, abi::DLDataType dtype, const Occasion& occasion);
/// `empty`: some extent is zero, so that no product counts.
bool DistortEmpty(const Importing& steps, bool empty, const Occasion& occasion);
/// Refusals of what a correct consumer takes.
Denial DistortAcceptance(const Importing& steps, const abi::DLTensor& tensor, const ImportOptions& options,
                         const Occasion& occasion);
Denial DistortEmptyAcceptance(const Importing& steps, const abi::DLTensor& tensor, const Occasion& occasion);

// ---- While it is taken.

/// `strides` in elements, one for each dimension.
void DistortStrides(const Importing& steps, const abi::DLTensor& tensor, int ndim, int64_t item,
                    const Occasion& occasion, int64_t* strides);
uint64_t DistortOffset(const Importing& steps, uint64_t byte_offset, int64_t item, const Occasion& occasion);
uint64_t DistortAddress(const Importing& steps, uint64_t address, int64_t item, const Occasion& occasion);
/// Type, rank, extents and steps of the new array. `strides` in elements.
void DistortArray(const Importing& steps, const abi::DLTensor& tensor, const int64_t* strides, int64_t item,
                  const Occasion& occasion, Array& array);
/// A dimension in the place of lanes. `strides` in elements.
void DistortLanes(const Importing& steps, const abi::DLTensor& tensor, const int64_t* strides, const Occasion& occasion,
                  Array& array);
/// What lies on another device.
void DistortCarried(const Importing& steps, const abi::DLTensor& tensor, const Occasion& occasion, Array& array);
/// How elements of less than a byte are read: `packed` and the array's order of bits. Returns the new `packed`.
uint8_t DistortPacking(const Importing& steps, int packed, const Occasion& occasion, Array& array);
bool DistortReadOnly(const Importing& steps, bool read_only, const Occasion& occasion);
/// Reads beyond what the tensor describes, and writes into what it was given.
void DistortTouches(const Importing& steps, bool versioned, void* managed, const Array& array,
                    const Occasion& occasion);
/// `copies`: the caller asked for a copy, and it is not made yet.
bool DistortCopies(const Importing& steps, bool copies, const ImportOptions& options, const Occasion& occasion);
/// The elements of the copy that was made.
void DistortCopy(const Importing& steps, const ImportOptions& options, const Occasion& occasion, Array& copy);
/// The array of an earlier import that stands for this one; NULL for a correct consumer.
std::unique_ptr<Array> DistortIdentity(const Importing& steps, const void* managed, const Array& array,
                                       const Occasion& occasion);
/// What every later reading of an array that shares its memory gives.
void DistortReadings(const Importing& steps, const Occasion& occasion, Array& array);

// ---- When it is released.

/// What is done to the tensor before. True: it is not released, or a copy of the struct was.
bool DistortBeforeRelease(const Owning& owning, bool versioned, void* managed, const Occasion& occasion);
void DistortAfterRelease(const Owning& owning, bool versioned, void* managed, const Occasion& occasion);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_DISTORT_IMPORT_H_
