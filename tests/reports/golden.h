// tests/reports/golden.h: compares a text with a file of testdata/, or writes it when DLPACK_CTS_UPDATE_GOLDEN is set.
#ifndef DLPACK_CTS_TESTS_REPORTS_GOLDEN_H_
#define DLPACK_CTS_TESTS_REPORTS_GOLDEN_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace dlpack_cts {

inline std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

inline void ExpectGolden(const std::string& name, const std::string& text) {
  const std::string path = std::string(REPORTS_TESTDATA) + "/" + name;
  if (std::getenv("DLPACK_CTS_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(ReadText(path), text) << "look at the difference; DLPACK_CTS_UPDATE_GOLDEN=1 writes " << path;
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_TESTS_REPORTS_GOLDEN_H_
