// harness/ledger/facts.cc: one table row per fact: its name and how its text is made.
//
// Texts are canonical, so that a reproducer in Python computes the very same ones: integers in decimal, tuples as
// "(1, 2)" and "(1,)", truth as 0 or 1, "none" for nothing, enumerators as lower-case words.
#include "harness/ledger/facts.h"

#include <charconv>
#include <functional>
#include <unordered_map>
#include <utility>

namespace dlpack_cts {
namespace {

using Text = std::string;

template <typename T>
Text Number(T value) {
  return std::to_string(+value);
}

Text Tuple(const int64_t* values, int count) {
  Text text = "(";
  for (int i = 0; i < count; ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(values[i]);
  }
  return text + (count == 1 ? ",)" : ")");
}

/// Metadata of more dimensions than the ledger keeps ends in an ellipsis.
Text Metadata(const int64_t* values, int64_t ndim) {
  if (ndim < 0) return "?";
  if (ndim <= kDims) return Tuple(values, static_cast<int>(ndim));
  Text text = Tuple(values, kDims);
  text.back() = ',';
  return text + " ...)";
}

Text Pair(int64_t a, int64_t b) {
  const int64_t values[] = {a, b};
  return Tuple(values, 2);
}

Text Device(abi::DLDevice device) { return Pair(device.device_type, device.device_id); }

Text Type(abi::DLDataType dtype) {
  const int64_t values[] = {dtype.code, dtype.bits, dtype.lanes};
  return Tuple(values, 3);
}

Text OrNone(bool has, Text text) { return has ? std::move(text) : "none"; }

Text Plain(std::string_view text) { return text.empty() ? "none" : Text(text); }

Text ArgumentText(const Argument& argument) {
  switch (argument.kind) {
    case ArgumentKind::kAbsent:
      return "absent";
    case ArgumentKind::kNone:
      return "None";
    case ArgumentKind::kPair:
      return Pair(argument.a, argument.b);
    case ArgumentKind::kInt:
      return Number(argument.a);
    case ArgumentKind::kTrue:
      return "True";
    case ArgumentKind::kFalse:
      return "False";
    case ArgumentKind::kList:
      return "[" + Number(argument.a) + ", " + Number(argument.b) + "]";
    case ArgumentKind::kOneTuple:
      return "(" + Number(argument.a) + ",)";
    case ArgumentKind::kString:
      return "string";
    case ArgumentKind::kFloats:
      return "floats";
    case ArgumentKind::kHuge:
      return "huge";
    case ArgumentKind::kObject:
      return "object";
  }
  return "?";
}

Text Keywords(const ProducerCall& call) {
  Text text;
  const auto add = [&](const Argument& argument, std::string_view name) {
    if (argument.kind == ArgumentKind::kAbsent) return;
    if (!text.empty()) text += ' ';
    text += name;
  };
  add(call.max_version, "max_version");
  add(call.dl_device, "dl_device");
  add(call.copy, "copy");
  add(call.stream, "stream");
  if (call.unknown_keyword != 0) text += (text.empty() ? "" : " ") + Text(call.unknown_name.view());
  return text.empty() ? "none" : text;
}

Text Bits(uint64_t bits) {
  char digits[20] = "0x";
  const auto end = std::to_chars(digits + 2, digits + sizeof(digits), bits, 16).ptr;
  return Text(digits, end);
}

Text ThreeWay(uint8_t value, std::string_view one, std::string_view two, std::string_view three = "?") {
  switch (value) {
    case 0:
      return "not-run";
    case 1:
      return Text(one);
    case 2:
      return Text(two);
    default:
      return Text(three);
  }
}

Text Shown(uint8_t value) { return ThreeWay(value, "shown", "not-shown", "refused"); }

bool HasStruct(const ExportLedger& e) { return e.struct_address != 0; }

/// The largest power of two that divides the address; 0 for NULL.
uint64_t AlignmentOf(uint64_t address) { return address & (~address + 1); }

Text Alignment(const ExportLedger& e) {
  return OrNone(HasStruct(e), Number(AlignmentOf(reinterpret_cast<uint64_t>(e.tensor.data) + e.tensor.byte_offset)));
}

Text DataAlignment(const ExportLedger& e) {
  return OrNone(HasStruct(e), Number(AlignmentOf(reinterpret_cast<uint64_t>(e.tensor.data))));
}

Text PointsAtSource(const ExportLedger& e) {
  return OrNone(HasStruct(e) && e.place.area != Area::kUnknown, Number(e.IsAtSource()));
}

Text Storage(uint8_t value) { return value == 0 ? "unknown" : value == 1 ? "static" : "other"; }

template <typename Record>
struct Row {
  std::string_view name;
  Text (*text)(const Record& record);
};

constexpr Row<Refusal> kRefusal[] = {
    {"exception", [](const Refusal& r) { return Plain(r.type.view()); }},
    {"message", [](const Refusal& r) { return Plain(r.message.view()); }},
    {"is_buffer_error", [](const Refusal& r) { return Number(r.buffer_error); }},
    {"is_type_error", [](const Refusal& r) { return Number(r.type_error); }},
};

constexpr Row<ElementReading> kReading[] = {
    {"first_difference", [](const ElementReading& r) { return Number(r.first_difference); }},
    {"wanted", [](const ElementReading& r) { return Bits(r.wanted_bits); }},
    {"got", [](const ElementReading& r) { return Bits(r.got_bits); }},
};

constexpr Row<Description> kDescription[] = {
    {"dtype", [](const Description& d) { return OrNone(d.valid != 0 && d.known_dtype != 0, Type(d.dtype)); }},
    {"dtype_name", [](const Description& d) { return Plain(d.dtype_name.view()); }},
    {"ndim", [](const Description& d) { return OrNone(d.valid != 0, Number(d.ndim)); }},
    {"shape", [](const Description& d) { return OrNone(d.valid != 0, Metadata(d.shape, d.ndim)); }},
    {"strides",
     [](const Description& d) { return OrNone(d.valid != 0 && d.has_strides != 0, Metadata(d.byte_strides, d.ndim)); }},
    {"writable", [](const Description& d) { return OrNone(d.valid != 0 && d.writable >= 0, Number(d.writable)); }},
    {"device", [](const Description& d) { return OrNone(d.valid != 0 && d.has_device != 0, Device(d.device)); }},
    {"has_pointer", [](const Description& d) { return Number(d.has_pointer); }},
};

constexpr Row<DeleterLedger> kDeleter[] = {
    {"calls", [](const DeleterLedger& d) { return Number(d.calls); }},
    {"in_import", [](const DeleterLedger& d) { return Number(d.calls_in_import); }},
    {"while_alive", [](const DeleterLedger& d) { return Number(d.calls_while_alive); }},
    {"without_gil", [](const DeleterLedger& d) { return Number(d.without_gil); }},
    {"with_pending_exception", [](const DeleterLedger& d) { return Number(d.with_pending_exception); }},
    {"on_other_thread", [](const DeleterLedger& d) { return Number(d.on_other_thread); }},
    {"from_destructor", [](const DeleterLedger& d) { return Number(d.from_destructor); }},
    {"wrong_self", [](const DeleterLedger& d) { return Number(d.wrong_self); }},
};

constexpr Row<ProducerCall> kCall[] = {
    {"method", [](const ProducerCall& c) { return Text(c.is_device != 0 ? "__dlpack_device__" : "__dlpack__"); }},
    {"positional", [](const ProducerCall& c) { return Number(c.positional); }},
    {"raised", [](const ProducerCall& c) { return Number(c.raised); }},
    {"keywords", Keywords},
    {"max_version", [](const ProducerCall& c) { return ArgumentText(c.max_version); }},
    {"dl_device", [](const ProducerCall& c) { return ArgumentText(c.dl_device); }},
    {"copy", [](const ProducerCall& c) { return ArgumentText(c.copy); }},
    {"stream", [](const ProducerCall& c) { return ArgumentText(c.stream); }},
};

constexpr Row<ImportLedger> kImport[] = {
    {"capsules", [](const ImportLedger& i) { return Number(i.capsules); }},
    {"aliases", [](const ImportLedger& i) { return Number(i.Aliases()); }},
    {"write_source", [](const ImportLedger& i) { return Shown(i.write_seen); }},
    {"write_array", [](const ImportLedger& i) { return Shown(i.array_write); }},
    {"released", [](const ImportLedger& i) { return Number(i.released); }},
    {"name_before", [](const ImportLedger& i) { return Text(ToText(i.name_before)); }},
    {"name_after", [](const ImportLedger& i) { return Text(ToText(i.name_after)); }},
    {"name_after_again", [](const ImportLedger& i) { return Text(ToText(i.name_after_again)); }},
    {"capsule_pointer_changed", [](const ImportLedger& i) { return Number(i.capsule_pointer_changed); }},
    {"capsule_context_changed", [](const ImportLedger& i) { return Number(i.capsule_context_changed); }},
    {"capsule_destructor_changed", [](const ImportLedger& i) { return Number(i.capsule_destructor_changed); }},
    {"used_name_storage", [](const ImportLedger& i) { return Storage(i.used_name_is_static); }},
    {"changed", [](const ImportLedger& i) { return PartsToText(i.changed_parts); }},
    {"changed_bytes", [](const ImportLedger& i) { return Number(i.changed_bytes); }},
    {"calls", [](const ImportLedger& i) { return Number(i.producer_calls); }},
};

constexpr Row<ExportLedger> kExport[] = {
    {"is_capsule", [](const ExportLedger& e) { return Number(e.is_capsule); }},
    {"name", [](const ExportLedger& e) { return Text(ToText(e.name)); }},
    {"name_storage", [](const ExportLedger& e) { return Storage(e.name_is_static); }},
    {"has_destructor", [](const ExportLedger& e) { return Number(e.has_destructor); }},
    {"versioned", [](const ExportLedger& e) { return Number(e.versioned); }},
    {"version", [](const ExportLedger& e) { return OrNone(e.versioned != 0, Pair(e.version.major, e.version.minor)); }},
    {"flags", [](const ExportLedger& e) { return OrNone(e.versioned != 0, Number(e.flags)); }},
    {"has_deleter", [](const ExportLedger& e) { return Number(e.has_deleter); }},
    {"null_data", [](const ExportLedger& e) { return Number(e.tensor.data == nullptr); }},
    {"null_shape", [](const ExportLedger& e) { return Number(e.null_shape); }},
    {"null_strides", [](const ExportLedger& e) { return Number(e.null_strides); }},
    {"device", [](const ExportLedger& e) { return OrNone(HasStruct(e), Device(e.tensor.device)); }},
    {"ndim", [](const ExportLedger& e) { return OrNone(HasStruct(e), Number(e.tensor.ndim)); }},
    {"dtype", [](const ExportLedger& e) { return OrNone(HasStruct(e), Type(e.tensor.dtype)); }},
    {"shape",
     [](const ExportLedger& e) {
       return OrNone(HasStruct(e) && (e.null_shape == 0 || e.tensor.ndim == 0), Metadata(e.shape, e.tensor.ndim));
     }},
    {"strides",
     [](const ExportLedger& e) {
       return OrNone(HasStruct(e) && e.null_strides == 0, Metadata(e.strides, e.tensor.ndim));
     }},
    {"byte_offset", [](const ExportLedger& e) { return OrNone(HasStruct(e), Number(e.tensor.byte_offset)); }},
    {"alignment", Alignment},
    {"data_alignment", DataAlignment},
    {"points_at_source", PointsAtSource},
    {"metadata_readable", [](const ExportLedger& e) { return Number(e.metadata_readable); }},
    {"data_readable", [](const ExportLedger& e) { return Number(e.data_readable); }},
    {"same_capsule", [](const ExportLedger& e) { return Number(e.same_capsule); }},
    {"same_struct", [](const ExportLedger& e) { return Number(e.same_struct); }},
    {"pending_exception", [](const ExportLedger& e) { return ThreeWay(e.pending_survived, "survived", "lost"); }},
    {"deleted", [](const ExportLedger& e) { return Number(e.deleted); }},
    {"write_export", [](const ExportLedger& e) { return Shown(e.shares_with_source); }},
    {"changed", [](const ExportLedger& e) { return PartsToText(e.changed_parts); }},
};

constexpr Row<SourceLedger> kSource[] = {
    {"device_is_pair", [](const SourceLedger& s) { return Number(s.device_is_pair); }},
    {"device_type_is_int", [](const SourceLedger& s) { return Number(s.device_type_is_int); }},
    {"device_id_is_int", [](const SourceLedger& s) { return Number(s.device_id_is_int); }},
    {"reported_device",
     [](const SourceLedger& s) { return OrNone(s.device_call.outcome == Outcome::kAccepted, Device(s.device)); }},
    {"alive_at_end", [](const SourceLedger& s) { return OrNone(s.alive_known != 0, Number(s.alive_at_end)); }},
    {"references_gained", [](const SourceLedger& s) { return Number(s.references_after - s.references_before); }},
};

constexpr std::string_view kTableNames[] = {"allocator", "from_object", "to_object", "view", "stream"};

Text PublishedText(Published published) {
  constexpr std::string_view kWords[] = {"not", "capsule", "misnamed-capsule", "int", "other"};
  return Text(kWords[static_cast<size_t>(published)]);
}

Text NullSlots(const TableLedger& t) {
  Text text;
  for (int i = 0; i < kTableFunctions; ++i) {
    if ((t.null_slots >> i & 1) != 0) text += (text.empty() ? "" : " ") + Text(kTableNames[i]);
  }
  return text.empty() ? "none" : text;
}

constexpr Row<TableLedger> kTable[] = {
    {"found", [](const TableLedger& t) { return Number(t.found); }},
    {"current", [](const TableLedger& t) { return PublishedText(t.current); }},
    {"older", [](const TableLedger& t) { return PublishedText(t.older); }},
    {"names_differ", [](const TableLedger& t) { return Number(t.names_differ); }},
    {"readable", [](const TableLedger& t) { return Number(t.readable); }},
    {"version", [](const TableLedger& t) { return OrNone(t.readable != 0, Pair(t.version.major, t.version.minor)); }},
    {"null_slots", NullSlots},
    {"moved", [](const TableLedger& t) { return Number(t.moved); }},
    {"changed", [](const TableLedger& t) { return Number(t.changed); }},
    {"chain_ends", [](const TableLedger& t) { return Number(t.chain_ends); }},
    {"chain_length", [](const TableLedger& t) { return Number(t.chain_length); }},
    {"chain_ascends", [](const TableLedger& t) { return Number(t.chain_ascends); }},
    {"prototype_changed", [](const TableLedger& t) { return Number(t.prototype_changed); }},
    {"set_errors", [](const TableLedger& t) { return Number(t.set_errors); }},
    {"error_context_wrong", [](const TableLedger& t) { return Number(t.error_context_wrong); }},
    {"error_text_missing", [](const TableLedger& t) { return Number(t.error_text_missing); }},
    {"error_kind", [](const TableLedger& t) { return Plain(t.error_kind.view()); }},
    {"error_message", [](const TableLedger& t) { return Plain(t.error_message.view()); }},
    {"object_is_foreign", [](const TableLedger& t) { return Number(t.object_is_foreign); }},
};

constexpr Row<TableCall> kTableCall[] = {
    {"called", [](const TableCall& c) { return Number(c.called); }},
    {"status", [](const TableCall& c) { return OrNone(c.called != 0, Number(c.status)); }},
    {"exception", [](const TableCall& c) { return OrNone(c.called != 0, Number(c.exception)); }},
    {"out_written", [](const TableCall& c) { return OrNone(c.called != 0, Number(c.out_written)); }},
};

/// All facts, in the order of docs/facts.md, built once from the tables.
class Facts {
 public:
  using Value = std::function<Text(const Ledger&)>;

