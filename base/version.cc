// base/version.cc: conditions on version numbers.
#include "base/version.h"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <sstream>
#include <vector>

namespace dlpack_cts {
namespace {

std::vector<int> Parts(const std::string& version) {
  std::vector<int> parts;
  std::stringstream stream(version);
  std::string part;
  while (std::getline(stream, part, '.')) {
    const size_t digits = part.find_first_not_of("0123456789");
    if (digits == 0) break;
    parts.push_back(std::atoi(part.substr(0, std::min<size_t>(digits, 9)).c_str()));
    if (digits != std::string::npos) break;  // "0+cpu", "0rc1": the rest has no order
  }
  while (parts.size() < 4) parts.push_back(0);
  return parts;
}

bool Satisfies(const std::string& condition, const std::string& version) {
  const size_t begin = condition.find_first_of("0123456789");
  if (begin == std::string::npos) return false;
  const std::string op = condition.substr(0, begin);
  const std::vector<int> wanted = Parts(condition.substr(begin));
  const std::vector<int> got = Parts(version);
  if (op == "==") return got == wanted;
  if (op == "!=") return got != wanted;
  if (op == "<") return got < wanted;
  if (op == "<=") return got <= wanted;
  if (op == ">") return got > wanted;
  return op == ">=" && got >= wanted;
}

}  // namespace

bool VersionMatches(const std::string& conditions, const std::string& version) {
  std::stringstream stream(conditions);
  std::string condition;
  while (std::getline(stream, condition, ',')) {
    std::erase(condition, ' ');
    if (!Satisfies(condition, version)) return false;
  }
  return true;
}

std::string WrongCondition(const std::string& conditions) {
  static const std::regex kCondition(R"( *(==|!=|<|<=|>|>=) *[0-9]{1,8}(\.[0-9]{1,8})* *)");
  std::stringstream stream(conditions);
  std::string condition;
  while (std::getline(stream, condition, ',')) {
    if (!std::regex_match(condition, kCondition)) return condition;
  }
  return conditions.ends_with(',') ? "," : "";
}

}  // namespace dlpack_cts
