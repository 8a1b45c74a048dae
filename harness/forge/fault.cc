// harness/forge/fault.cc: records a fault in the forge's memory, and lets the program continue.
//
// Everything that a handler calls is async-signal-safe: arithmetic, mprotect, and writes to the ledger.
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "harness/forge/state.h"

namespace dlpack_cts::forge {
namespace {

constexpr size_t kStackBytes = 64 * 1024;
constexpr uint64_t kPageFaultWrite = 2;  // bit of x86's page fault error code

struct sigaction g_previous_segv;
struct sigaction g_previous_bus;

bool IsWrite(const void* context) {
#if defined(__x86_64__)
  const auto* machine = static_cast<const ucontext_t*>(context);
  return (static_cast<uint64_t>(machine->uc_mcontext.gregs[REG_ERR]) & kPageFaultWrite) != 0;
#else
  static_cast<void>(context);
  return false;
#endif
}

uint32_t Distance(uint64_t from, uint64_t to) {
  const uint64_t distance = to >= from ? to - from : from - to;
  return distance > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(distance);
}

uint64_t Address(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

/// The part that the library touched, with an offset in bytes from the start of struct, array or data. In the guards of
/// the data the offset counts bytes after the data (kDataGuard) or before it (kDataFront).
Fault Name(const ForgeState& state, const Place& place, uint64_t address) {
  int index = place.slot;
  if ((place.zone == Zone::kStruct || place.zone == Zone::kStructGuard) && state.owner[index] >= 0) {
    index = state.owner[index];
  }
  const Slot& slot = state.slots[index];
  Region region = Region::kNone;
  uint64_t start = address - place.offset;
  switch (place.zone) {
    case Zone::kStruct:
    case Zone::kStructGuard:
      region = Region::kStruct;
      if (slot.live) start = Address(slot.structure);
      break;
    case Zone::kShape:
    case Zone::kShapeGuard:
      region = Region::kShape;
      if (slot.live && slot.shape != nullptr) start = Address(slot.shape);
      break;
    case Zone::kStrides:
    case Zone::kStridesGuard:
      region = Region::kStrides;
      if (slot.live && slot.strides != nullptr) start = Address(slot.strides);
      break;
    case Zone::kDataFront:
    case Zone::kLargeFront:
      region = Region::kGuard;
      if (slot.live) start = slot.plan.begin;
      break;
    case Zone::kDataGuard:
    case Zone::kFarGuard:
    case Zone::kLargeGuard:
      region = Region::kGuard;
      if (slot.live) start = slot.plan.end;
      break;
    case Zone::kData:
    case Zone::kFarData:
    case Zone::kLarge:
      region = Region::kData;
      if (slot.live) start = slot.plan.begin;
      break;
    case Zone::kUnmapped:
      region = Region::kData;
      if (slot.live) start = slot.plan.element0;
      break;
    case Zone::kFarFront:
      region = Region::kData;
      if (slot.live) start = slot.plan.data;
      break;
    case Zone::kContext:
    case Zone::kContextUnmapped:
      region = Region::kContext;
      break;
    case Zone::kTable:
      region = Region::kTable;
      break;
    case Zone::kTableGuard:
      region = Region::kTable;
      start -= kPage;
      break;
    case Zone::kView:
      region = Region::kView;
      break;
    case Zone::kCount:
      break;
  }
  Fault fault{};
  fault.region = region;
  fault.slot = static_cast<uint8_t>(index);
  fault.after_deleter = slot.live && slot.released;
  fault.offset = Distance(start, address);
  return fault;
}

/// True if the fault was in the memory of a forge, and the page is accessible now.
bool Record(uint64_t address, bool write) {
  ForgeState* const around = StateAround(address);
  if (around == nullptr) return false;
  ForgeState& state = *around;
  const Place place = state.arena.Find(address);
  const Locked locked(state.lock);
  if (!state.arena.Protect(reinterpret_cast<uint8_t*>(address), 1, Access::kReadWrite)) return false;
  Fault fault = Name(state, place, address);
  fault.write = write;
  Ledger* const ledger = state.slots[fault.slot].live ? state.slots[fault.slot].ledger : state.ledger;
  if (ledger == nullptr) return true;
  fault.step = ledger->Step();
  const int32_t index = Count(ledger->fault_count);
  if (index >= 0 && index < kFaults) ledger->faults[index] = fault;
  ledger->Add(Seen::kFault, fault.slot, index);
  return true;
}

/// Passes a fault of other memory to the handler that was installed before.
void PassOn(int signal, siginfo_t* info, void* context) {
  const struct sigaction& previous = signal == SIGBUS ? g_previous_bus : g_previous_segv;
  if ((previous.sa_flags & SA_SIGINFO) != 0) {
    previous.sa_sigaction(signal, info, context);
    return;
  }
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
    return;
  }
  struct sigaction plain{};
  plain.sa_handler = SIG_DFL;
  sigaction(signal, &plain, nullptr);
  // A fault occurs again when the instruction is repeated; a signal that was sent does not.
  if (info->si_code <= 0) raise(signal);
}

/// Where this thread continues if Touch() faults; NULL while foreign code runs.
thread_local sigjmp_buf* volatile g_touching = nullptr;

void Handle(int signal, siginfo_t* info, void* context) {
  const bool fault = info->si_code > 0;
  if (fault && g_touching != nullptr) siglongjmp(*g_touching, 1);
  if (fault && Record(Address(info->si_addr), IsWrite(context))) return;
  PassOn(signal, info, context);
}

void Install(int signal, struct sigaction& previous) {
  struct sigaction ours{};
  ours.sa_sigaction = Handle;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  struct sigaction before{};
  sigaction(signal, &ours, &before);
  const bool already = (before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction == Handle;
  if (!already) previous = before;
}

/// A stack overflow can only be reported on another stack.
void GiveStack() {
  stack_t has{};
  if (sigaltstack(nullptr, &has) == 0 && (has.ss_flags & SS_DISABLE) == 0 && has.ss_size >= kStackBytes) return;
  void* memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = kStackBytes;
  sigaltstack(&stack, nullptr);
}

__attribute__((noinline, no_sanitize("address"))) void TouchPages(uint64_t address, uint64_t size) {
  uint64_t pages = (address + (size - 1)) / kPage - address / kPage + 1;
  for (uint64_t at = address; pages > 0; --pages, at = (at / kPage + 1) * kPage) {
    static_cast<void>(*reinterpret_cast<const volatile uint8_t*>(at));
  }
}

bool IsOurs(int signal) {
  struct sigaction now{};
  return sigaction(signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == Handle;
}

}  // namespace

bool HandlersAreInstalled() { return IsOurs(SIGSEGV) && IsOurs(SIGBUS); }

bool Touch(uint64_t address, uint64_t size) {
  sigjmp_buf back;
  if (sigsetjmp(back, 0) != 0) {
    g_touching = nullptr;
    sigset_t faults;  // still blocked, because the handler did not return
    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    sigaddset(&faults, SIGBUS);
    pthread_sigmask(SIG_UNBLOCK, &faults, nullptr);
    return false;
  }
  g_touching = &back;
  TouchPages(address, size);
  g_touching = nullptr;
  return true;
}

void InstallHandlers() {
  GiveStack();
  Install(SIGSEGV, g_previous_segv);
  Install(SIGBUS, g_previous_bus);
}

}  // namespace dlpack_cts::forge
