// runner/base/glob.cc: patterns of case ids, and the nearest names.
#include "runner/base/glob.h"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <tuple>

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
  // A name that is nearly the same comes before one that contains the text: "claims" is the word "claim", and not a
  // case.
  struct Near {
    size_t distance;
    size_t size;
    std::string name;
  };
  const std::string wanted = LowerCase(name);
  const size_t farthest = std::max<size_t>(2, name.size() / 3);
  std::vector<Near> near;
  for (const std::string& candidate : names) {
    const std::string known = LowerCase(candidate);
    const bool contains = known.find(wanted) != std::string::npos;
    const size_t distance = Distance(wanted, known);
    if (contains || distance <= farthest)
      near.push_back({std::min(distance, farthest + 1), distance <= farthest ? 0 : known.size(), candidate});
  }
  std::ranges::sort(near, [](const Near& a, const Near& b) {
    return std::tie(a.distance, a.size, a.name) < std::tie(b.distance, b.size, b.name);
  });
  std::string text;
  for (size_t i = 0; i < near.size() && i < 3; ++i) text += (i == 0 ? "" : ", ") + near[i].name;
  return text.empty() ? "" : "did you mean " + text + "?";
}

}  // namespace dlpack_cts::runner
