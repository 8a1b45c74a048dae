// worker/probe/probe.cc: finds out what a subject can do, one simple exchange at a time.
#include "worker/probe/probe.h"

#include <algorithm>
#include <bit>
#include <string>

#include "engine/cuda_driver.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/layout.h"
#include "harness/recipe/normalize.h"
#include "worker/probe/adapter_check.h"
#include "worker/probe/limit_changes.h"
#include "worker/probe/rank_probes.h"

namespace dlpack_cts::worker {
namespace {

constexpr int kMostAligned = 8;  // log2 of 256 bytes, which dlpack.h names

uint32_t Bit(Layout layout) { return 1u << static_cast<uint32_t>(layout); }

class Prober : public RankProbes {
 public:
  using RankProbes::RankProbes;

  /// The default tensor comes first. Each later probe changes one property of it.
  void Probe(int probe) {
    if (probe < kFixed) {
      (this->*kProbes[probe])();
    } else if (probe < kFixed + kRanks) {
      Rank(probe - kFixed);
    } else if (probe < kFirstType) {
      OfLayout(static_cast<Layout>(probe - kFixed - kRanks));
    } else {
      DataType(probe - kFirstType);
    }
    // If an array from a simple import cannot be read, that is an error of the adapter, unless it reads what the
    // library makes. In later probes it may be the library: an array may become unreadable after an export.
    Complain(subject_.Take(Complaint::kContract));
    const std::string complaint = subject_.Take(Complaint::kReading);
    const bool of_values = crash_record_.ledger.imports[0].library.raised != 0;
    if (probe < kOfImports && !complaint.empty() && !(of_values && ReadsWhatIsMade())) Complain(complaint);
  }

  /// As SkipProbe().
  static void Skip(int probe, Profile& profile);

  static constexpr int kOfImports = 3;
  static constexpr int kFixed = 19;
  static constexpr int kRanks = kWalkedDims + 1;
  static constexpr int kFirstType = kFixed + kRanks + kLayouts;

 private:
  using Step = void (Prober::*)();
  static const Step kProbes[kFixed];

  /// Whether the adapter reads a simple array that the library made.
  bool ReadsWhatIsMade() {
    if (!profile_.Claims(Claim::kProducer)) return false;
    Recipe recipe = PlainExport();
    SetLife(recipe, {Op::kMake, Op::kReadSource, Op::kDropSource});
    Run(recipe);
    const bool reads = crash_record_.ledger.sources[0].elements.reading == Reading::kMatches;
    return subject_.Take(Complaint::kReading).empty() && reads;
  }

  /// Whether the simplest tensor is imported from host memory, and whether from the memory of a CUDA device. If only
  /// from there, all further probes are in device memory.
  void Devices() {
    if (!profile_.Claims(Claim::kCuda) || !profile_.Claims(Claim::kConsumer) || CudaDriver::Opened() == nullptr) return;
    const auto takes = [&](const Profile& placed) {
      for (const StructKind kind : {StructKind::kVersioned, StructKind::kLegacy}) {
        const auto works = [&] {
          Recipe recipe = From().PlainImport(kind);
          return Taken(recipe, nullptr, placed);
        };
        if (FindPlain(&profile_.plain_rank, &profile_.plain_dtype, works)) return true;
      }
      return false;
    };
    const Profile in_host_memory = profile_;
    Profile in_device_memory = profile_;
    in_device_memory.takes_device = in_device_memory.refuses_host = 1;
    const bool host = takes(in_host_memory);
    profile_.takes_device = takes(in_device_memory);
    profile_.refuses_host = profile_.takes_device != 0 && !host;
  }

  /// Whether that kind of struct is accepted: from an object with __dlpack__, else as a bare capsule.
  bool TakesKind(StructKind kind, uint8_t* bare, Refusal* refusal) {
    const bool bare_alone = profile_.Says(Trait::kCapsulesOnly);
    const auto works = [&] {
      Recipe recipe = From().PlainImport(kind);
      return profile_.Claims(Claim::kConsumer) && Taken(recipe, refusal);
    };
    const auto found = [&] {
      // If one kind was accepted, the other one is tried with the same tensor.
      return profile_.takes_versioned != 0 ? works() : FindPlain(&profile_.plain_rank, &profile_.plain_dtype, works);
    };
    if (found()) return true;
    if (bare_alone || !profile_.Claims(Claim::kCapsuleInput)) return false;
    // With an AttributeError the library expects an object with other attributes, not a capsule.
    if (refusal->builtin.view() == "AttributeError") return false;
    const Refusal of_the_object = *refusal;
    *bare = 1;
    if (found()) return true;
    *bare = 0;
    *refusal = of_the_object;
    return false;
  }