  Facts() {
    for (int slot = 0; slot < kSlots; ++slot) AddImport(slot);
    for (int slot = 0; slot < kSlots; ++slot) AddExport(slot);
    for (int slot = 0; slot < kSlots; ++slot) AddSource(slot);
    for (int slot = 0; slot < kSlots; ++slot) AddTable(slot);
    Add("unsupported", [](const Ledger& l) { return Number(l.unsupported); });
    Add("faults", [](const Ledger& l) { return Number(l.fault_count); });
    for (int index = 0; index < kFaults; ++index) AddFault(index);
  }

  const std::vector<std::string>& keys() const { return keys_; }
  const Value* Find(std::string_view key) const {
    const auto found = values_.find(Text(key));
    return found == values_.end() ? nullptr : &found->second;
  }

 private:
  void Add(const Text& key, Value value) {
    keys_.push_back(key);
    values_.emplace(key, std::move(value));
  }

  /// One fact per row, of the record that `get` finds in the ledger.
  template <typename Record, size_t kRows, typename Get>
  void AddRows(const Text& prefix, const Row<Record> (&rows)[kRows], Get get) {
    for (const Row<Record>& row : rows) {
      Add(prefix + "." + Text(row.name), [text = row.text, get](const Ledger& l) { return text(get(l)); });
    }
  }

