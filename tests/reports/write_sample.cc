// tests/reports/write_sample.cc: writes the reports of the sample run, or of a result file, into a folder; for checks
// by other programs and for eyes.
#include <cstdio>
#include <iostream>

#include "tests/reports/sample_run.h"

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fprintf(stderr, "usage: write_sample FOLDER [RESULTS]\n");
    return 2;
  }
  dlpack_cts::Run run = dlpack_cts::SampleRun();
  std::string error;
  const bool read = argc != 3 || dlpack_cts::ReadRun(argv[2], &run, &error);
  const auto unwritten = read ? dlpack_cts::WriteReports(run, dlpack_cts::SampleContext(), argv[1]) : std::nullopt;
  if (unwritten) error = unwritten->message;
  if (!read || unwritten) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  dlpack_cts::PrintTree(run, dlpack_cts::SampleContext(), std::cout, {}, std::string(argv[1]) + "/index.html");
  return 0;
}
