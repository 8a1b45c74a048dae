// tests/forge/guard_test.cc: each place faults exactly where it should, and the fault has the name of the field.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "harness/recipe/elements.h"
#include "tests/forge/fixture.h"

namespace dlpack_cts {
namespace {

using GuardTest = ForgeTest;

uint64_t Address(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

TEST_F(GuardTest, StructEndsAtGuard) {
  for (const StructKind kind : {StructKind::kLegacy, StructKind::kVersioned}) {
    Clear(ledger_);
    forge_.Reset();
    const uint64_t size = kind == StructKind::kLegacy ? 64 : 80;
    const Offered offered = forge_.Make(Matrix(kind), 2, ledger_);
    Read(Address(offered.managed) + size - 1);
    EXPECT_EQ(ledger_.fault_count, 0);
    Read(Address(offered.managed) + size);
    EXPECT_EQ(FaultText(), "read struct+" + std::to_string(size));
    EXPECT_EQ(ledger_.faults[0].slot, 2);
  }
}

TEST_F(GuardTest, ShapeAndStridesEndAtGuards) {
  const Offered offered = forge_.Make(Matrix(), 0, ledger_);
  EXPECT_EQ(offered.tensor->shape[1], 6);
  EXPECT_EQ(ledger_.fault_count, 0);
  Read(offered.tensor->shape + 2);
  EXPECT_EQ(FaultText(0), "read shape+16");
  Read(offered.tensor->strides + 2);
  EXPECT_EQ(FaultText(1), "read strides+16");
}

TEST_F(GuardTest, ManyDimensionsEndAtGuardsToo) {
  Offer offer = Matrix();
  offer.ndim = 1000;
  offer.fill_extent = 1;
  const Offered offered = forge_.Make(offer, 0, ledger_);
  EXPECT_EQ(offered.tensor->shape[999], 1);
  EXPECT_EQ(ledger_.fault_count, 0);
  Read(offered.tensor->shape + 1000);
  EXPECT_EQ(FaultText(), "read shape+8000");
}

TEST_F(GuardTest, ScalarMetadataPointsAtTheGuard) {
  Offer offer = Matrix();
  SetShape(offer, {});
  const Offered offered = forge_.Make(offer, 0, ledger_);
  ASSERT_NE(offered.tensor->shape, nullptr);
  Read(offered.tensor->shape);
  EXPECT_EQ(FaultText(), "read shape+0");
  offer.null_shape = 1;
  offer.strides_kind = StridesKind::kNull;
  EXPECT_EQ(forge_.Make(offer, 1, ledger_).tensor->shape, nullptr);
  EXPECT_EQ(forge_.Make(offer, 1, ledger_).tensor->strides, nullptr);
}

TEST_F(GuardTest, DataEndsAtGuard) {
  Offer offer = Matrix();
  SetShape(offer, {16});
  offer.alignment_log2 = 6;
  forge_.Make(offer, 0, ledger_);
  const uint64_t end = forge_.FirstElement(0) + 64;
  EXPECT_EQ(end % 4096, 0u);
  Read(end - 1);
  EXPECT_EQ(ledger_.fault_count, 0);
  Read(end);
  EXPECT_EQ(FaultText(), "read guard+0");
  Write(end + 5, 1);
  EXPECT_EQ(ledger_.fault_count, 1);
}

TEST_F(GuardTest, DataStartsAtGuard) {
  Offer offer = Matrix();
  offer.placement = Placement::kStartsAtGuard;
  offer.alignment_log2 = 6;
  forge_.Make(offer, 0, ledger_);
  const uint64_t first = forge_.FirstElement(0);
  EXPECT_EQ(first % 4096, 64u);
  Write(first - 65, 1);
  EXPECT_EQ(FaultText(), "write guard+65");
}

TEST_F(GuardTest, ReadOnlyPageIsReadableAndNotWritable) {
  Offer offer = Matrix();
  offer.placement = Placement::kReadOnlyPage;
  forge_.Make(offer, 0, ledger_);
  const uint64_t first = forge_.FirstElement(0);
  const uint8_t value = Read(first);
  EXPECT_EQ(ledger_.fault_count, 0);
  Write(first, static_cast<uint8_t>(~value));
  EXPECT_EQ(FaultText(), "write data+0");
  forge_.CheckUnchanged(0);
  EXPECT_EQ(ledger_.imports[0].changed_bytes, 1);
}

TEST_F(GuardTest, UnmappedDataFaults) {
  Offer offer = Matrix();
  offer.placement = Placement::kUnmapped;
  offer.byte_offset = 64;
  const Offered offered = forge_.Make(offer, 0, ledger_);
  EXPECT_FALSE(Forge::IsReadable(forge_.FirstElement(0), 1));
  Read(Address(offered.tensor->data) + 64);
  EXPECT_EQ(FaultText(), "read data+0");
}

TEST_F(GuardTest, FarDataStartsAfterFourGibibytes) {
  Offer offer = Matrix();
  offer.placement = Placement::kFarOffset;
  offer.byte_offset = (uint64_t{1} << 32) + 64;
  const Offered offered = forge_.Make(offer, 3, ledger_);
  const uint64_t data = Address(offered.tensor->data);
  EXPECT_EQ(data + offer.byte_offset, forge_.FirstElement(3));
  EXPECT_EQ(Read(data + 64), 0) << "a truncated offset reads zeros";
  EXPECT_EQ(ledger_.fault_count, 0);
  uint8_t wanted[4];
  ElementBits(offer.dtype, SlotSeed(offer.seed, 3), 0, wanted);
  EXPECT_EQ(std::memcmp(reinterpret_cast<void*>(forge_.FirstElement(3)), wanted, 4), 0);
  Write(data + 64, 1);
  EXPECT_EQ(FaultText(), "write data+64");
  CallDeleter(offered);
  forge_.Reset();
  Clear(ledger_);
  forge_.Make(offer, 3, ledger_);
  Write(data + 64, 1);
  EXPECT_EQ(ledger_.fault_count, 1) << "Reset() closes the page again";
}

TEST_F(GuardTest, DataHoldsNullOrTheForeignHandle) {
  Offer offer = Matrix();
  offer.placement = Placement::kNull;
  EXPECT_EQ(forge_.Make(offer, 0, ledger_).tensor->data, nullptr);
  offer.placement = Placement::kForeignHandle;
  EXPECT_EQ(Address(forge_.Make(offer, 0, ledger_).tensor->data), 1u);
}

TEST_F(GuardTest, BodyOfAnotherMajorIsInaccessible) {
  Offer offer = Matrix();
  offer.place = StructPlace::kBodyUnmapped;
  offer.major = 2;
  const Offered offered = forge_.Make(offer, 0, ledger_);
  const auto* managed = static_cast<abi::DLManagedTensorVersioned*>(offered.managed);
  EXPECT_EQ(managed->version.major, 2u);
  EXPECT_EQ(managed->flags, 0u);
  EXPECT_EQ(ledger_.fault_count, 0);
  EXPECT_EQ(offered.tensor->ndim, 2) << "the fault opens the page, and the real content is there";
  EXPECT_EQ(FaultText(), "read struct+48");
  CallDeleter(offered);
  EXPECT_EQ(ledger_.fault_count, 1);
  EXPECT_EQ(ledger_.imports[0].changed_parts, 0u);
}

TEST_F(GuardTest, ReadOnlyStructCannotBeWritten) {
  Offer offer = Matrix();
  offer.place = StructPlace::kReadOnly;
  const Offered offered = forge_.Make(offer, 0, ledger_);
  Write(Address(offered.tensor) + 16, 3);
  Write(Address(offered.tensor->shape), 9);
  EXPECT_EQ(FaultText(0), "write struct+48");
  EXPECT_EQ(FaultText(1), "write shape+0");
  CallDeleter(offered);
  EXPECT_EQ(Fact(ledger_, "import0.changed"), "ndim shape");
}

TEST_F(GuardTest, WriteToAPageBeforeFarDataFaultsOnce) {
  Offer offer = Matrix();
  offer.placement = Placement::kFarOffset;
  offer.byte_offset = (uint64_t{4} << 30) + 64;
  const Offered offered = forge_.Make(offer, 0, ledger_);
  const uint64_t data = Address(offered.tensor->data);
  alarm(10);  // in case the fault repeats forever
  Write(data, 1);
  Write(data + 2 * 4096, 1);
  Write(data, 2);
  alarm(0);
  EXPECT_EQ(ledger_.fault_count, 2);
  forge_.Reset();
  EXPECT_EQ(Read(data), 0) << "the next offer reads zeros there";
}

TEST_F(GuardTest, FaultsAreOnTheTimelineWithTheirStep) {
  const Offered offered = forge_.Make(Matrix(), 1, ledger_);
  ledger_.step = 7;
  Read(offered.tensor->shape + 2);
  EXPECT_EQ(ledger_.faults[0].step, 7);
  ASSERT_EQ(ledger_.event_count, 1);
  EXPECT_EQ(ledger_.events[0].seen, Seen::kFault);
  EXPECT_EQ(ledger_.events[0].slot, 1);
}

TEST_F(GuardTest, ForeignFaultEndsTheProcess) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // Under AddressSanitizer its own handler was there before; it ends the process too.
    close(STDERR_FILENO);
    Forge::InstallFaultHandler();
    Read(uint64_t{64});
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) ? WTERMSIG(status) == SIGSEGV : WEXITSTATUS(status) != 0);
}

