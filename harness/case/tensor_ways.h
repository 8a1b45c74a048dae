// harness/case/tensor_ways.h: keeps tensors within the extents and strides that the subject has.
#ifndef DLPACK_CTS_HARNESS_CASE_TENSOR_WAYS_H_
#define DLPACK_CTS_HARNESS_CASE_TENSOR_WAYS_H_

#include "harness/case/profile.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Gives each tensor a last extent that library.toml allows: the nearest smaller one if there is any.
void KeepExtents(const Declared& declared, Recipe& recipe);

/// Gives each tensor a last extent that the probes saw accepted. A compact tensor whose strides the subject only takes
/// as NULL gets NULL strides, if its version may have them.
void KeepTensors(const Profile& profile, Recipe& recipe);

/// Gives a drawn tensor NULL strides, or extents other than 1, if the subject takes nothing else.
void FitTensor(const Profile& profile, Offer& offer);

/// Whether the struct is older than 1.2: NULL strides are valid.
bool MayHaveNullStrides(const Offer& offer);

/// Whether it has more than one dimension, and an extent of 1.
bool HasUnitExtent(const Offer& offer);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_TENSOR_WAYS_H_
