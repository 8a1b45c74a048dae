// worker/subject_factory.cc: opens the subject that a job names.
#include "worker/subject_factory.h"

#include "reference/plugin.h"
#include "subject/native_loader.h"
#include "subject/native_subject.h"
#include "subject/python_loader.h"
#include "worker/process/thrown.h"

namespace dlpack_cts::worker {
namespace {

Subject* OpenPython(const SubjectSource& source, const Job& job, BridgeError* error) {
  const auto open = reinterpret_cast<BridgeOpen>(BridgeSymbol("dlpack_cts_bridge_open"));
  if (open == nullptr) {
    *error = {"the CPython bridge has no function to open a library", "build dlpack-cts again", ""};
    return nullptr;
  }
  BridgeConfig config;
  config.python = job.python;
  config.path = job.path;
  config.library = source.library;
  config.adapter = source.kind == "reference" ? "" : source.adapter;
  config.fork = job.fork;
  config.claims = source.claims;
  return open(config, error);
}

Subject* OpenNative(const SubjectSource& source, BridgeError* error) {
  dlpack_cts_plugin_table table;
  PluginError why;
  try {
    if (source.kind == "reference-native") {
      auto* instance = new Reference;  // never freed, because its subject lives as long as the process
      const dlpack_cts_plugin_table own = ReferencePlugin(*instance);
      if (CheckTable(&own, "the reference", source.claims, &table, &why)) return new NativeSubject(table, instance);
    } else if (LoadPlugin(source.adapter, source.claims, &table, &why)) {
      return new NativeSubject(table);
    }
  } catch (...) {
    why = {"dlpack_cts_plugin(), name() or version() of the plug-in " + source.adapter + " threw " + DescribeThrown(),
           "catch C++ exceptions inside the plug-in, and return an error"};
  }
  *error = {why.message, why.hint, ""};
  return nullptr;
}

}  // namespace

bool NeedsPython(const SubjectSource& source) { return source.kind == "python" || source.kind == "reference"; }

Subject* OpenSubject(const SubjectSource& source, const Job& job, BridgeError* error) {
  return NeedsPython(source) ? OpenPython(source, job, error) : OpenNative(source, error);
}

Subject* OpenReference(const Job& job, BridgeError* error) {
  SubjectSource source = job.subject;
  source.library = "reference";
  source.kind = NeedsPython(job.subject) ? "reference" : "reference-native";
  return OpenSubject(source, job, error);
}

}  // namespace dlpack_cts::worker