TEST_F(GuardTest, SentSegvEndsTheProcess) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    close(STDERR_FILENO);
    kill(getpid(), SIGSEGV);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) ? WTERMSIG(status) == SIGSEGV : WEXITSTATUS(status) != 0);
}

TEST_F(GuardTest, ForkedChildHasItsOwnMemory) {
  forge_.Make(Matrix(), 0, ledger_);
  const uint8_t before = Read(forge_.FirstElement(0));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Write(forge_.FirstElement(0), static_cast<uint8_t>(~before));
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(Read(forge_.FirstElement(0)), before);
}

TEST_F(GuardTest, ReadabilityIsCheckedWithoutAFault) {
  const Offered offered = forge_.Make(Matrix(), 0, ledger_);
  EXPECT_TRUE(Forge::IsReadable(Address(offered.managed), 80));
  EXPECT_FALSE(Forge::IsReadable(Address(offered.managed), 81));
  EXPECT_TRUE(Forge::IsReadable(Address(this), sizeof(*this)));
  EXPECT_FALSE(Forge::IsReadable(1, 1));
  EXPECT_FALSE(Forge::IsReadable(UINT64_MAX - 2, 8));
  EXPECT_TRUE(Forge::IsReadable(1, 0));
  EXPECT_EQ(ledger_.fault_count, 0);
}

}  // namespace
}  // namespace dlpack_cts
