// suites/exchange-api/unusable.h: tensors of a table that no library can use on this machine.
#ifndef DLPACK_CTS_SUITES_EXCHANGE_API_UNUSABLE_H_
#define DLPACK_CTS_SUITES_EXCHANGE_API_UNUSABLE_H_

#include "harness/case/case.h"

namespace dlpack_cts {

/// Gives the offer a few elements of a dtype that does not exist, or a device that the host cannot reach.
inline void MakeUnusable(Draw& draw, Offer& offer) {
  constexpr abi::DLDataType kTypes[] = {{2, 24, 1}, {6, 16, 1}, {0, 24, 1}, {1, 48, 1}};
  constexpr int32_t kDevices[] = {abi::kDLVulkan, abi::kDLMetal, abi::kDLHexagon, abi::kDLMAIA};
  offer.byte_offset = 0;
  draw.Dwarf(offer, 3);
  if (draw.Pick(2) == 0) {
    offer.dtype = kTypes[draw.Pick(4)];
  } else {
    PutOn(offer, {kDevices[draw.Pick(4)], 0}, Placement::kUnmapped);
  }
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUITES_EXCHANGE_API_UNUSABLE_H_
