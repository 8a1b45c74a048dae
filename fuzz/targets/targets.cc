// fuzz/targets/targets.cc: the table of fuzz targets.
#include "fuzz/targets/targets.h"

namespace dlpack_cts::fuzz {

std::span<const Target* const> Targets() {
  static constexpr const Target* kTargets[] = {&kImportTarget, &kExportTarget, &kHeaderTarget};
  return kTargets;
}

const Target* FindTarget(std::string_view name) {
  for (const Target* target : Targets()) {
    if (target->name == name) return target;
  }
  return nullptr;
}

}  // namespace dlpack_cts::fuzz
