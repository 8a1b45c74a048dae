// harness/forge/readable.cc: checks whether memory is readable, without a fault.
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "harness/forge/state.h"

namespace dlpack_cts {
namespace {

using forge::kPage;

constexpr uint64_t kBatch = 256;

thread_local int t_looking = 0;
thread_local std::optional<bool> t_ours;  // valid only while t_looking

bool FaultsAreOurs() {
  if (t_looking == 0) return forge::HandlersAreInstalled();
  if (!t_ours) t_ours = forge::HandlersAreInstalled();
  return *t_ours;
}

/// Writes one byte of each page to a pipe, for machines that forbid process_vm_readv.
bool ReadableByPipe(uint64_t address, uint64_t size) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return false;
  bool readable = true;
  for (uint64_t at = address; readable && at - address < size; at = (at / kPage + 1) * kPage) {
    readable = write(ends[1], reinterpret_cast<const void*>(at), 1) == 1;
    char byte;
    if (readable && read(ends[0], &byte, 1) != 1) break;
  }
  close(ends[0]);
  close(ends[1]);
  return readable;
}

}  // namespace

Forge::Looking::Looking() { ++t_looking; }

Forge::Looking::~Looking() {
  if (--t_looking == 0) t_ours.reset();
}

void Forge::Looking::Renew() { t_ours.reset(); }

bool Forge::IsReadable(uint64_t address, uint64_t size) {
  if (size == 0) return true;
  if (address + (size - 1) < address) return false;
  const forge::ForgeState* const state = forge::StateAround(address);
  // For memory of the forge, the table of pages has the answer.
  if (state != nullptr) return state->arena.Allows(address, size, forge::Access::kRead);
  if (forge::StateAround(address + (size - 1)) != nullptr) return false;
  if (FaultsAreOurs()) return forge::Touch(address, size);
  uint8_t bytes[kBatch];
  iovec pages[kBatch];
  uint64_t left = (address + (size - 1)) / kPage - address / kPage + 1;
  for (uint64_t at = address; left > 0;) {
    const uint64_t batch = std::min(left, kBatch);
    for (uint64_t i = 0; i < batch; ++i) {
      pages[i] = {reinterpret_cast<void*>(at), 1};
      at = (at / kPage + 1) * kPage;
    }
    iovec into = {bytes, batch};
    const ssize_t got = process_vm_readv(getpid(), &into, 1, pages, batch, 0);
    if (got < 0 && errno != EFAULT) return ReadableByPipe(address, size);
    if (got != static_cast<ssize_t>(batch)) return false;
    left -= batch;
  }
  return true;
}

}  // namespace dlpack_cts
