// results/tables.cc: every field of every line, as data.
#include "results/result.h"

namespace dlpack_cts {
namespace {

constexpr LineField<Words> kWords[] = {
    Always<&Words::example>("example", "the recipe in one line"),
    Always<&Words::meaning>("meaning", "what the fact means"),
    Always<&Words::wanted>("wanted"),
    Always<&Words::got>("got"),
};

constexpr std::string_view kParts[] = {"takes", "makes", "ways", "pair"};
constexpr LineField<ProfileLine> kProfileLine[] = {
    Always<&ProfileLine::part, OneOf<kParts>>("part"),
    Always<&ProfileLine::id>("id", "does not change between versions of the program"),
    Always<&ProfileLine::words>("words"),
};

/// Only the version of this program. CheckSchema() has read it already.
struct OurVersion : Plain {
  template <typename>
  static nlohmann::ordered_json Schema(bool) {
    return {{"const", kResultsSchema}};
  }
};

constexpr std::string_view kLibraryFile[] = {"library.toml"};
constexpr LineField<Header> kHeader[] = {
    Always<&Header::schema, OurVersion>(
        "schema", "the version of these lines; a file without this field is older than version 2"),
    IfAny<&Header::provisional>("provisional", "the run has not ended; absent otherwise"),
    Always<&Header::program_version>("program_version"),
    Always<&Header::library>("library"),
    Always<&Header::library_version>("library_version"),
    Always<&Header::interpreter>("interpreter"),
    Always<&Header::machine>("machine"),
    Always<&Header::environment>("environment", "path of the Python environment, or native"),
    Always<&Header::variables, AnyObject>("variables", "environment variables that were added or removed"),
    Always<&Header::seed>("seed"),
    Always<&Header::examples>("examples"),
    IfAny<&Header::examples_from, OneOf<kLibraryFile>>("examples_from",
                                                       "present if that file lowers the number for a slow library"),
    Always<&Header::started>("started", "ISO 8601, UTC"),
    Always<&Header::command>("command"),
    IfAny<&Header::run_id>("run_id",
                           "the same in all shards of one run, and in no other run with other options; absent in files "
                           "of an earlier program"),
    IfAny<&Header::shard>("shard", "I/N: only these cases, or these pairs, ran; absent if all did"),
    IfAny<&Header::options, AnyObject>(
        "options", "the options that decide what runs and what counts, unless they have their defaults"),
    IfAny<&Header::profile>("profile"),
};

constexpr LineField<SweptFact> kSweptFact[] = {
    Always<&SweptFact::fact>("fact"),
    Always<&SweptFact::message>("message"),
    Always<&SweptFact::rule>("rule", "the most general rule about such facts"),
    Always<&SweptFact::wanted>("wanted"),
    Always<&SweptFact::got>("got"),
    IfAny<&SweptFact::words>("words"),
    Always<&SweptFact::count>("count", "exchanges of the sweep whose first difference is in this fact"),
    Always<&SweptFact::recipe, AnyObject>("recipe", "the smallest such exchange that was found"),
};

constexpr LineField<ChoiceSeen> kChoiceSeen[] = {
    Always<&ChoiceSeen::row>("row"),
    Always<&ChoiceSeen::reading>("reading"),
    Always<&ChoiceSeen::count>("count"),
};

constexpr LineField<LostValue> kLostValue[] = {
    Always<&LostValue::value>("value", "id of a value of a property, as in the triggers of causes"),
    Always<&LostValue::words>("words"),
    Always<&LostValue::drawn>("drawn", "examples with this value"),
    Always<&LostValue::refused>("refused", "how many of them the library refused"),
};

constexpr LineField<ValueShare> kValueShare[] = {
    Always<&ValueShare::value>("value", "id of a value of a property, as in the triggers of causes"),
    Always<&ValueShare::drawn>("drawn", "examples with this value"),
    Always<&ValueShare::conclusive>("conclusive", "how many of them were conclusive"),
};

/// A whole number, which may be negative.
struct Whole : Plain {
  static void Read(const nlohmann::json& json, int64_t* number) {
    if (!json.is_number_integer()) throw Failure("expected a whole number");
    *number = json.get<int64_t>();
  }
  template <typename>
  static nlohmann::ordered_json Schema(bool) {
    return {{"type", "integer"}};
  }
};

/// What the worker writes of an event in the ledger.
struct LedgerEvent {
  static std::span<const LineField<LedgerEvent>> Fields();

