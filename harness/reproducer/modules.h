// harness/reproducer/modules.h: what an adapter imports from its own folder.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_MODULES_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_MODULES_H_

#include <map>
#include <string>

namespace dlpack_cts {

/// The modules and packages beside adapter.py whose names stand as words in its text, and those that these name: paths
/// within the folder, and texts. What cannot be read, or is no Python source, is left out.
std::map<std::string, std::string> ModulesBeside(const std::string& folder, const std::string& adapter);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_MODULES_H_
