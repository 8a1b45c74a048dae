// harness/reproducer/modules.h: the modules that an adapter imports, also from helpers/ beside it.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_MODULES_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_MODULES_H_

#include <map>
#include <string>

namespace dlpack_cts {

/// The modules and packages in the adapter's folder, and in the folder helpers/ beside it, whose names are words in
/// adapter.py, or in another of these files; and the adapters that strided.adapter_of() loads. Keys are paths within
/// the folder, within helpers/, or LIBRARY/adapter.py. Values are texts. Leaves out unreadable files, files that are
/// not Python source, and packages with a compiled module.
std::map<std::string, std::string> ModulesBeside(const std::string& folder, const std::string& adapter);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_MODULES_H_
