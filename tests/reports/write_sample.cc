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
  try {
    if (argc == 3) run = dlpack_cts::ReadRun(argv[2]);
    dlpack_cts::WriteReports(run, dlpack_cts::SampleContext(), argv[1]);
  } catch (const dlpack_cts::Failure& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
  const dlpack_cts::TextStyle style{.readings = true};
  dlpack_cts::PrintTree(run, dlpack_cts::SampleContext(), std::cout, style, std::string(argv[1]) + "/index.html");
  dlpack_cts::PrintCensus({run}, std::cout);
  return 0;
}
