// subject/exported_tensor.h: reads a struct that a library exported, without trusting it.
#ifndef DLPACK_CTS_SUBJECT_EXPORTED_TENSOR_H_
#define DLPACK_CTS_SUBJECT_EXPORTED_TENSOR_H_

#include <cstdint>
#include <span>

#include "harness/ledger/record_export.h"

namespace dlpack_cts {

/// The kind of the struct that a capsule holds. The name of the capsule decides only if the memory does not: where a
/// legacy struct has data, device and shape, a versioned one has a version, flags and a tensor, and valid values of one
/// kind are never valid values of the other.
bool IsVersionedStruct(const void* managed, bool named_versioned);

/// Fills the struct's part of the record (version, flags, tensor, shape, strides, has_deleter, metadata_readable) from
/// `managed`, which is read as that kind of struct. Reads only memory that the kernel says is readable.
void RecordExport(const void* managed, bool versioned, ExportLedger& record);

/// The parts (kPart*) of the struct that differ from the first reading in `record`.
uint32_t ChangedSinceExport(const void* managed, const ExportLedger& record);

/// Copies all elements to `out`, in row-major order. kMatches: they were read. kUnreadable: an address is not mapped.
/// `byte_strides` is in bytes.
Reading ReadStrided(uint64_t address, const int64_t* shape, const int64_t* byte_strides, int ndim, int64_t item_size,
                    std::span<uint8_t> out);
Reading ReadExported(const ExportLedger& record, std::span<uint8_t> out);

/// How elements of fewer than 8 bits are stored: the packing that gives the expected elements. `wanted` has one byte
/// for each element, and `scratch` has room for them.
Packing PackingOf(const ExportLedger& record, std::span<const uint8_t> wanted, std::span<uint8_t> scratch);

/// Writes one element (row-major index) through the exported struct. False if it must not be written: READ_ONLY is set,
/// the device is not the host, the memory is not mapped, or the record does not have all extents.
bool WriteExported(const ExportLedger& record, int64_t index, const uint8_t* bits);

/// The largest element that WriteExported() writes, in bytes.
inline constexpr int64_t kWidestWritten = 16;

/// The same for all elements, in row-major order. `elements` has as many bytes as they have.
bool WriteAllExported(const ExportLedger& record, std::span<const uint8_t> elements);

struct MemoryRange {
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// The memory of an exported tensor. A range is empty if there is nothing, or if it exceeds the address space.
struct ExportedMemory {
  MemoryRange elements;
  MemoryRange managed;  // the struct itself
  MemoryRange shape;
  MemoryRange strides;
};
ExportedMemory MemoryOf(const ExportLedger& record);

/// False if an element of one export lies in the struct, shape or strides of the other, or, for two different exports,
/// among its elements.
bool LiesApart(const ExportedMemory& one, const ExportedMemory& other);

/// Calls the deleter of the struct, unless it is NULL. noexcept: an exception of a deleter ends the process.
void CallDeleter(void* managed, bool versioned) noexcept;

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUBJECT_EXPORTED_TENSOR_H_
