// worker/process/channel.h: the pipe through which a child reports to the fork server.
//
// The library can write to the child's descriptor, so every line begins with a mark that only this child knows. Lines
// without it are dropped. Only the fork server writes to the driver.
#ifndef DLPACK_CTS_WORKER_PROCESS_CHANNEL_H_
#define DLPACK_CTS_WORKER_PROCESS_CHANNEL_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "worker/process/output.h"

namespace dlpack_cts::worker {

class Channel {
 public:
  /// Makes the pipe. IsOpen() is false if that failed, with errno set.
  Channel();
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  bool IsOpen() const { return ends_[0] >= 0; }

  /// In the child, after the fork: the end to write to. Closes the other one.
  Output ChildEnd();

  /// In the child: waits until the fork server has forwarded the last line, at most one second. So no result is lost if
  /// the library kills the fork server in the next case.
  void AwaitReceipt();
  /// In the fork server: confirms that the line was forwarded.
  void SendReceipt();

  /// In the fork server, after the fork: closes the child's end.
  void KeepReading();
  /// The descriptor to poll.
  int fd() const { return ends_[0]; }
  /// Complete lines that have arrived, without waiting. False at the end of the pipe.
  bool Receive(std::vector<nlohmann::json>* lines);

 private:
  void TakeLines(std::vector<nlohmann::json>* lines);

  int ends_[2] = {-1, -1};
  int receipts_[2] = {-1, -1};  // the end of the fork server, the end of the child
  std::string mark_;
  std::string buffer_;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROCESS_CHANNEL_H_
