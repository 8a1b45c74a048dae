// harness/case/judgement.cc: keeps the most severe violation of one example.
#include "harness/case/judgement.h"

#include "harness/recipe/dtypes.h"

namespace dlpack_cts {

bool Judgement::TakesType(abi::DLDataType dtype) const {
  const int index = DataTypeIndex(dtype);
  return profile_ != nullptr && index >= 0 && ((profile_->takes_dtypes >> index) & 1u) != 0;
}

bool Judgement::IsPlain(abi::DLDataType dtype) const {
  return profile_ != nullptr && dtype == DataTypes()[profile_->plain_dtype].dtype;
}

void Judgement::SaysNothing(std::string_view why) {
  judged_ = true;
  why_nothing_ = why;
}

void Judgement::Breaks(Breach breach) {
  judged_ = true;
  if (!breach_ || breach.degree < breach_->degree) breach_ = std::move(breach);
}

}  // namespace dlpack_cts
