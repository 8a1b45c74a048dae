// runner/base/glob.cc: patterns of case ids, and the nearest names.
#include "runner/base/glob.h"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>

namespace dlpack_cts::runner {
namespace {

std::string LowerCase(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

size_t Distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t keep = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = keep;
    }
  }
  return row[b.size()];
}

}  // namespace

bool Matches(const std::string& pattern, const std::string& name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

bool IsSame(const std::string& a, const std::string& b) { return LowerCase(a) == LowerCase(b); }

bool HasPart(const std::string& text, const std::string& part) {
  return LowerCase(text).find(LowerCase(part)) != std::string::npos;
}

std::string Nearest(const std::string& name, const std::vector<std::string>& names) {
  std::vector<std::pair<size_t, std::string>> near;
  const std::string wanted = LowerCase(name);
  for (const std::string& candidate : names) {
    const std::string known = LowerCase(candidate);
    const size_t distance = known.find(wanted) != std::string::npos ? 0 : Distance(wanted, known);
    if (distance <= std::max<size_t>(2, name.size() / 3)) near.emplace_back(distance, candidate);
  }
  std::sort(near.begin(), near.end());
  std::string text;
  for (size_t i = 0; i < near.size() && i < 3; ++i) text += (i == 0 ? "" : ", ") + near[i].second;
  return text.empty() ? "" : "did you mean " + text + "?";
}

}  // namespace dlpack_cts::runner