  int64_t step = 0;
  std::string op;
  std::string seen;
  int64_t slot = 0;
  std::string text;
};

constexpr LineField<LedgerEvent> kLedgerEvent[] = {
    Always<&LedgerEvent::step, Whole>("step"), Always<&LedgerEvent::op>("op"),     Always<&LedgerEvent::seen>("seen"),
    Always<&LedgerEvent::slot, Whole>("slot"), Always<&LedgerEvent::text>("text"),
};

std::span<const LineField<LedgerEvent>> LedgerEvent::Fields() { return kLedgerEvent; }

/// Events, kept as JSON.
struct LedgerEvents : AnyObject {
  static void Read(const nlohmann::json& json, nlohmann::json* events) {
    FromJson<std::vector<LedgerEvent>>(json);
    *events = json;
  }
  template <typename>
  static nlohmann::ordered_json Schema(bool optional) {
    return SchemaOf<std::vector<LedgerEvent>>(optional);
  }
};

using enum Observed;
constexpr LineField<Observation> kObservation[] = {
    Always<&Observation::case_id>("case"),
    Always<&Observation::observed,
           Among<kHeld, kBreach, kLeak, kUnsafe, kCrash, kTimeout, kMemory, kSkip, kBlocked, kUnjudged>>(
        "observed", "what the worker observed; the verdict also depends on the rule and the library's claims"),
    Always<&Observation::degree>(
        "degree", "how severe the violation is: rule is as severe as its rule says, warn and note are less"),
    Always<&Observation::rule>("rule", "the violated rule, or the first rule of the case"),
    Always<&Observation::message>("message", "one sentence without address, time, seed or random value"),
    Always<&Observation::fact>("fact", "key of the violated fact of the ledger"),
    Always<&Observation::wanted>("wanted"),
    Always<&Observation::got>("got"),
    IfAny<&Observation::words>("words"),
    IfAny<&Observation::ended>("ended", "how the process ended, if that is the finding: SIGSEGV, exit 3"),
    Always<&Observation::ledger, LedgerEvents>("ledger"),
    IfAny<&Observation::deviations>("deviations",
                                    "only of a sweep: the facts in which the library differs from the reference; "
                                    "absent if there are no differences"),
    InWorkerOnly(IfAny<&Observation::choices>("readings")),
    Always<&Observation::recipe, ObjectOrNull>("recipe"),
    IfAny<&Observation::needed>(
        "needed", "the numbers of the recipe's steps that the failure needs; absent if that was not tried"),
    Always<&Observation::seed>("seed"),
    Always<&Observation::examples>("examples", "recipes that ran"),
    Always<&Observation::held>("held", "examples that were judged and were correct"),
    Always<&Observation::refused>("refused", "examples that the library refused with an exception"),
    Always<&Observation::nothing>("nothing", "examples that were not conclusive"),
    IfAny<&Observation::lost>("lost",
                              "values with at least 20 examples, of which not one was conclusive, although others of "
                              "the case were; absent otherwise"),
    IfAny<&Observation::shares>("shares",
                                "values with at least 20 examples, of which a smaller share was conclusive than of all "
                                "examples of the case; absent if the case does not hold, or if few examples are meant "
                                "to be conclusive"),
    Always<&Observation::seconds>("seconds"),
    IfAny<&Observation::mutant>("mutant", "the mutant of the reference that ran; absent otherwise"),
};

constexpr LineField<Result> kResult[] = {
    IfAny<&Result::provisional>("provisional", "a later round of the run may change the verdict; absent otherwise"),
    Always<&Result::library>("library"),
    Always<&Result::library_version>("library_version"),
    IfAny<&Result::producer>("producer", "lines of interop only"),
    IfAny<&Result::consumer>("consumer", "lines of interop only"),
    Always<&Result::suite>("suite"),
    Always<&Result::rules>("rules"),
    Always<&Result::breached>("breached"),
    Always<&Result::role>("role"),
    Always<&Result::level>("level"),
    Always<&Result::hostile>("hostile", "the input violates the contract on purpose; counted separately"),
    Always<&Result::verdict>("verdict"),
    Always<&Result::as_expected>("as_expected"),
    Always<&Result::expectation>("expectation",
                                 "the reason in the list of known deviations; empty if it is not listed"),
    FieldsOfMember<&Result::seen>(),
    IfAny<&Result::cause>("cause", "id of the worst cause that explains the result; absent if there is no cause"),
    Always<&Result::reproducer, TextOrNull>("reproducer", "path relative to the output folder"),
    Always<&Result::replay>("replay", "command line that runs this one case again"),
};

constexpr LineField<Finding> kFinding[] = {
    Always<&Finding::case_id>("case"),
    IfAny<&Finding::mutant>("mutant"),
    Always<&Finding::side>("side"),
    Always<&Finding::family>("family"),
    Always<&Finding::triggers>("peculiarities"),
    Always<&Finding::fact>("fact"),
    Always<&Finding::key>("key"),
    Always<&Finding::rule>("rule"),
    Always<&Finding::attributed>("home"),
    Always<&Finding::judged>("judged"),
    Always<&Finding::message>("message"),
    Always<&Finding::loses_capsule>("loses_capsule"),
    Always<&Finding::swept>("swept"),
    Always<&Finding::observed, Among<kBreach, kUnsafe, kLeak, kCrash, kTimeout, kOwn, kUnjudged>>("observed"),
    Always<&Finding::degree>("degree"),
    Always<&Finding::wanted>("wanted"),
    Always<&Finding::got>("got"),
    IfAny<&Finding::words>("words"),
    Always<&Finding::count>("count"),
    Always<&Finding::recipe, AnyObject>("recipe"),
    IfAny<&Finding::earlier, Objects>("earlier"),
};

constexpr LineField<Cause> kCause[] = {
    Always<&Cause::id, Filled>("id", "side, family of the first violated fact, and triggers"),
    Always<&Cause::rule>("rule"),
    Always<&Cause::verdict, Among<Verdict::kFail, Verdict::kWarn, Verdict::kNote, Verdict::kCrash, Verdict::kTimeout,
                                  Verdict::kLeak, Verdict::kUnsafe>>("verdict"),
    IfAny<&Cause::limitation>(
        "limitation",
        "what the library refuses, copies or makes otherwise; its id is limit/ENTRY/PROPERTY=VALUE; "
        "absent otherwise"),
    Always<&Cause::as_expected>("as_expected"),
    Always<&Cause::expectation>("expectation", "the reason in the list of known deviations; empty if it is not listed"),
    IfAny<&Cause::accused>("accused", "only for a pair: which library the cause belongs to, and why"),
    Always<&Cause::case_id>("case", "the case of the example"),
    Always<&Cause::fact>("fact",
                         "the pattern of the first violated fact; death-STEP for a crash, thrown-STEP for a C++ "
                         "exception, hang-STEP for a timeout"),
    Newer(Always<&Cause::key>("key", "the key of that fact in the example; empty for a crash or timeout")),
    Always<&Cause::message>("message", "of the check of the case; empty if the facts were compared with the reference"),
    Always<&Cause::wanted>("wanted"),
    Always<&Cause::got>("got"),
    IfAny<&Cause::words>("words"),
    Always<&Cause::count>("count", "number of failing examples"),
    Always<&Cause::cases>("cases", "the cases that failed, or deviated, because of it"),
    Always<&Cause::recipe, AnyObject>("recipe", "the simplest example"),
    IfAny<&Cause::earlier, Objects>(
        "earlier", "recipes of the earlier exchanges that the failure needs, in their order; absent if it needs none"),
    Always<&Cause::replay>("replay", "command line that runs the simplest example, or its case, again"),
};

constexpr LineField<ObservedChoices::Reading> kReading[] = {
    Always<&ObservedChoices::Reading::words>("words", "an observed choice"),
    Always<&ObservedChoices::Reading::count>("count", "examples that show it"),
};

constexpr LineField<ObservedChoices> kReadings[] = {
    Always<&ObservedChoices::id, Filled>("id", "number of the open question, as in dlpack-cts list choices"),
    Always<&ObservedChoices::rule>("rule", "the rule that leaves it open"),
    Always<&ObservedChoices::question>("question", "the question that the specification leaves open"),
    Always<&ObservedChoices::shown, Filled>("shown"),
};

/// Every verdict that occurs, with its number.
struct Counts : AnyObject {
  static void Read(const nlohmann::json& json, nlohmann::json* counts) {
    AnyObject::Read(json, counts);
    for (const auto& [word, number] : counts->items()) {
      if (!FromText<Verdict>(word)) throw Failure("\"" + word + "\" is not a verdict");
      uint64_t count = 0;
      ReadValue(number, &count);
    }
  }
  template <typename>
  static nlohmann::ordered_json Schema(bool) {
    return {{"type", "object"},
            {"propertyNames", {{"$ref", "#/definitions/verdict"}}},
            {"additionalProperties", {{"$ref", "#/definitions/count"}}}};
  }
};

constexpr LineField<UnmetEntry> kUnmetEntry[] = {
    Always<&UnmetEntry::entry>("entry", "file and line of the entry"),
    Always<&UnmetEntry::sentence>("sentence", "empty if this shard does not show whether the deviation still occurs"),
};

constexpr LineField<Footer> kFooter[] = {
    Always<&Footer::counts, Counts>("counts"),
    Always<&Footer::unexpected>("unexpected"),
    IfAny<&Footer::stale>("stale",
                          "a sentence for each listed deviation that no longer occurs; they count as unexpected"),
    IfAny<&Footer::unmet>("unmet",
                          "only in a shard: the listed deviations that did not occur in it; they are stale if they "
                          "occurred in no shard"),
    IfAny<&Footer::lists_limitations>(
        "lists_limitations", "only in a shard: the expectations have to list every limitation of the whole run"),
    Always<&Footer::interrupted>("interrupted"),
    Newer(Always<&Footer::complete>("complete",
                                    "false if an interrupt, or the time limit of the run, left something out")),
    Always<&Footer::seconds>("seconds"),
    Newer(Always<&Footer::time_limits>("time_limits", "how many examples took the whole time limit")),
};

/// Checks the version before all other fields: a file of another version has other fields, and the user needs to know
/// what to do, not which field is missing.
void CheckSchema(const nlohmann::json& header) {
  if (!header.is_object() || header.value("type", nlohmann::json()) != Header::kType) return;
  const nlohmann::json schema = header.value("schema", nlohmann::json());
  const std::string ours = std::to_string(kResultsSchema);
  if (schema.is_null()) {
    throw Failure("was written by an older dlpack-cts: the header has no \"schema\", this program reads version " +
                  ours + "; run the library again");
  }
  if (schema == kResultsSchema) return;
  throw Failure("has version " + schema.dump() + " of the result lines, this program reads version " + ours +
                "; run the library again, or read the file with the dlpack-cts that wrote it");
}

}  // namespace

std::span<const LineField<Words>> Words::Fields() { return kWords; }
std::span<const LineField<ProfileLine>> ProfileLine::Fields() { return kProfileLine; }
std::span<const LineField<Header>> Header::Fields() { return kHeader; }
std::span<const LineField<SweptFact>> SweptFact::Fields() { return kSweptFact; }
std::span<const LineField<LostValue>> LostValue::Fields() { return kLostValue; }
std::span<const LineField<ValueShare>> ValueShare::Fields() { return kValueShare; }
std::span<const LineField<ChoiceSeen>> ChoiceSeen::Fields() { return kChoiceSeen; }
std::span<const LineField<Observation>> Observation::Fields() { return kObservation; }
std::span<const LineField<Result>> Result::Fields() { return kResult; }
std::span<const LineField<Finding>> Finding::Fields() { return kFinding; }
std::span<const LineField<Cause>> Cause::Fields() { return kCause; }
std::span<const LineField<ObservedChoices::Reading>> ObservedChoices::Reading::Fields() { return kReading; }
std::span<const LineField<ObservedChoices>> ObservedChoices::Fields() { return kReadings; }
std::span<const LineField<UnmetEntry>> UnmetEntry::Fields() { return kUnmetEntry; }
std::span<const LineField<Footer>> Footer::Fields() { return kFooter; }

Header ReadHeader(const nlohmann::json& json) {
  CheckSchema(json);
  return FromJson<Header>(json);
}

}  // namespace dlpack_cts
