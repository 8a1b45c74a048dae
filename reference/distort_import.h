// reference/distort_import.h: how mutants and conforming variants change the steps of an import.
//
// import.cc computes the correct value of each step. Then it calls the function of that step here, which changes the
// value only if the behaviour says so. A new defect of an import is a field of Importing or Owning (behaviour_import.h)
// and one line in distort_import.cc.
#ifndef DLPACK_CTS_REFERENCE_DISTORT_IMPORT_H_
#define DLPACK_CTS_REFERENCE_DISTORT_IMPORT_H_

#include <cstdint>
#include <memory>

#include "harness/abi/dlpack.h"
#include "reference/array.h"
#include "reference/behaviour.h"

namespace dlpack_cts {

// ---- Before the tensor is imported.

/// Reads fields of the struct before its version is known.
void DistortFirstLook(const Importing& steps, const void* managed);
abi::DLPackVersion DistortVersion(const Importing& steps, abi::DLPackVersion version);
/// Whether the version is accepted. `fits`: the major version is that of the reference.
bool DistortMajor(const Importing& steps, abi::DLPackVersion version, bool fits);
int32_t DistortRank(const Importing& steps, int32_t ndim);
int32_t DistortDevice(const Importing& steps, int32_t device_type, const Occasion& occasion);
/// Whether a tensor on another device than the CPU is accepted. `copy` as in ImportOptions.
bool TakesDevice(const Importing& steps, abi::DLDevice device, int copy, const Occasion& occasion);
/// Whether a dtype with more than one lane is accepted.
bool HasVectors(const Having& having, abi::DLDataType dtype);
/// Bytes of an element if the library imports the unknown dtype as raw bytes, else 0.
int32_t RawBytes(const Having& having, abi::DLDataType dtype);
/// Reads the data of a tensor whose device is refused, for a mutant that does so.
void DistortForeignData(const Importing& steps, const abi::DLTensor& tensor, const Occasion& occasion);
abi::DLDataType DistortType(const Importing& steps, abi::DLDataType dtype, const Occasion& occasion);
/// Whether the tensor counts as empty. `empty`: an extent is 0, so that products do not matter.
bool DistortEmpty(const Importing& steps, bool empty, const Occasion& occasion);
/// Refuses what a correct consumer accepts.
Denial DistortAcceptance(const Importing& steps, const abi::DLTensor& tensor, const ImportOptions& options,
                         const Occasion& occasion);
Denial DistortEmptyAcceptance(const Importing& steps, const abi::DLTensor& tensor, const Occasion& occasion);

// ---- While the array is made.

/// Changes `strides`, in elements, one for each dimension. `item` is the item size in bytes.
void DistortStrides(const Importing& steps, const abi::DLTensor& tensor, int ndim, int64_t item,
                    const Occasion& occasion, int64_t* strides);
uint64_t DistortOffset(const Importing& steps, uint64_t byte_offset, int64_t item, const Occasion& occasion);
uint64_t DistortAddress(const Importing& steps, uint64_t address, int64_t item, const Occasion& occasion);
/// Changes dtype, rank, extents and steps of the new array. `strides` is in elements.
void DistortArray(const Importing& steps, const abi::DLTensor& tensor, const int64_t* strides, int64_t item,
                  const Occasion& occasion, Array& array);
/// Changes how lanes become a dimension. `strides` is in elements.
void DistortLanes(const Importing& steps, const abi::DLTensor& tensor, const int64_t* strides, const Occasion& occasion,
                  Array& array);
/// Changes how an array on another device is stored.
void DistortCarried(const Importing& steps, const abi::DLTensor& tensor, const Occasion& occasion, Array& array);
/// Returns the new `packed` (bits from one element to the next), and may change the order of bits in `array`.
uint8_t DistortPacking(const Importing& steps, int packed, const Occasion& occasion, Array& array);
bool DistortReadOnly(const Importing& steps, bool read_only, const Occasion& occasion);
/// Reads outside of what the tensor describes, and writes to the tensor.
void DistortTouches(const Importing& steps, bool versioned, void* managed, const Array& array,
                    const Occasion& occasion);
/// Returns whether the import is a copy. `copies`: the caller requested one, and it is not made yet.
bool DistortCopies(const Importing& steps, bool copies, const ImportOptions& options, const Occasion& occasion);
/// Changes the elements of a finished copy.
void DistortCopy(const Importing& steps, const ImportOptions& options, const Occasion& occasion, Array& copy);
/// The array of an earlier import that is returned instead; NULL for a correct consumer.
std::unique_ptr<Array> DistortIdentity(const Importing& steps, const void* managed, const Array& array,
                                       const Occasion& occasion);
/// Changes what later reads of an array return that shares the tensor's memory.
void DistortReadings(const Importing& steps, const Occasion& occasion, Array& array);

// ---- When the tensor is released.

/// What happens before the deleter is called. True: the deleter must not be called any more.
bool DistortBeforeRelease(const Owning& owning, bool versioned, void* managed, const Occasion& occasion);
void DistortAfterRelease(const Owning& owning, bool versioned, void* managed, const Occasion& occasion);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_DISTORT_IMPORT_H_
