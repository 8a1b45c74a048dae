// results/job.cc: the fields of a job: one row writes and reads each.
#include "results/job.h"

namespace dlpack_cts {
namespace {

/// The table of a member, or null.
struct TableOrNull {
  template <typename Table>
  static nlohmann::json Write(const std::optional<Table>& table) {
    return table ? ToJson(*table) : nlohmann::json();
  }
  template <typename Table>
  static void Read(const nlohmann::json& json, std::optional<Table>* table) {
    table->reset();
    if (!json.is_null()) *table = FromJson<Table>(json);
  }
  template <typename>
  static nlohmann::ordered_json Schema(bool) {
    return {{"type", {"object", "null"}}};
  }
};

/// An object with one list per key.
struct ListByKey {
  template <typename List>
  static nlohmann::json Write(const std::map<std::string, List>& lists) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [key, list] : lists) object[key] = WriteValue(list);
    return object;
  }
  template <typename List>
  static void Read(const nlohmann::json& json, std::map<std::string, List>* lists) {
    nlohmann::json object;
    AnyObject::Read(json, &object);
    lists->clear();
    for (const auto& [key, list] : object.items()) ReadValue(list, &(*lists)[key]);
  }
  template <typename>
  static nlohmann::ordered_json Schema(bool) {
    return {{"type", "object"}};
  }
};

constexpr LineField<JobLibrary> kLibrary[] = {
    Always<&JobLibrary::library>("library"),
    Always<&JobLibrary::kind>("kind"),
    Always<&JobLibrary::adapter>("adapter"),
    Always<&JobLibrary::claims>("claims"),
    Always<&JobLibrary::profile, AnyObject>("profile"),
};

constexpr LineField<LeftOut> kLeftOut[] = {
    Always<&LeftOut::side>("side"),
    Always<&LeftOut::triggers>("peculiarities"),
    Always<&LeftOut::recipe, AnyObject>("recipe"),
    Always<&LeftOut::widely>("widely"),
};

constexpr LineField<JobFile> kJob[] = {
    FieldsOfMember<&JobFile::tested>(),
    Always<&JobFile::partner, TableOrNull>("pair"),
    Always<&JobFile::python>("python"),
    Always<&JobFile::libpython>("libpython"),
    Always<&JobFile::path>("path"),
    Always<&JobFile::cases>("cases"),
    Always<&JobFile::mutants>("mutants"),
    Always<&JobFile::mutated>("mutated"),
    Always<&JobFile::shape>("shape"),
    Always<&JobFile::seed>("seed"),
    Always<&JobFile::examples>("examples"),
    Always<&JobFile::sweep>("sweep"),
    Always<&JobFile::case_seconds>("case_seconds"),
    Always<&JobFile::start_seconds>("start_seconds"),
    Always<&JobFile::memory_bytes>("memory_bytes"),
    Always<&JobFile::resume>("resume"),
    Always<&JobFile::fork>("fork"),
    Always<&JobFile::stay>("stay"),
    Always<&JobFile::verdicts_only>("verdicts_only"),
    Always<&JobFile::limits_only>("limits_only"),
    Always<&JobFile::replayed, ObjectOrNull>("replay"),
    Always<&JobFile::run_before, Objects>("earlier"),
    Always<&JobFile::left_out, ListByKey>("avoid"),
    Always<&JobFile::board>("board"),
    Always<&JobFile::hangs>("hangs"),
};

}  // namespace

std::span<const LineField<JobLibrary>> JobLibrary::Fields() { return kLibrary; }
std::span<const LineField<LeftOut>> LeftOut::Fields() { return kLeftOut; }
std::span<const LineField<JobFile>> JobFile::Fields() { return kJob; }

}  // namespace dlpack_cts
