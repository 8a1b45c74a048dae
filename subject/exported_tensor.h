// subject/exported_tensor.h: reads a struct that a library exported, without trusting it.
#ifndef DLPACK_CTS_SUBJECT_EXPORTED_TENSOR_H_
#define DLPACK_CTS_SUBJECT_EXPORTED_TENSOR_H_

#include <cstdint>
#include <span>

#include "harness/ledger/ledger.h"

namespace dlpack_cts {

/// What a capsule of the legacy name holds is a versioned struct all the same: where a legacy one has its data, device
/// and shape, stand a version, flags and a tensor that make sense, which no address does.
bool HoldsVersioned(const void* managed);

/// Fills the struct's part of the record (version, flags, tensor, shape, strides, has_deleter, metadata_readable) from
/// `managed`, which is read as that kind of struct. Reads nothing that the kernel calls unreadable.
void RecordExport(const void* managed, bool versioned, ExportLedger& record);

/// Parts (kPart*) of the struct that differ from the first reading in `record`.
uint32_t ChangedSinceExport(const void* managed, const ExportLedger& record);

/// Copies all elements, row-major, into `out`. kMatches means: read. kUnreadable: a reachable address is not mapped.
/// `byte_strides` in bytes.
Reading ReadStrided(uint64_t address, const int64_t* shape, const int64_t* byte_strides, int ndim, int64_t item_size,
                    std::span<uint8_t> out);
Reading ReadExported(const ExportLedger& record, std::span<uint8_t> out);

/// In which way elements of less than a byte are read rightly; `wanted` has a byte for each, and `scratch` room for
/// them.
Packing PackingOf(const ExportLedger& record, std::span<const uint8_t> wanted, std::span<uint8_t> scratch);

/// Writes one element (row-major index) through the exported struct. False where the memory cannot be written: the
/// READ_ONLY flag is set, the device is not the host, or nothing is mapped there.
bool WriteExported(const ExportLedger& record, int64_t index, const uint8_t* bits);

/// The widest element that WriteExported() writes.
inline constexpr int64_t kWidestWritten = 16;

/// True unless an element of the one lies in the other's struct, shape or strides, or, where they are two, among its
/// elements.
bool LiesApart(const ExportLedger& one, const ExportLedger& other);

/// Calls the deleter of the struct, unless it is NULL. noexcept: an exception that leaves a deleter ends the process.
void CallDeleter(void* managed, bool versioned) noexcept;

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUBJECT_EXPORTED_TENSOR_H_
