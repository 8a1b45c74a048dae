// reports/ndjson.cc: a run as lines of JSON.
#include "reports/ndjson.h"

namespace dlpack_cts {
namespace {

/// A library's own text may be no UTF-8; the line must be.
void PrintLine(const nlohmann::json& line, std::ostream& out) {
  out << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
}

}  // namespace

void PrintNdjson(const Run& run, std::ostream& out) {
  PrintLine(ToJson(run.header), out);
  for (const Result& result : run.results) PrintLine(ToJson(result), out);
  PrintLine(ToJson(run.footer), out);
}

}  // namespace dlpack_cts
