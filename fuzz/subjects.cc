// fuzz/subjects.cc: opens a Python library, a native plug-in, or the reference.
#include "fuzz/subjects.h"

#include "base/failure.h"
#include "reference/plugin.h"
#include "subject/native_loader.h"
#include "subject/native_subject.h"
#include "subject/python_loader.h"

namespace dlpack_cts::fuzz {
namespace {

constexpr uint32_t kNoClaims = 0;

Subject& OpenPython(const Settings& settings) {
  BridgeConfig config;
  config.python = settings.python;
  config.library = settings.library;
  config.adapter = settings.kind == "reference" ? "" : settings.adapter;
  LoadBridge(settings.libpython);
  StartPython(config);
  return OpenInPython(config);
}

Subject& OpenReference() {
  auto* instance = new Reference;
  const dlpack_cts_plugin_table own = ReferencePlugin(*instance);
  return *new NativeSubject(CheckTable(&own, "the reference", kNoClaims), instance);
}

Subject& OpenPlugin(const std::string& path) {
  try {
    return *new NativeSubject(LoadPlugin(path, kNoClaims));
  } catch (const Failure&) {
    throw;
  } catch (...) {
    throw Failure("dlpack_cts_plugin(), name() or version() of the plug-in " + path + " threw an exception",
                  "catch C++ exceptions inside the plug-in, and return an error");
  }
}

}  // namespace

Subject& OpenSubject(const Settings& settings) {
  if (NeedsPython(settings)) return OpenPython(settings);
  if (settings.kind == "reference-native") return OpenReference();
  if (settings.kind == "native") return OpenPlugin(settings.adapter);
  throw Failure("the kind " + settings.kind + " cannot be fuzzed",
                "the kinds are python, native, reference and reference-native");
}

}  // namespace dlpack_cts::fuzz
