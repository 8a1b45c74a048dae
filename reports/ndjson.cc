// reports/ndjson.cc: writes a run as lines of JSON.
#include "reports/ndjson.h"

#include "results/text.h"

namespace dlpack_cts {

void PrintNdjson(const Run& run, std::ostream& out) {
  out << DumpLine(ToJson(run.header)) << "\n";
  for (const Result& result : run.results) out << DumpLine(ToJson(result)) << "\n";
  for (const Cause& cause : run.causes) out << DumpLine(ToJson(cause)) << "\n";
  for (const ObservedChoices& readings : run.readings) out << DumpLine(ToJson(readings)) << "\n";
  if (!run.header.provisional) out << DumpLine(ToJson(run.footer)) << "\n";
}

}  // namespace dlpack_cts