  void Versioned() {
    subject_.Take(Complaint::kReading);
    const auto takes = [&] {
      return TakesKind(StructKind::kVersioned, &profile_.bare_versioned, &profile_.versioned_refusal);
    };
    profile_.takes_versioned = takes();
    if (profile_.takes_versioned == 0) {
      profile_.plain_minor = static_cast<uint8_t>(kNewestVersion.b);
      profile_.takes_versioned = takes();
      if (profile_.takes_versioned == 0) profile_.plain_minor = 0;
    }
    profile_.releases_late |= engine_.WasLate();
    profile_.aliases = crash_record_.ledger.imports[0].Aliases();
    profile_.shows_writable =
        crash_record_.ledger.imports[0].result.valid && crash_record_.ledger.imports[0].result.writable == Answer::kYes;
  }

  void Legacy() {
    profile_.takes_legacy = TakesKind(StructKind::kLegacy, &profile_.bare_legacy, &profile_.legacy_refusal);
    // If only versioned structs crash the library, legacy ones show the rest. One case reports the crash.
    if (profile_.takes_legacy != 0 && profile_.import_kills != 0) profile_.takes_versioned = profile_.import_kills = 0;
    profile_.releases_late |= engine_.WasLate();
    profile_.aliases |= crash_record_.ledger.imports[0].Aliases();
  }

  /// A late release does not occur every time.
  void Lateness() {
    if (profile_.import_kills != 0 || !profile_.Claims(Claim::kConsumer)) return;
    constexpr int kTries = 32;
    for (int i = 0; i < kTries && !engine_.WasLate() && Imports(Plain()); ++i) continue;
    profile_.releases_late |= engine_.WasLate();
  }

  /// A library that does not rename the capsule, and keeps it until its array is destroyed, borrows the tensor.
  void Borrowing() {
    if (profile_.Says(Trait::kBorrows) || !profile_.Claims(Claim::kPython) || profile_.aliases == 0) return;
    Recipe recipe = Plain();
    SetLife(recipe,
            {Op::kImport, Op::kDescribe, Op::kDropProducer, Op::kDropCapsule, Op::kRead, Op::kDropArray, Op::kCollect});
    FollowWays(profile_, recipe);
    if (profile_.import_kills != 0 || !Imports(recipe)) return;
    const ImportLedger& import = crash_record_.ledger.imports[0];
    // A library that removed the destructor owns the tensor, even if it did not rename the capsule.
    const bool unused = (import.name_after == NameSeen::kLegacy || import.name_after == NameSeen::kVersioned) &&
                        import.capsule_destructor_changed == 0;
    const bool early = import.deleter.calls_in_import != 0 || import.deleter.calls_while_alive != 0;
    if (unused && !early && import.deleter.calls == 1) {
      profile_.declared.traits |= 1u << static_cast<uint32_t>(Trait::kBorrows);
    }
  }

  void Tables() {
    if (!profile_.Claims(Claim::kPython)) return;
    Recipe recipe = Plain();
    recipe.table.attribute = TableAttribute::kCapsule;
    recipe.table.version = {1, 3};
    profile_.looks_for_tables = 1;  // so that the probe goes through from_dlpack, also if the adapter has from_exchange
    // A library that finds a table and refuses it has looked it up too.
    static_cast<void>(Imports(recipe));
    profile_.looks_for_tables = profile_.import_kills != 0 || crash_record_.ledger.imports[0].table.looked != 0;
  }

  void Empty() {
    Recipe recipe = OfRank(From().Rank(std::max<int>(profile_.plain_rank, 1)));
    recipe.offer().shape[0] = 0;
    recipe.offer().placement = Placement::kNull;
    profile_.takes_empty = Imports(recipe);
  }

  void NullStrides() {
    profile_.takes_null_strides = 1;  // if NULL strides crash, one case reports it
    Recipe recipe = Plain();
    recipe.offer().strides_kind = StridesKind::kNull;
    profile_.takes_null_strides = Imports(recipe);
  }

