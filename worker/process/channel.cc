// worker/process/channel.cc: a pipe with marked lines.
#include "worker/process/channel.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace dlpack_cts::worker {
namespace {

constexpr size_t kLongest = size_t{16} << 20;  // of a line; a longer one is garbage

}  // namespace

Channel::Channel() {
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, receipts_) != 0 || pipe2(ends_, O_CLOEXEC) != 0) return;
  fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  uint64_t drawn = 0;
  if (getrandom(&drawn, sizeof(drawn), GRND_NONBLOCK) != sizeof(drawn)) drawn = reinterpret_cast<uint64_t>(this);
  mark_ = fmt::format("{:016x} ", drawn);
}

Channel::~Channel() {
  if (ends_[0] >= 0) close(ends_[0]);
  if (ends_[1] >= 0) close(ends_[1]);
  if (receipts_[0] >= 0) close(receipts_[0]);
  if (receipts_[1] >= 0) close(receipts_[1]);
}

Output Channel::ChildEnd() {
  close(ends_[0]);
  close(receipts_[0]);
  ends_[0] = receipts_[0] = -1;
  return Output(ends_[1], mark_);
}

void Channel::AwaitReceipt() {
  pollfd waiting{receipts_[1], POLLIN, 0};
  char receipt = 0;
  if (poll(&waiting, 1, 1000) > 0) [[maybe_unused]]
    const ssize_t n = recv(receipts_[1], &receipt, 1, MSG_DONTWAIT);
}

void Channel::SendReceipt() {
  [[maybe_unused]] const ssize_t n = send(receipts_[0], "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Channel::KeepReading() {
  close(ends_[1]);
  close(receipts_[1]);
  ends_[1] = receipts_[1] = -1;
}

bool Channel::Receive(std::vector<nlohmann::json>* lines) {
  char chunk[65536];
  for (;;) {
    const ssize_t n = read(ends_[0], chunk, sizeof(chunk));
    if (n < 0 && errno == EINTR) continue;
    if (n > 0) {
      buffer_.append(chunk, static_cast<size_t>(n));
      TakeLines(lines);
      continue;
    }
    return n < 0;
  }
}

void Channel::TakeLines(std::vector<nlohmann::json>* lines) {
  size_t begin = 0;
  for (size_t end; (end = buffer_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    if (buffer_.compare(begin, mark_.size(), mark_) != 0) continue;
    const char* const text = buffer_.data();
    nlohmann::json line = nlohmann::json::parse(text + begin + mark_.size(), text + end, nullptr, false);
    if (line.is_object()) lines->push_back(std::move(line));
  }
  buffer_.erase(0, begin);
  if (buffer_.size() > kLongest) buffer_.clear();
}

}  // namespace dlpack_cts::worker
