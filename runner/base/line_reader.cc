// runner/base/line_reader.cc: finds the lines of a worker in the data that comes through its pipe.
#include "runner/base/line_reader.h"

#include <algorithm>
#include <cstdio>
#include <random>

namespace dlpack_cts::runner {

void LineReader::Append(std::string_view piece) {
  if (garbage_) return;
  // Once the line is as long as the mark, it is known whether the line comes from the worker.
  if (line_.size() < mark_.size()) {
    const size_t missing = std::min(mark_.size() - line_.size(), piece.size());
    line_ += piece.substr(0, missing);
    piece.remove_prefix(missing);
  }
  garbage_ = line_.compare(0, mark_.size(), mark_, 0, line_.size()) != 0 || line_.size() + piece.size() > kLongest;
  if (garbage_) {
    std::string().swap(line_);
  } else {
    line_ += piece;
  }
}

void LineReader::Feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    Append(bytes.substr(0, end));
    if (end == std::string_view::npos) return;
    if (!garbage_ && line_.size() > mark_.size()) lines_.push_back(line_.substr(mark_.size()));
    line_.clear();
    garbage_ = false;
    bytes.remove_prefix(end + 1);
  }
}

bool LineReader::Next(std::string* line) {
  if (lines_.empty()) return false;
  *line = std::move(lines_.front());
  lines_.pop_front();
  return true;
}

std::string DrawMark() {
  std::random_device random;
  std::string mark;
  for (int i = 0; i < 4; ++i) {
    char hex[12];
    std::snprintf(hex, sizeof(hex), "%08x", random());
    mark += hex;
  }
  return mark + " ";
}

}  // namespace dlpack_cts::runner
