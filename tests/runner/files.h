// tests/runner/files.h: a folder for one test, removed at its end.
#ifndef DLPACK_CTS_TESTS_RUNNER_FILES_H_
#define DLPACK_CTS_TESTS_RUNNER_FILES_H_

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace dlpack_cts::runner {

class TestFolder {
 public:
  TestFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "dlpack-cts-test-XXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::string& path() const { return path_; }

  /// Returns the path of the file.
  std::string Write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = std::filesystem::path(path_) / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file;
  }

 private:
  std::string path_;
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_TESTS_RUNNER_FILES_H_
