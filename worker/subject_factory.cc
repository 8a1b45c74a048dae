// worker/subject_factory.cc: opens the subject that a job names.
#include "worker/subject_factory.h"

#include <string>

#include "base/failure.h"
#include "reference/plugin.h"
#include "subject/native_loader.h"
#include "subject/native_subject.h"
#include "subject/python_loader.h"
#include "worker/process/thrown.h"

namespace dlpack_cts::worker {
namespace {

Subject& OpenPython(const SubjectSource& source, const Job& job) {
  BridgeConfig config;
  config.python = job.python;
  config.path = job.path;
  config.library = source.library;
  config.adapter = source.kind == "reference" ? "" : source.adapter;
  config.fork = job.fork;
  config.claims = source.claims;
  return OpenInPython(config);
}

/// It lives as long as the process.
Subject& OpenNative(const SubjectSource& source) {
  try {
    if (source.kind != "reference-native") return *new NativeSubject(LoadPlugin(source.adapter, source.claims));
    auto* instance = new Reference;  // never freed, because its subject lives as long as the process
    const dlpack_cts_plugin_table own = ReferencePlugin(*instance);
    return *new NativeSubject(CheckTable(&own, "the reference", source.claims), instance);
  } catch (const Failure&) {
    throw;
  } catch (...) {
    throw Failure(
        "dlpack_cts_plugin(), name() or version() of the plug-in " + source.adapter + " threw " + DescribeThrown(),
        "catch C++ exceptions inside the plug-in, and return an error");
  }
}

}  // namespace

bool NeedsPython(const SubjectSource& source) { return source.kind == "python" || source.kind == "reference"; }

Subject& OpenSubject(const SubjectSource& source, const Job& job) {
  return NeedsPython(source) ? OpenPython(source, job) : OpenNative(source);
}

Subject& OpenReference(const Job& job) {
  SubjectSource source = job.subject;
  source.library = "reference";
  source.kind = NeedsPython(job.subject) ? "reference" : "reference-native";
  try {
    return OpenSubject(source, job);
  } catch (const Failure& failure) {
    throw Failure(failure.what(), failure.hint(), kHarness, failure.detail());
  }
}

}  // namespace dlpack_cts::worker
