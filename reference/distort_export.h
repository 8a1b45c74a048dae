// reference/distort_export.h: what mutants and conforming variants make of the steps of an export.
//
// export.cc fills the struct correctly, step by step, and hands what it filled to the function of that step here, which
// leaves it as it is unless the behaviour says otherwise. A new defect of an export is a field of Exporting
// (behaviour.h) and one line in distort_export.cc.
#ifndef DLPACK_CTS_REFERENCE_DISTORT_EXPORT_H_
#define DLPACK_CTS_REFERENCE_DISTORT_EXPORT_H_

#include <cstdint>

#include "reference/array.h"
#include "reference/behaviour.h"
#include "reference/export_block.h"

namespace dlpack_cts {

/// Refusals of what a correct producer exports. `asked` is copy=, -1 where it is absent.
Denial DistortConsent(const Exporting& steps, int asked, const Array& array, const Occasion& occasion);
/// `copies`: the caller asked for a copy.
bool DistortExportCopies(const Exporting& steps, bool copies, int asked, const Occasion& occasion);
/// The latest living export where the behaviour gives that again, or NULL. May change that export.
ExportBlock* DistortLatest(const Exporting& steps, const Array& array, bool versioned, const Occasion& occasion);
uint64_t DistortFlags(const Exporting& steps, uint64_t flags, const Array& array, const Occasion& occasion);
/// Version, deleter.
void DistortHead(const Exporting& steps, const Occasion& occasion, ExportBlock& exported);
/// Element type and device.
void DistortKind(const Exporting& steps, const Array& array, const Occasion& occasion, abi::DLTensor& tensor);
/// `strides` in elements.
void DistortExportStrides(const Exporting& steps, const Array& array, const Occasion& occasion, int64_t* strides);
/// Rank, extents, and the pointers to them.
void DistortShape(const Exporting& steps, Array& array, const Occasion& occasion, ExportBlock& exported);
/// data and byte_offset.
void DistortData(const Exporting& steps, const Array& array, const Occasion& occasion, abi::DLTensor& tensor);
/// What the export keeps alive. `own`: it is a copy with memory of its own.
void DistortHold(const Exporting& steps, const Array& array, bool own, const Occasion& occasion, ExportBlock& exported);
/// The array that was exported, and the export itself, once it is complete.
void DistortAftermath(const Exporting& steps, const Occasion& occasion, Array& array, ExportBlock& exported);

/// What a deleter does before it lets go of what the export keeps alive. False: it keeps that for ever.
bool DistortDeletion(const Exporting& steps, const ExportBlock& exported);
/// How a deleter comes by the GIL.
Keeper::Locking DistortLocking(const Exporting& steps, const Occasion& occasion);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_DISTORT_EXPORT_H_
