// tests/forge/fixture.h: a clean forge and ledger per test, and offers to start from.
#ifndef DLPACK_CTS_TESTS_FORGE_FIXTURE_H_
#define DLPACK_CTS_TESTS_FORGE_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>

#include "harness/forge/forge.h"
#include "harness/ledger/facts.h"
#include "harness/recipe/elements.h"

namespace dlpack_cts {

class ForgeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Clear(ledger_);
    Forge::InstallFaultHandler();
  }

  static Offer Matrix(StructKind kind = StructKind::kVersioned) {
    Offer offer = MakeRecipe(RecipeKind::kImport).offer();
    offer.kind = kind;
    offer.strides_kind = StridesKind::kCompact;
    SetShape(offer, {4, 6});
    return offer;
  }

  static void SetShape(Offer& offer, std::initializer_list<int64_t> shape) {
    offer.dims = 0;
    for (const int64_t extent : shape) offer.shape[offer.dims++] = extent;
    offer.ndim = offer.dims;
  }

  static void SetStrides(Offer& offer, std::initializer_list<int64_t> strides) {
    offer.strides_kind = StridesKind::kExplicit;
    int d = 0;
    for (const int64_t stride : strides) offer.strides[d++] = stride;
  }

  /// Touches one byte, as a library that goes astray.
  // The fault handler changes the ledger behind the compiler's back, hence the fences.
  [[gnu::noinline]] static uint8_t Read(const void* address) {
    asm volatile("" ::: "memory");
    const uint8_t value = *static_cast<const volatile uint8_t*>(address);
    asm volatile("" ::: "memory");
    return value;
  }
  static uint8_t Read(uint64_t address) { return Read(reinterpret_cast<const void*>(address)); }
  static void Write(uint64_t address, uint8_t value) {
    asm volatile("" ::: "memory");
    *reinterpret_cast<volatile uint8_t*>(address) = value;
    asm volatile("" ::: "memory");
  }

  static void CallDeleter(const Offered& offered) {
    if (offered.kind == StructKind::kLegacy) {
      auto* managed = static_cast<abi::DLManagedTensor*>(offered.managed);
      managed->deleter(managed);
    } else {
      auto* managed = static_cast<abi::DLManagedTensorVersioned*>(offered.managed);
      managed->deleter(managed);
    }
  }

  std::string FaultText(int index = 0) const { return Fact(ledger_, "fault" + std::to_string(index)); }
  const DeleterLedger& Deleter(int slot = 0) const { return ledger_.imports[slot].deleter; }

  Ledger ledger_;
  Forge forge_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_TESTS_FORGE_FIXTURE_H_