  void Negative() {
    Recipe recipe = Plain();
    recipe.offer().strides_kind = StridesKind::kExplicit;
    CompactStrides(recipe.offer().shape, recipe.offer().dims, recipe.offer().strides);
    for (int d = 0; d < recipe.offer().dims; ++d) recipe.offer().strides[d] = -recipe.offer().strides[d];
    Imports(recipe);
    profile_.survives_negative = 1;  // otherwise the child crashed above
  }

  void Offset() {
    Recipe recipe = Plain();
    recipe.offer().byte_offset = 256;
    profile_.takes_offset = Imports(recipe);
  }

  void ReadOnly() {
    if (!profile_.takes_versioned) {
      profile_.takes_read_only = 1;  // legacy structs have no flag to refuse
      return;
    }
    Recipe recipe = Plain();
    recipe.offer().flags = abi::kFlagReadOnly;
    profile_.takes_read_only = Imports(recipe);
    profile_.shows_read_only =
        crash_record_.ledger.imports[0].result.valid && crash_record_.ledger.imports[0].result.writable == Answer::kNo;
  }

  /// The smallest alignment that is accepted, starting with the declared one.
  void Alignment() {
    const auto declared = static_cast<uint8_t>(std::clamp(profile_.declared.alignment_log2, 0, kMostAligned));
    profile_.takes_alignment_log2 = declared;
    if (!profile_.Claims(Claim::kConsumer) || (!profile_.takes_legacy && !profile_.takes_versioned)) return;
    Recipe recipe = Plain();
    const int natural = std::max(NaturalAlignmentLog2(recipe.offer().dtype), 0);
    for (int log2 = std::max<int>(declared, natural); log2 < kMostAligned; ++log2) {
      recipe.offer().alignment_log2 = static_cast<uint8_t>(log2);
      // Natural alignment is always required.
      if (Imports(recipe)) {
        if (log2 > natural) profile_.takes_alignment_log2 = static_cast<uint8_t>(log2);
        return;
      }
    }
    profile_.takes_alignment_log2 = kMostAligned;
  }

  bool ExportsPlain(Argument max_version, uint8_t read_only) {
    Recipe recipe = PlainExport();
    recipe.call().max_version = max_version;
    recipe.request().read_only = profile_.made_read_only = read_only;
    return profile_.Claims(Claim::kProducer) && Given(recipe);
  }

  /// Where the library has its arrays. A struct alone decides if the adapter does not report devices.
  void LearnDevice() {
    const Description& array = crash_record_.ledger.sources[0].description;
    const ExportLedger& exported = crash_record_.ledger.exports[0];
    if (array.valid != 0 && array.has_device != 0) {
      profile_.made_device = array.device;
    } else if (exported.struct_address != 0) {
      profile_.made_device = exported.tensor.device;
    }
  }

  bool IsNamed(NameSeen name) const { return crash_record_.ledger.exports[0].name == name; }

  bool IsMade() const { return crash_record_.ledger.sources[0].make.outcome == Outcome::kAccepted; }

  /// The first simple array that can be made and exported without keywords. It is read-only if the library has no
  /// writable arrays.
  void LegacyExport() {
    const auto made = [&] {
      for (const uint8_t read_only : {uint8_t{0}, uint8_t{1}}) {
        if (ExportsPlain(Argument{}, read_only) || IsMade()) return true;
      }
      return false;
    };
    if (!FindPlain(&profile_.made_rank, &profile_.made_dtype, made)) profile_.made_read_only = 0;
    profile_.makes_legacy = Takes(crash_record_.ledger.exports[0].export_call) && IsNamed(NameSeen::kLegacy);
    LearnDevice();
  }

  /// The same array with max_version. Another one if that is never exported.
  void VersionedExport() {
    const auto newest = [&] { return ExportsPlain(kNewestVersion, profile_.made_read_only); };
    const auto either = [&] {
      for (const uint8_t read_only : {uint8_t{0}, uint8_t{1}}) {
        if (ExportsPlain(kNewestVersion, read_only)) return true;
        if (ExportsPlain(Argument{}, read_only)) {
          profile_.makes_legacy = IsNamed(NameSeen::kLegacy);
          return true;
        }
        // An array that can be made but not exported is not tried as a read-only one.
        if (IsMade()) return false;
      }
      return false;
    };
    if (!newest() && profile_.makes_legacy == 0 && FindPlain(&profile_.made_rank, &profile_.made_dtype, either)) {
      newest();
    }
    profile_.takes_keywords = Takes(crash_record_.ledger.exports[0].export_call);
    profile_.makes_versioned = profile_.takes_keywords && IsNamed(NameSeen::kVersioned);
    LearnDevice();
  }

