// worker/process/lost_threads.cc: counts and names the threads of this process.
#include "worker/process/lost_threads.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cctype>
#include <fstream>
#include <set>
#include <string_view>

namespace dlpack_cts::worker {
namespace {

constexpr size_t kNamed = 6;
constexpr unsigned kLinksOfOneThread = 3;  // ".", ".." and the thread

/// Without what no report could print.
std::string NameOf(const std::string& thread) {
  std::string name;
  std::getline(std::ifstream("/proc/self/task/" + thread + "/comm"), name);
  for (char& c : name) {
    if (std::isprint(static_cast<unsigned char>(c)) == 0) c = '?';
  }
  return name;
}

}  // namespace

std::string OtherThreads() {
  struct stat tasks{};
  // This is called before every fork, and most processes have one thread.
  if (stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink <= kLinksOfOneThread) return "";
  DIR* const folder = opendir("/proc/self/task");
  if (folder == nullptr) return "";
  const std::string own = std::to_string(syscall(SYS_gettid));
  const std::string usual = NameOf(own);
  int count = 0;
  std::set<std::string> names;  // a thread without a name of its own has that of the thread that started it
  while (const dirent* const entry = readdir(folder)) {
    const std::string thread = entry->d_name;
    if (thread.front() == '.' || thread == own) continue;
    ++count;
    const std::string name = NameOf(thread);
    if (!name.empty() && name != usual) names.insert(name);
  }
  closedir(folder);
  if (count == 0) return "";
  std::string text = count == 1 ? "1 thread" : fmt::format("{} threads", count);
  size_t listed = 0;
  for (const std::string& name : names) {
    if (listed++ == kNamed) break;
    text += (listed == 1 ? " (" : ", ") + name;
  }
  if (listed > kNamed) text += " and others";
  return listed == 0 ? text : text + ")";
}

}  // namespace dlpack_cts::worker
