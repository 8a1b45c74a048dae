// fuzz/targets/targets.h: the rows of the table of targets, one file each.
#ifndef DLPACK_CTS_FUZZ_TARGETS_TARGETS_H_
#define DLPACK_CTS_FUZZ_TARGETS_TARGETS_H_

#include "fuzz/target.h"

namespace dlpack_cts::fuzz {

extern const Target kImportTarget;
extern const Target kExportTarget;
extern const Target kHeaderTarget;

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_TARGETS_TARGETS_H_
