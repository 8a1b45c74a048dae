// harness/reproducer/adapter.h: leaves out of an adapter what a script does not use.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_ADAPTER_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_ADAPTER_H_

#include <map>
#include <string>
#include <string_view>

namespace dlpack_cts {

/// The text of adapter.py, and the modules that it imports from its own folder, by path.
struct AdapterText {
  std::string text;
  std::map<std::string, std::string> modules;
};

/// The parts that `code` names, and those that these name:
///  - a function or class without a decorator stays if its name is a word of another part;
///  - an import of one of the modules stays if the imported name is such a word, and so do the modules;
///  - without modules, a statement `sys.path.insert(... __file__ ...)` goes.
/// All other statements stay. An adapter that these rules might misread stays whole: it has text in triple quotes over
/// several lines, continued lines, carriage returns, or looks up names at run time.
AdapterText WithoutUnused(const AdapterText& adapter, std::string_view code);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_ADAPTER_H_
