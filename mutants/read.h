// mutants/read.h: reads mutant files.
#ifndef DLPACK_CTS_MUTANTS_READ_H_
#define DLPACK_CTS_MUTANTS_READ_H_

#include <span>
#include <string_view>
#include <vector>

#include "mutants/mutant.h"
#include "mutants/values.h"

namespace dlpack_cts {

struct MutantFile {
  std::string_view name;  // "mutants/c-data.toml"
  std::string_view text;
};

/// The files of the program. CMake puts them there.
std::span<const MutantFile> MutantFiles();

/// The mutants of all files, sorted by name. Throws a Failure with file, line, mutant and field.
std::vector<Mutant> ReadMutants(std::span<const MutantFile> files);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_MUTANTS_READ_H_
