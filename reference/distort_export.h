// reference/distort_export.h: how mutants and conforming variants change the steps of an export.
//
// export.cc fills the struct correctly, step by step. After each step it calls the function of that step here, which
// changes the result only if the behaviour says so. A new defect of an export is a field of Exporting
// (behaviour_export.h) and one line in distort_export.cc.
#ifndef DLPACK_CTS_REFERENCE_DISTORT_EXPORT_H_
#define DLPACK_CTS_REFERENCE_DISTORT_EXPORT_H_

#include <cstdint>

#include "reference/array.h"
#include "reference/behaviour.h"
#include "reference/export_block.h"

namespace dlpack_cts {

/// Refuses what a correct producer exports. `asked` is copy=: 1, 0, or -1 if it is missing.
Denial DistortConsent(const Exporting& steps, int asked, const Array& array, const Occasion& occasion);
/// Returns whether the export is a copy. `copies`: the caller requested one.
bool DistortExportCopies(const Exporting& steps, bool copies, int asked, const Occasion& occasion);
/// The latest living export if the behaviour returns it again, else NULL. May change that export.
ExportBlock* DistortLatest(const Exporting& steps, const Array& array, bool versioned, const Occasion& occasion);
uint64_t DistortFlags(const Exporting& steps, uint64_t flags, const Array& array, const Occasion& occasion);
/// Changes version and deleter.
void DistortHead(const Exporting& steps, const Occasion& occasion, ExportBlock& exported);
/// Changes dtype and device.
void DistortKind(const Exporting& steps, const Array& array, const Occasion& occasion, abi::DLTensor& tensor);
/// Changes the strides, which are in elements.
void DistortExportStrides(const Exporting& steps, const Array& array, const Occasion& occasion, int64_t* strides);
/// Changes ndim, the extents, and the pointers shape and strides.
void DistortShape(const Exporting& steps, Array& array, const Occasion& occasion, ExportBlock& exported);
/// Changes data and byte_offset.
void DistortData(const Exporting& steps, const Array& array, const Occasion& occasion, abi::DLTensor& tensor);
/// Changes what the export keeps alive. `own`: it is a copy with its own memory.
void DistortHold(const Exporting& steps, const Array& array, bool own, const Occasion& occasion, ExportBlock& exported);
/// Changes the exported array, and the complete export.
void DistortAftermath(const Exporting& steps, const Occasion& occasion, Array& array, ExportBlock& exported);

/// What a deleter does before it releases what the export keeps alive. False: it never releases it.
bool DistortDeletion(const Exporting& steps, const ExportBlock& exported);
/// How a deleter gets the GIL.
Keeper::Locking DistortLocking(const Exporting& steps, const Occasion& occasion);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_DISTORT_EXPORT_H_