  template <typename Get>
  void AddRefusal(const Text& key, const Text& prefix, Get get) {
    Add(key, [get](const Ledger& l) { return Text(ToText(get(l).outcome)); });
    AddRows(prefix, kRefusal, get);
  }

  template <typename Get>
  void AddReading(const Text& key, Get get) {
    Add(key, [get](const Ledger& l) { return Text(ToText(get(l).reading)); });
    AddRows(key, kReading, get);
  }

  void AddImport(int slot) {
    const Text p = "import" + std::to_string(slot);
    const auto import = [slot](const Ledger& l) -> const ImportLedger& { return l.imports[slot]; };
    AddRefusal(p + ".outcome", p, [=](const Ledger& l) -> const Refusal& { return import(l).import; });
    AddRefusal(p + ".again", p + ".again", [=](const Ledger& l) -> const Refusal& { return import(l).again; });
    AddRows(p, kDescription, [=](const Ledger& l) -> const Description& { return import(l).result; });
    AddReading(p + ".memory", [=](const Ledger& l) -> const ElementReading& { return import(l).memory; });
    AddReading(p + ".library", [=](const Ledger& l) -> const ElementReading& { return import(l).library; });
    AddReading(p + ".computed", [=](const Ledger& l) -> const ElementReading& { return import(l).computed; });
    AddReading(p + ".view", [=](const Ledger& l) -> const ElementReading& { return import(l).view; });
    AddRows(p + ".deleter", kDeleter, [=](const Ledger& l) -> const DeleterLedger& { return import(l).deleter; });
    AddRows(p, kImport, import);
    for (int call = 0; call < kProducerCalls; ++call) {
      AddRows(p + ".call" + std::to_string(call), kCall,
              [=](const Ledger& l) -> const ProducerCall& { return import(l).calls[call]; });
    }
  }

