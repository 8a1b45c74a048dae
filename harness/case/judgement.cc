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

bool Judgement::ExpectThat(bool holds, std::string_view wanted, std::string_view got, std::string_view message,
                           const Terms& terms) {
  judged_ = true;
  if (holds || !terms.when) return true;
  Breaks({std::string(terms.rule.empty() ? rule_ : terms.rule), terms.degree, std::string(message), "",
          std::string(wanted), std::string(got)});
  return false;
}

void Judgement::Violates(const FactPlace& place, std::string wanted, const FactValue& seen, std::string_view message,
                         const Terms& terms) {
  if (place.fact->known == Known::kExported && ledger_.exports[place.slot].struct_address == 0) {
    return SaysNothing("the export returned no struct");
  }
  Breaks({std::string(terms.rule.empty() ? rule_ : terms.rule), terms.degree, std::string(message),
          KeyOf(*place.record, *place.fact, place.slot, place.index), std::move(wanted),
          place.fact->reader.text(seen) + std::string(terms.detail)});
}

void Judgement::Breaks(Breach breach) {
  judged_ = true;
  if (!breach_ || breach.degree < breach_->degree) breach_ = std::move(breach);
}

}  // namespace dlpack_cts
