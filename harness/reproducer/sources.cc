// harness/reproducer/sources.cc: the keys that rules/README.md explains, written out.
#include "harness/reproducer/sources.h"

#include <array>

namespace dlpack_cts {
namespace {

struct Key {
  std::string_view key;
  std::string_view text;
};

/// Documents, cited by line.
constexpr std::array kDocuments = {
    Key{"H13", "dlpack.h of DLPack 1.3"},
    Key{"H12", "dlpack.h of DLPack 1.2"},
    Key{"H11", "dlpack.h of DLPack 1.1"},
    Key{"HM", "dlpack.h after DLPack 1.3"},
    Key{"PS", "DLPack's docs/source/python_spec.rst"},
    Key{"PS-D", "the draft of python_spec.rst in dmlc/dlpack#101"},
    Key{"PS-O", "python_spec.rst of DLPack 0.8"},
    Key{"AO", "array API, array_object.py"},
    Key{"CF", "array API, creation_functions.py"},
    Key{"DI", "array API, data_interchange.rst"},
    Key{"CV", "array API, copies_views_and_mutation.rst"},
    Key{"CUTE", "CuTe DSL, framework integration"},
};

/// Projects, cited by the number of a thread.
constexpr std::array kProjects = {
    Key{"dlpack", "dmlc/dlpack"},      Key{"AA", "data-apis/array-api"},   Key{"numpy", "numpy/numpy"},
    Key{"pytorch", "pytorch/pytorch"}, Key{"PT", "pytorch/pytorch"},       Key{"cupy", "cupy/cupy"},
    Key{"jax", "jax-ml/jax"},          Key{"TF", "tensorflow/tensorflow"},
};

std::string One(std::string_view part) {
  for (const Key& key : kDocuments) {
    if (part == key.key) return std::string(key.text);
    if (part.starts_with(key.key) && part[key.key.size()] == ':') {
      return std::string(key.text) + ", line " + std::string(part.substr(key.key.size() + 1));
    }
  }
  for (const Key& key : kProjects) {
    if (part.starts_with(key.key) && part.size() > key.key.size() && part[key.key.size()] == '#') {
      return std::string(key.text) + std::string(part.substr(key.key.size()));
    }
  }
  return std::string(part);
}

}  // namespace

std::string SourceText(std::string_view source) {
  std::string text;
  while (!source.empty()) {
    const size_t end = source.find(';');
    text += One(source.substr(0, end));
    if (end == std::string_view::npos) break;
    text += "; ";
    source.remove_prefix(end + 1);
    while (source.starts_with(' ')) source.remove_prefix(1);
  }
  return text;
}

}  // namespace dlpack_cts