  void AddExport(int slot) {
    const Text p = "export" + std::to_string(slot);
    const auto exported = [slot](const Ledger& l) -> const ExportLedger& { return l.exports[slot]; };
    AddRefusal(p + ".outcome", p, [=](const Ledger& l) -> const Refusal& { return exported(l).export_call; });
    AddRows(p, kExport, exported);
    AddReading(p + ".elements", [=](const Ledger& l) -> const ElementReading& { return exported(l).elements; });
    AddReading(p + ".first_elements",
               [=](const Ledger& l) -> const ElementReading& { return exported(l).first_elements; });
  }

  void AddSource(int slot) {
    const Text p = "source" + std::to_string(slot);
    const auto source = [slot](const Ledger& l) -> const SourceLedger& { return l.sources[slot]; };
    AddRefusal(p + ".make", p + ".make", [=](const Ledger& l) -> const Refusal& { return source(l).make; });
    AddRows(p, kDescription, [=](const Ledger& l) -> const Description& { return source(l).description; });
    AddRefusal(p + ".change", p + ".change", [=](const Ledger& l) -> const Refusal& { return source(l).change; });
    AddRefusal(p + ".device_call", p + ".device_call",
               [=](const Ledger& l) -> const Refusal& { return source(l).device_call; });
    AddRows(p, kSource, source);
    AddReading(p + ".elements", [=](const Ledger& l) -> const ElementReading& { return source(l).elements; });
    AddReading(p + ".used", [=](const Ledger& l) -> const ElementReading& { return source(l).used; });
  }