  /// One address may be aligned by chance, so this takes the smallest alignment of arrays of many sizes.
  void MadeAlignment() {
    constexpr int kSizes = 24;
    profile_.makes_alignment_log2 = 0;
    int least = kMostAligned;
    for (int size = 1; size <= kSizes; ++size) {
      Recipe recipe = ExportOfRank(From().MadeRank(1));
      if (recipe.request().dims == 0) return;
      recipe.request().shape[recipe.request().dims - 1] = 16 * size;
      if (!Exported(recipe)) return;
      least =
          std::min(least, std::countr_zero(reinterpret_cast<uint64_t>(crash_record_.ledger.exports[0].tensor.data)));
    }
    profile_.makes_alignment_log2 = static_cast<uint8_t>(least);
  }

  void EmptyExport() {
    Recipe recipe = ExportOfRank(From().MadeRank(std::max<int>(profile_.made_rank, 1)));
    recipe.request().shape[0] = 0;
    profile_.makes_empty = Exported(recipe);
  }

  void OffsetExport() {
    Recipe recipe = PlainExport();
    recipe.request().making = Making::kView;
    recipe.request().offset = 3;
    profile_.makes_offset = Exported(recipe);
  }

  void ReadOnlyExport() {
    Recipe recipe = PlainExport();
    recipe.request().read_only = 1;
    if (profile_.takes_keywords != 0) recipe.call().max_version = kNewestVersion;
    Exported(recipe);
    profile_.makes_read_only = profile_.export_kills != 0 || IsMade();
    if (!IsMade()) return;
    Complain(CheckReadOnly(crash_record_.ledger.sources[0].description, crash_record_.ledger.exports[0]));
  }

  void Adapter() {
    if (!profile_.Claims(Claim::kProducer) || !HasAdapter()) return;
    Complain(CheckMade(subject_, profile_, WellImported()));
  }

  ImportsWell WellImported() {
    return [this](int dims, abi::DLDataType dtype) { return IsImportedWell(dims, dtype); };
  }

  /// Whether the library reads a simple tensor of that rank and dtype correctly, or refuses it.
  bool IsImportedWell(int dims, abi::DLDataType dtype) {
    Recipe recipe = OfRank(dims);
    recipe.offer().dtype = dtype;
    if (!Imports(recipe)) return true;
    const ImportLedger& record = crash_record_.ledger.imports[0];
    const auto wrong = [](const ElementReading& reading) {
      return reading.reading == Reading::kDiffers || reading.reading == Reading::kWrongCount ||
             reading.reading == Reading::kUnreadable;
    };
    return !wrong(record.library) && !wrong(record.memory);
  }

  /// A rank that crashes stays in the mask, so that the cases report it. A refused one is removed.
  void Rank(int dims) {
    bool taken = Imports(OfRank(dims));
    if (taken && dims <= 2) Complain(CheckImported(crash_record_.recipe.offer(), crash_record_.ledger.imports[0]));
    taken = taken || TakesAnother(dims);
    if (dims == 0) profile_.takes_scalar = taken;
    if (!taken) profile_.takes_ranks &= ~(1u << dims);
    if (!Exported(ExportOfRank(dims)) && !MakesAnother(dims)) profile_.makes_ranks &= ~(1u << dims);
    if (dims == kWalkedDims) Deep();
  }

  void OfLayout(Layout layout) {
    const bool negative = layout == Layout::kNegative || layout == Layout::kMixed;
    if (negative && !profile_.survives_negative) {
      profile_.takes_layouts &= ~Bit(layout);
    } else {
      Recipe recipe = OfRank(From().Rank(2));
      recipe.offer().strides_kind = StridesKind::kExplicit;
      const bool taken =
          StridesOf(static_cast<int>(layout), recipe.offer().dims, recipe.offer().strides) && Imports(recipe);
      if (!taken && layout != Layout::kCompact) profile_.takes_layouts &= ~Bit(layout);
    }
    profile_.takes_strided = profile_.takes_layouts != Bit(Layout::kCompact);
    Recipe recipe = ExportOfRank(From().MadeRank(2));
    recipe.request().making = Making::kView;
    recipe.request().strides_kind = StridesKind::kExplicit;
    const bool made =
        StridesOf(static_cast<int>(layout), recipe.request().dims, recipe.request().strides) && Exported(recipe);
    if (!made && layout != Layout::kCompact) profile_.makes_layouts &= ~Bit(layout);
  }

