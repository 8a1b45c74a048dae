// results/pairs.cc: the fields of a set of pairs, and its file.
#include "results/pairs.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "results/parse.h"
#include "results/text.h"
#include "results/whole_file.h"

namespace dlpack_cts {
namespace {

constexpr size_t kLargest = 16 << 20;  // in bytes
constexpr std::string_view kFirstLine = R"({"pairs":1,"type":"file"})";

constexpr LineField<PairCause> kCause[] = {
    Always<&PairCause::id>("id"),
    Always<&PairCause::rule>("rule"),
    Always<&PairCause::verdict>("verdict"),
    IfAny<&PairCause::accused>("accused", "which of the two libraries has the defect, and how that is known"),
    Always<&PairCause::sentence>("sentence"),
    IfAny<&PairCause::example>("example"),
    IfAny<&PairCause::known>("known", "why it is expected; absent if it is not"),
};

constexpr LineField<PairCell> kCell[] = {
    Always<&PairCell::producer>("producer"),
    Always<&PairCell::consumer>("consumer"),
    IfAny<&PairCell::producer_version>("producer_version"),
    IfAny<&PairCell::consumer_version>("consumer_version"),
    Always<&PairCell::state>("state"),
    IfAny<&PairCell::memory>("memory", "of the simplest exchange"),
    IfAny<&PairCell::structs>("structs", "what carries the array in the simplest exchange"),
    IfAny<&PairCell::why>("why", "of a refusal the exception, else why the pair did not run"),
    IfAny<&PairCell::causes>("causes"),
    IfAny<&PairCell::limits>("limits", "what is refused or copied, although the simplest array is accepted"),
    Always<&PairCell::judged>("judged", "number of cases"),
    Always<&PairCell::unexpected>("unexpected", "number of unexpected deviations"),
};

constexpr LineField<PairsHeader> kHeader[] = {
    Always<&PairsHeader::schema>("schema"),   Always<&PairsHeader::program_version>("program_version"),
    Always<&PairsHeader::machine>("machine"), Always<&PairsHeader::started>("started", "ISO 8601, UTC"),
    Always<&PairsHeader::command>("command"), Always<&PairsHeader::count>("count", "of the pairs that follow"),
};

}  // namespace

std::span<const LineField<PairCause>> PairCause::Fields() { return kCause; }
std::span<const LineField<PairCell>> PairCell::Fields() { return kCell; }
std::span<const LineField<PairsHeader>> PairsHeader::Fields() { return kHeader; }

std::string PairsText(Pairs pairs) {
  pairs.header.count = static_cast<int64_t>(pairs.cells.size());
  std::string text = std::string(kFirstLine) + "\n" + DumpLine(ToJson(pairs.header)) + "\n";
  for (const PairCell& cell : pairs.cells) text += DumpLine(ToJson(cell)) + "\n";
  return text;
}

bool IsPairsFile(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return false;  // a pipe can be read once only
  std::ifstream file(path, std::ios::binary);
  std::string start(kFirstLine.size(), '\0');
  return file.read(start.data(), static_cast<std::streamsize>(start.size())) && start == kFirstLine;
}

Pairs ReadPairs(const std::string& path) {
  std::istringstream file(ReadWholeFile(path, kLargest));
  Pairs pairs;
  std::string line;
  std::getline(file, line);
  for (int64_t number = 2; std::getline(file, line); ++number) {
    try {
      if (number == 2) {
        pairs.header = FromJson<PairsHeader>(ParseJson(line));
      } else {
        pairs.cells.push_back(FromJson<PairCell>(ParseJson(line)));
      }
    } catch (const Failure& failure) {
      throw Failure(path + ": line " + std::to_string(number) + ": " + failure.what());
    }
  }
  if (pairs.header.count != static_cast<int64_t>(pairs.cells.size()) || pairs.cells.empty())
    throw Failure(path + ": the file is truncated: it has " + std::to_string(pairs.cells.size()) + " of " +
                      std::to_string(pairs.header.count) + " pairs",
                  "copy the whole file");
  return pairs;
}

}  // namespace dlpack_cts