  void AddTable(int slot) {
    const Text p = "table" + std::to_string(slot);
    const auto table = [slot](const Ledger& l) -> const TableLedger& { return l.tables[slot]; };
    AddRows(p, kTable, table);
    for (size_t i = 0; i < static_cast<size_t>(kTableFunctions); ++i) {
      AddRows(p + "." + Text(kTableNames[i]), kTableCall,
              [=](const Ledger& l) -> const TableCall& { return table(l).calls[i]; });
    }
  }

  void AddFault(int index) {
    const auto fact = [index](Text (*text)(const Fault&)) {
      return [index, text](const Ledger& l) { return OrNone(index < l.fault_count, text(l.faults[index])); };
    };
    const Text p = "fault" + std::to_string(index);
    Add(p, fact([](const Fault& f) {
          return Text(f.write != 0 ? "write " : "read ") + Text(ToText(f.region)) + "+" + Number(f.offset);
        }));
    Add(p + ".slot", fact([](const Fault& f) { return Number(f.slot); }));
    Add(p + ".after_deleter", fact([](const Fault& f) { return Number(f.after_deleter); }));
    Add(p + ".step", fact([](const Fault& f) { return Number(f.step); }));
  }

  std::vector<std::string> keys_;
  std::unordered_map<std::string, Value> values_;
};

const Facts& AllFacts() {
  static const Facts facts;
  return facts;
}

}  // namespace

std::string Fact(const Ledger& ledger, std::string_view key) {
  const Facts::Value* const value = AllFacts().Find(key);
  return value == nullptr ? "?" : (*value)(ledger);
}

std::vector<std::string> FactKeys() { return AllFacts().keys(); }

}  // namespace dlpack_cts