  void DataType(int index) {
    if (!profile_.declared.MayHaveType(index)) return;
    const abi::DLDataType dtype = DataTypes()[static_cast<size_t>(index)].dtype;
    Recipe import = Plain();
    import.offer().dtype = dtype;
    if (Imports(import)) {
      profile_.takes_dtypes |= uint64_t{1} << index;
      const ImportLedger& record = crash_record_.ledger.imports[0];
      const bool narrower = record.result.valid && record.result.known_dtype && !record.Aliases() &&
                            IsNarrower(record.result.dtype, dtype);
      if (narrower) profile_.narrows_dtypes |= uint64_t{1} << index;
      Complain(CheckTypeName(record.result, dtype));
    }
    Recipe request = PlainExport();
    request.request().dtype = dtype;
    if (profile_.takes_keywords) request.call().max_version = kNewestVersion;
    if (Exported(request)) profile_.makes_dtypes |= uint64_t{1} << index;
    if (!IsMade() || !HasAdapter()) return;
    Complain(CheckMadeType(crash_record_.ledger.sources[0].description, dtype));
    if (index != profile_.made_dtype) Complain(CheckMadeOf(subject_, profile_, dtype, WellImported()));
  }
};

const Prober::Step Prober::kProbes[kFixed] = {
    &Prober::Devices,      &Prober::Versioned,      &Prober::Legacy,          &Prober::Empty,
    &Prober::NullStrides,  &Prober::Offset,         &Prober::ReadOnly,        &Prober::Alignment,
    &Prober::Negative,     &Prober::LegacyExport,   &Prober::VersionedExport, &Prober::EmptyExport,
    &Prober::OffsetExport, &Prober::ReadOnlyExport, &Prober::MadeAlignment,   &Prober::Adapter,
    &Prober::Tables,       &Prober::Borrowing,      &Prober::Lateness,
};

void Prober::Skip(int probe, Profile& profile) {
  const Step step = probe < kFixed ? kProbes[probe] : nullptr;
  if (step == &Prober::Devices) {
    profile.takes_device = profile.refuses_host = 0;
  } else if (step == &Prober::Versioned) {
    profile.takes_versioned = profile.import_kills = 1;
  } else if (step == &Prober::Legacy) {
    profile.import_kills |= profile.takes_versioned == 0;
    profile.takes_legacy = 1;
  } else if (step == &Prober::Tables) {
    profile.looks_for_tables = 1;
  } else if (step == &Prober::LegacyExport) {
    profile.makes_legacy = profile.export_kills = 1;
  } else if (step == &Prober::VersionedExport) {
    profile.export_kills |= profile.makes_legacy == 0;
    profile.makes_versioned = profile.takes_keywords = 1;
  } else if (probe >= kFirstType) {
    // The import or export crashed: the cases must report it.
    profile.takes_dtypes |= uint64_t{1} << (probe - kFirstType);
    profile.makes_dtypes |= uint64_t{1} << (probe - kFirstType);
  }
}

}  // namespace

int ProbeCount() { return Prober::kFirstType + static_cast<int>(DataTypes().size()); }

void ExpectAll(Profile& profile) {
  profile.plain_rank = profile.made_rank = 1;
  profile.plain_dtype = profile.made_dtype = static_cast<uint8_t>(DataTypeIndex("float32"));
  const uint32_t ranks = (1u << Prober::kRanks) - 1;
  profile.takes_ranks = profile.makes_ranks = profile.declared.ranks != 0 ? profile.declared.ranks & ranks : ranks;
  const uint32_t layouts = (1u << kLayouts) - 1;
  const auto within = [&](uint32_t declared) {
    return declared != 0 ? (declared & layouts) | Bit(Layout::kCompact) : layouts;
  };
  profile.takes_layouts = within(profile.declared.imported_layouts);
  profile.makes_layouts = within(profile.declared.made_layouts);
  profile.takes_strided = profile.takes_layouts != Bit(Layout::kCompact);
}

void SkipProbe(CrashRecord& crash_record) {
  Prober::Skip(crash_record.probe, crash_record.profile);
  ++crash_record.probe;
}

void RunProbes(Subject& subject, Engine& engine, ReferenceRun& reference_run, CrashRecord& crash_record) {
  Prober prober(subject, engine, reference_run, crash_record);
  for (; crash_record.probe < ProbeCount(); ++crash_record.probe) prober.Probe(crash_record.probe);
}

}  // namespace dlpack_cts::worker
