// harness/choices/choices_export.cc: choices in which a producer, or its exchange table, may differ from the reference.
#include <utility>

#include "harness/choices/choice_views.h"
#include "harness/choices/exported_by_both.h"
#include "harness/recipe/arguments.h"
#include "harness/recipe/life.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

/// Both exported an array that they made. An imported array may be re-exported as it came.
constexpr auto kGaveCapsules = [](const Exported& e) {
  return e.x.recipe.kind == RecipeKind::kExport && e.HasStep(Op::kExport) && e.Both();
};

constexpr auto kGivesLegacy = [](const Exported& e) {
  if (!e.Both() || e.ours.versioned == 0) return kNoReading;
  return e.subject.versioned == 0 ? 1 : 0;
};

/// max_version names the major version of the reference, with an older minor version.
bool AsksForAnOlderMinor(const Exported& e) {
  const Argument& asked = e.CallOf().max_version;
  return e.Both() && e.ours.versioned != 0 && IsPair(asked) && asked.a == 1 &&
         std::cmp_less(asked.b, e.ours.version.minor);
}

/// A copy that both made may have any address and any layout, and may be read-only.
constexpr auto kCopiesToo = [](const Exported& e) {
  return e.Both() && !e.ours.IsAtSource() && e.LiesElsewhere() && e.SaysCopied();
};

constexpr auto kBothRefuse = [](const Exported& e) {
  return Refused(e.subject.export_call) && Refused(e.ours.export_call);
};

/// Both libraries tried, and both failed.
bool BothFail(const Refusal& a, const Refusal& b) {
  return !Accepted(a) && !Accepted(b) && a.outcome != Outcome::kNotRun && b.outcome != Outcome::kNotRun;
}

/// The reference does not support devices, and is on the CPU instead.
bool IsOfCuda(abi::DLDevice device) {
  return device.device_type == abi::kDLCUDA || device.device_type == abi::kDLCUDAHost ||
         device.device_type == abi::kDLCUDAManaged;
}

constexpr Choice kChoices[] = {
    // Such an array is never written, so its converted elements may be cached. Its reads do not show whether exports
    // share its memory, and its values after a write are unknown.
    May("keeps-what-it-converted", "C-OWN-16", "caches the converted elements of an immutable array",
        "exportS.write_export exportS.elements exportS.elements.* exportS.first_elements exportS.first_elements.* "
        "exportS.packing",
        [](const Exported& e) {
          return e.Both() && e.x.profile.Says(Trait::kImmutable) && HasStep(e.x.recipe, Op::kWriteExport);
        }),
    // No text defines where the value is in a padded byte.
    May("pads-small-elements", "C-SUBBYTE-06",
        "stores elements smaller than a byte in one byte each, and sets IS_SUBBYTE_TYPE_PADDED",
        "exportS.flags exportS.packing exportS.elements exportS.elements.* exportS.first_elements "
        "exportS.first_elements.* exportS.write_export",
        [](const Exported& e) {
          return e.Both() && e.subject.versioned != 0 && IsSubByte(e.subject.tensor.dtype) &&
                 (e.subject.flags & abi::kFlagSubbytePadded) != 0 && (e.subject.flags & ~abi::kPublishedFlags) == 0 &&
                 !e.LiesOfPadding();
        }),
    // No text defines how 6-bit elements share bytes.
    May("packs-six-bits-otherwise", "C-SUBBYTE-05", "packs 6-bit elements in its own layout",
        "exportS.packing exportS.elements exportS.elements.* exportS.first_elements exportS.first_elements.* "
        "exportS.write_export",
        [](const Exported& e) {
          return e.Both() && e.subject.tensor.dtype.bits == 6 && e.ours.tensor.dtype.bits == 6;
        }),
    // The library counts two elements of the import as one.
    May("reexports-pairs", "C-SUBBYTE-10", "re-exports pairs of small elements that it counts as one",
        "exportS.shape exportS.strides exportS.packing exportS.elements exportS.elements.* exportS.first_elements "
        "exportS.first_elements.*",
        [](const Exported& e) {
          if (!e.BothReexport() || !IsSubByte(e.ours.tensor.dtype)) return false;
          const Description& subject = e.Imported().result;
          const Description& ours = e.x.reference.imports[e.ImportOf()].result;
          return subject.has_shape != 0 && subject.ndim == ours.ndim && ours.ndim >= 1 && ours.ndim <= kDims &&
                 CountsPairs(subject.shape, ours.shape, ours.ndim);
        }),
    // As vectors of two lanes that share a byte.
    May("exports-pairs", "C-SUBBYTE-10", "exports pairs of 4-bit elements as one element of 2 lanes",
        "exportS.dtype exportS.shape exportS.strides exportS.packing exportS.elements exportS.elements.* "
        "exportS.first_elements exportS.first_elements.* exportS.write_export",
        [](const Exported& e) {
          const abi::DLDataType subject = e.subject.tensor.dtype;
          const abi::DLDataType ours = e.ours.tensor.dtype;
          return e.Both() && subject.lanes == 2 && ours.lanes == 1 && subject.code == ours.code && subject.bits == 4 &&
                 ours.bits == 4;
        }),
    MayAlways("gives-legacy-structs", "PY-MAXVER-13", "exports legacy structs where versioned ones are requested",
              "exportS.name exportS.versioned exportS.version exportS.flags", kGivesLegacy,
              {.habit = {"exportS.versioned", "0, as in every default exchange", kGaveCapsules}}),
    // The cases about max_version check the answer to it. None requests no version.
    May("gives-versioned-structs", "PY-MAXVER-04", "answers another max_version with a versioned struct",
        "exportS.name exportS.versioned exportS.version exportS.flags",
        [](const Exported& e) {
          return e.Both() && e.ours.versioned == 0 && e.subject.versioned != 0 && !IsNothing(e.CallOf().max_version);
        }),
    May("caps-the-minor", "PY-MAXVER-05", "does not declare a later minor version than the requested one",
        "exportS.version",
        [](const Exported& e) {
          return AsksForAnOlderMinor(e) && e.subject.versioned != 0 && e.subject.version.major == 1 &&
                 std::cmp_less_equal(e.subject.version.minor, e.CallOf().max_version.b);
        }),
    May("compares-the-whole-version", "PY-MAXVER-04", "exports legacy structs to consumers of an older minor version",
        "exportS.name exportS.versioned exportS.version exportS.flags",
        [](const Exported& e) { return AsksForAnOlderMinor(e) && e.subject.versioned == 0; }),
    // A consumer of a later version must accept any older struct.
    May("gives-later-majors-legacy-structs", "PY-MAXVER-02",
        "exports legacy structs to consumers of a later major version",
        "exportS.name exportS.versioned exportS.version exportS.flags",
        [](const Exported& e) {
          const Argument& asked = e.CallOf().max_version;
          return kGivesLegacy(e) == 1 && IsPair(asked) && asked.a > 1;
        }),
    MayAlways("declares-another-minor", "C-VERSION-07", "exports another minor version of 1", "exportS.version",
              [](const Exported& e) {
                if (!e.BothVersioned() || e.subject.version.major != 1) return kNoReading;
                return e.subject.version.minor != e.ours.version.minor ? 1 : 0;
              },
              {.habit = {"exportS.version", "another minor version, as in every default exchange", kGaveCapsules}}),
    // An array that was imported may be that of another library, such as NumPy.
    May("declares-another-minor-again", "C-VERSION-07", "re-exports another minor version of 1 than it exports",
        "exportS.version",
        [](const Exported& e) {
          return e.BothReexport() && e.BothVersioned() && e.subject.version.major == 1 &&
                 std::cmp_less_equal(e.subject.version.minor, kNewestVersion.b);
        }),
    // A producer that declares a later minor version may set the flags of that version.
    May("sets-later-flags", "C-FLAGS-01", "sets flags of a later minor version that it declares", "exportS.flags",
        [](const Exported& e) {
          return e.subject.version.major == 1 && e.subject.version.minor > kNewestVersion.b &&
                 ((e.subject.flags ^ e.ours.flags) & abi::kPublishedFlags) == 0;
        }),
    MayAlways("leaves-compact-strides-out", "C-STRIDES-01", "exports NULL strides of compact arrays before version 1.2",
              "exportS.null_strides exportS.strides", [](const Exported& e) { return e.subject.null_strides != 0; },
              {.legal =
                   [](const Exported& e) {
                     const abi::DLPackVersion version = e.subject.version;
                     return e.Both() && e.subject.tensor.ndim != 0 &&
                            (e.subject.versioned == 0 || (version.major == 1 && version.minor < 2)) &&
                            (e.SameLayout() || kCopiesToo(e));
                   },
               .question = {.number = "A-01",
                            .text = "export of NULL strides for compact arrays, which the other text still allows",
                            .readings = {"exports strides", "exports NULL strides"},
                            .asked = [](const Made& made) { return made.GaveStruct() && made.seen.tensor.ndim > 0; }}}),
    // If ndim is 0, the pointers have no meaning.
    May("has-pointers-for-scalars", "C-SHAPE-02", "exports any shape and strides pointers for 0 dimensions",
        "exportS.null_shape exportS.null_strides exportS.shape exportS.strides",
        [](const Exported& e) { return e.Both() && e.subject.tensor.ndim == 0 && e.ours.tensor.ndim == 0; }),
    May("exports-idle-strides", "C-STRIDES-11", "exports any stride for extents of 0 or 1", "exportS.strides",
        [](const Exported& e) { return e.Both() && e.subject.null_strides == 0 && e.SameLayout(); }),
    May("writes-the-offset", "C-DATA-14", "splits an address between data and byte_offset in its own way",
        "exportS.byte_offset exportS.null_data",
        [](const Exported& e) {
          return e.Both() && e.subject.place.area == e.ours.place.area &&
                 e.subject.place.offset == e.ours.place.offset;
        }),
    May("exports-nothing-anywhere", "C-DATA-07", "exports any address and strides for an array without elements",
        "exportS.byte_offset exportS.null_data exportS.place exportS.points_at_source exportS.strides",
        [](const Exported& e) { return e.Both() && e.NoElements(); }),
    // The slot holds the result of managed_tensor_allocator.
    May("lays-out-what-it-allocates", "XAPI-ALLOC-10", "chooses the layout of what its allocator returns",
        "exportS.strides exportS.byte_offset exportS.place",
        [](const Exported& e) { return e.Both() && e.HasStep(Op::kTableAllocate); }),
    // The exchange table has no parameter for copy=False.
    May("exports-copies", "C-FLAGS-05",
        "exports copies, with IS_COPIED in versioned structs, unless copy=False was passed",
        "exportS.place exportS.points_at_source exportS.byte_offset exportS.null_data exportS.strides exportS.flags "
        "exportS.write_export",
        [](const Exported& e) {
          const bool forbidden = e.CallOf().copy.kind == ArgumentKind::kFalse && !e.HasStep(Op::kTableExport);
          return e.Both() && !forbidden && (e.LiesElsewhere() || e.NoElements()) && e.SaysCopied();
        }),
    // For an unflagged or unwanted copy its address is the deviation, not its layout.
    May("lays-out-wrong-copies", "C-FLAGS-05", "chooses the layout of a copy that is unflagged or not allowed",
        "exportS.byte_offset exportS.null_data exportS.strides exportS.flags",
        [](const Exported& e) {
          const Reading reading = e.subject.first_elements.reading;
          return e.Both() && e.ours.IsAtSource() && e.subject.place.area == Area::kElsewhere &&
                 (reading == Reading::kMatches || reading == Reading::kNotRead);
        }),
    May("exports-copies-in-its-own-way", "C-FLAGS-07",
        "chooses the layout of an exported copy, and whether it is read-only",
        "exportS.place exportS.byte_offset exportS.null_data exportS.strides exportS.flags", kCopiesToo),
    // Without a described address, the address of element 0 is unknown.
    May("describes-no-address", "C-DATA-14", "does not report the address of its own arrays",
        "exportS.place exportS.points_at_source exportS.byte_offset exportS.null_data",
        [](const Exported& e) { return e.Both() && e.subject.place.area == Area::kUnknown; }),
    MayAlways("has-read-only-arrays", "C-FLAGS-03", "makes read-only arrays, and sets READ_ONLY in their structs",
              "exportS.flags exportS.write_export",
              [](const Exported& e) {
                const Answer subject = e.x.subject.sources[e.SourceOf()].description.writable;
                const Answer ours = e.x.reference.sources[e.SourceOf()].description.writable;
                return e.Both() && subject != Answer::kUnknown && ours != Answer::kUnknown && subject != ours;
              }),
    // A library whose arrays can be read-only may have made this one writable, or read-only. Then READ_ONLY follows the
    // array, and not the request.
    May("flags-the-array-that-it-made", "C-FLAGS-02",
        "makes an array writable or read-only otherwise than requested, and sets READ_ONLY as the array is",
        "exportS.flags exportS.write_export",
        [](const Exported& e) {
          const Answer subject = e.x.subject.sources[e.SourceOf()].description.writable;
          const Answer ours = e.x.reference.sources[e.SourceOf()].description.writable;
          if (!e.Both() || e.ImportOf() >= 0 || subject == Answer::kUnknown || ours == Answer::kUnknown) return false;
          const uint64_t flag = e.subject.versioned != 0 && subject == Answer::kNo ? abi::kFlagReadOnly : 0;
          return subject != ours && (e.subject.flags & abi::kFlagReadOnly) == flag &&
                 ((e.subject.flags ^ e.ours.flags) & ~abi::kFlagReadOnly) == 0;
        }),
    // The library made its own array from the tensor, and exports that one.
    May("reexports-its-own-array", "C-OWN-18", "re-exports the array that it made of an imported tensor",
        "exportS.null_shape exportS.null_strides exportS.ndim exportS.shape exportS.strides exportS.byte_offset",
        [](const Exported& e) {
          if (!e.BothReexport()) return false;
          const int dims = std::clamp(e.subject.tensor.ndim, 0, kDims);
          const Description& imported = e.Imported().result;
          if (imported.valid == 0) {
            const bool of_ones = std::count(e.subject.shape, e.subject.shape + dims, 1) == dims;
            return e.LiesElsewhere() || (e.ours.tensor.ndim == 0 && of_ones);
          }
          return imported.has_shape != 0 && imported.ndim == e.subject.tensor.ndim &&
                 std::equal(e.subject.shape, e.subject.shape + dims, imported.shape) &&
                 (e.subject.null_strides == 0 || e.subject.tensor.ndim <= 0) &&
                 (imported.has_strides == 0 || e.IsLaidOutAs(imported));
        }),
    // The array has the narrower dtype, and is exported with it.
    May("reexports-what-it-narrowed", "C-DTYPE-14",
        "re-exports the narrower dtype that it made of an imported tensor", "exportS.dtype",
        [](const Exported& e) {
          const abi::DLDataType subject = e.subject.tensor.dtype;
          const abi::DLDataType ours = e.ours.tensor.dtype;
          return e.BothReexport() && e.x.profile.Says(Trait::kNarrows) && subject.code == ours.code &&
                 subject.bits < ours.bits && subject.lanes == ours.lanes;
        }),
    // The library decides about READ_ONLY and IS_COPIED for its own memory.
    May("reexports-its-own-memory", "C-FLAGS-12", "re-exports a copy that it made of an imported tensor",
        "exportS.flags exportS.write_export exportS.place exportS.points_at_source exportS.byte_offset",
        [](const Exported& e) {
          if (!e.BothReexport()) return false;
          const Description& imported = e.Imported().result;
          const bool own = imported.has_pointer != 0 && e.Imported().place.area == Area::kElsewhere;
          return own || (imported.valid == 0 && e.LiesElsewhere());
        }),
    // What is imported as read-only is exported as read-only.
    May("reexports-read-only", "C-FLAGS-03", "re-exports as read-only what it imported as read-only",
        "exportS.flags exportS.write_export",
        [](const Exported& e) {
          const auto read_only = [&](const Description& imported) {
            return imported.valid == 0 || imported.writable != Answer::kYes;
          };
          return e.BothReexport() && (e.NoElements() || ((e.subject.flags & abi::kFlagReadOnly) != 0 && read_only(e.Imported().result)));
        }),
    // A library without read-only arrays drops the flag.
    May("forgets-read-only", "C-FLAGS-12",
        "re-exports read-only tensors as writable, because it has no read-only arrays",
        "exportS.flags exportS.write_export",
        [](const Exported& e) {
          return e.BothReexport() && !e.x.profile.Claims(Claim::kReadOnly) &&
                 (e.subject.flags ^ e.ours.flags) == abi::kFlagReadOnly;
        }),
    // The array is not a plain buffer: the library decides what its elements are, unless it exports them.
    May("has-odd-arrays", "C-LAYOUT-08", "reads and describes arrays that are not plain buffers in its own way",
        "sourceS.elements sourceS.elements.* sourceS.used sourceS.used.* sourceS.device_call sourceS.device_call.* "
        "sourceS.dtype sourceS.dtype_name sourceS.strides sourceS.device sourceS.reported_device",
        [](const Exchange& x, int slot) {
          return x.recipe.kind == RecipeKind::kExport && slot < x.recipe.used.requests &&
                 std::any_of(x.recipe.requests, x.recipe.requests + x.recipe.used.requests,
                             [](const Request& request) { return request.oddity != Oddity::kNone; });
        }),
    May("publishes-in-its-own-way", "XAPI-DISC-02",
        "publishes its table under the attribute name of 1.2, of 1.3, or both", "tableS.current tableS.older",
        [](const Exchange& x, int slot) {
          const TableLedger& table = x.subject.tables[slot];
          const bool now = table.current == Published::kCapsule;
          const bool before = table.older == Published::kInt;
          if (table.looked == 0 || (table.current == Published::kNot && table.older == Published::kNot))
            return kNoReading;
          if (now && table.older == Published::kNot) return 0;
          if (before && table.current == Published::kNot) return 1;
          return now && before ? 2 : 3;
        },
        {.legal =
             [](const Exchange& x, int slot) {
               const TableLedger& table = x.subject.tables[slot];
               return table.found != 0 && (table.current == Published::kCapsule || table.older == Published::kInt ||
                                           table.older == Published::kCapsule);
             },
         .accepted = 0b1111,
         .question = {.number = "A-02",
                      .text = "the attribute that holds the exchange table",
                      .readings = {"the capsule of 1.3 (__dlpack_c_exchange_api__)",
                                   "the int of 1.2 (__c_dlpack_exchange_api__)", "both", "another mix"}}}),
    May("has-a-table-of-another-minor", "XAPI-VER-06", "has another minor version in its table", "tableS.version",
        [](const Exchange& x, int slot) {
          return x.subject.tables[slot].version.major == x.reference.tables[slot].version.major;
        }),
    May("has-older-tables", "XAPI-VER-03", "has more or fewer tables in the chain of prev_api", "tableS.chain_length",
        kAlways),
    May("leaves-out-views", "XAPI-TAB-04", "has a NULL dltensor_from_py_object_no_sync",
        "tableS.null_slots tableS.view.*",
        [](const Exchange& x, int slot) {
          return x.subject.tables[slot].null_slots == 1u << static_cast<int>(TableFunction::kView);
        }),
    May("answers-for-undefined-streams", "XAPI-RET-01", "returns a stream for an undefined device, or fails",
        "tableS.stream.status tableS.stream.exception tableS.stream.out_written", kAlways),
    May("names-errors-as-it-likes", "XAPI-ALLOC-06", "passes another kind of error to SetError", "tableS.error_kind",
        kAlways),
    May("reports-a-failure-more-than-once", "XAPI-ALLOC-05", "calls SetError more than once for one failure",
        "tableS.set_errors",
        [](const Exchange& x, int slot) {
          const int32_t calls = x.subject.tables[slot].set_errors;
          return calls == 1 ? 0 : calls == 0 ? 1 : 2;
        },
        {.legal = [](const Exchange& x, int slot) { return x.reference.tables[slot].set_errors > 0; },
         .accepted = 0b0101,
         .question = {.number = "A-42",
                      .text = "how often a failing managed_tensor_allocator calls SetError",
                      .readings = {"once", "not at all", "more often"},
                      .asked =
                          [](const Exchange& x, int slot) {
                            const TableCall& call =
                                x.subject.tables[slot].calls[static_cast<size_t>(TableFunction::kAllocator)];
                            return call.called != 0 && call.status != 0;
                          }}}),
    May("leaves-out-alone-when-it-fails", "XAPI-RET-04", "writes its out parameter when it fails, or does not",
        "tableS.from_object.* tableS.to_object.* tableS.allocator.* tableS.view.*", kBothRefuse),
    May("makes-arrays-as-it-likes", "C-STRIDES-02", "chooses the layout of the arrays that it makes",
        "sourceS.strides sourceS.writable sourceS.has_pointer sourceS.dtype_name",
        [](const Exchange& x, int slot) {
          return x.subject.sources[slot].description.valid != 0 && x.reference.sources[slot].description.valid != 0;
        }),
    // The array that the library made has another layout, and the export shows it. If the library does not describe the
    // strides, as of elements that share bytes, the exported elements show whether the exported strides are right.
    May("exports-its-own-layout", "C-STRIDES-02", "exports the layout that its array has", "exportS.strides",
        [](const Exported& e) {
          const Description& source = e.x.subject.sources[e.SourceOf()].description;
          if (!e.Both() || source.valid == 0 || source.ndim != e.subject.tensor.ndim) return false;
          return source.has_strides != 0 ? e.IsLaidOutAs(source)
                                         : e.subject.first_elements.reading == Reading::kMatches;
        }),
    MayAlways("stores-capsule-names-elsewhere", "PY-CAPSULE-08", "stores capsule names in non-static memory",
              "exportS.name_storage",
              [](const Exported& e) { return e.Both() ? ReadingOf(e.subject.name_storage) : kNoReading; },
              {.habit = {"exportS.name_storage", "non-static memory, as in every default exchange", kGaveCapsules}}),
    May("refuses-exports-with-what-it-likes", "PY-DLPACK-04", "refuses with another exception",
        "exportS.exception exportS.is_buffer_error exportS.is_type_error", kBothRefuse),
    May("refuses-requests-with-what-it-likes", "PY-DLDEVICE-01",
        "raises another exception for a request that it cannot satisfy",
        "sourceS.make.* sourceS.change.* sourceS.device_call.*",
        [](const Exchange& x, int slot) {
          const SourceLedger& subject = x.subject.sources[slot];
          const SourceLedger& ours = x.reference.sources[slot];
          return BothFail(subject.make, ours.make) || BothFail(subject.change, ours.change) ||
                 BothFail(subject.device_call, ours.device_call);
        }),
    // The library decides how it changes metadata of its own array. Exports need not follow.
    May("changes-in-its-own-way", "C-SHAPE-06", "changes its own arrays in place in its own way",
        "sourceS.change sourceS.change.* sourceS.elements sourceS.elements.* sourceS.used sourceS.used.*",
        [](const Exchange& x, int slot) { return x.reference.sources[slot].change.outcome != Outcome::kNotRun; }),
    // Only the library knows the new shape. The last export of the slot counts.
    May("exports-what-it-changed", "C-SHAPE-06", "exports an array that was changed in place as it is then",
        "exportS.outcome exportS.exception exportS.is_buffer_error exportS.is_type_error exportS.ndim exportS.shape "
        "exportS.strides exportS.null_shape exportS.null_strides exportS.null_data exportS.data_readable "
        "exportS.elements exportS.elements.* exportS.first_elements exportS.first_elements.* exportS.place "
        "exportS.points_at_source exportS.alignment exportS.byte_offset exportS.write_export exportS.flags",
        [](const Exchange& x, int slot) {
          bool changed = false;
          bool behind = false;
          for (const Step& step : x.recipe.life()) {
            changed = changed || step.op == Op::kChangeMetadata;
            if (step.op == Op::kExport && step.slot == slot) behind = changed;
          }
          return behind;
        }),
    // Whether an array shows what the library writes into it is the library's own. A change by an exchange is not.
    May("writes-its-arrays-as-it-likes", "PY-DLPACK-06", "writes elements of its own arrays, or cannot write them",
        "sourceS.first_write sourceS.write",
        [](const Exchange& x, int slot) {
          const SourceLedger& source = x.subject.sources[slot];
          return source.write == source.first_write || source.first_write == WriteShown::kNotShown ||
                 source.write == WriteShown::kNotShown;
        }),
    // An export may keep the array alive, or only its memory.
    May("counts-references-in-its-own-way", "C-OWN-10", "keeps references to an array between two calls",
        "sourceS.references_gained",
        [](const Exchange& x, int) {
          return std::any_of(x.reference.exports.begin(), x.reference.exports.end(),
                             [](const ExportLedger& exported) { return Accepted(exported.export_call); });
        }),
    // If a deleter does not return in a fork, the contexts that use a fork show nothing.
    May("lives-in-one-process", "PY-THREAD-03", "has deleters that do not return in a forked child",
        "exportS.survives_*", [](const Exported& e) { return e.subject.survives_fork == Answer::kNo; }),
    May("lives-in-one-interpreter", "PY-THREAD-03", "has deleters that do not return when a subinterpreter ends",
        "exportS.survives_other", kAlways),
    May("makes-arrays-on-cuda", "C-DEVICE-12", "makes its arrays on a CUDA device",
        "exportS.device exportS.cuda_memory exportS.cuda_device exportS.data_readable exportS.elements "
        "exportS.elements.* exportS.first_elements exportS.first_elements.* exportS.write_export sourceS.device "
        "sourceS.reported_device sourceS.elements sourceS.elements.* sourceS.used sourceS.used.*",
        [](const Exchange& x, int slot) {
          const Description& array = x.subject.sources[slot].description;
          const bool is_there = array.valid != 0 && array.has_device != 0 && IsOfCuda(array.device);
          return x.profile.Claims(Claim::kCuda) && (is_there || IsOfCuda(x.subject.exports[slot].tensor.device));
        }),
    // Every published device is legal. What the struct and __dlpack_device__ say of it has to agree with the array.
    May("makes-arrays-elsewhere", "C-DEVICE-01", "makes its arrays on another device than the CPU", "sourceS.device",
        [](const Exchange& x, int slot) { return DeviceOfArray(x, slot).has_value(); }),
    May("reports-its-device", "PY-DEVICE-03", "returns the device of its arrays from __dlpack_device__",
        "sourceS.reported_device",
        [](const Exchange& x, int slot) { return DeviceOfArray(x, slot) == x.subject.sources[slot].device; }),
    May("exports-on-its-device", "C-DEVICE-01", "exports its arrays on their own device",
        "exportS.device exportS.data_readable exportS.write_export",
        [](const Exported& e) {
          const Argument& asked = e.CallOf().dl_device;
          const abi::DLDevice device = e.subject.tensor.device;
          const bool other = IsPair(asked) &&
                             (asked.a != device.device_type || asked.b != device.device_id);
          return e.Both() && !other && IsElsewhere(device) && DeviceOfArray(e.x, e.OriginOf()) == device;
        }),
    // stream=-1 asks for no order, and functions of the table do not order. Any other export may wait for the device,
    // and a copy may allocate device memory.
    May("ends-captures", "CUDA-STREAM-14", "ends a CUDA stream capture in an export that is ordered or a copy",
        "exportS.cuda_keeps_capture",
        [](const Exported& e) {
          const Argument& stream = e.CallOf().stream;
          const bool unordered = IsInt(stream) && stream.a == -1;
          return (e.StepOf() != nullptr && e.StepOf()->op == Op::kExport && !unordered) ||
                 (e.subject.flags & abi::kFlagIsCopied) != 0;
        }),
    // __dlpack_device__ may raise the BufferError of the export. An array that was exported has a device.
    May("has-no-device-without-an-export", "PY-DEVICE-01",
        "raises BufferError from __dlpack_device__ of an array that it does not export",
        "sourceS.device_call sourceS.device_call.*",
        [](const Exchange& x, int slot) {
          const Refusal& answer = x.subject.sources[slot].device_call;
          if (!Refused(answer) || answer.buffer_error == 0) return false;
          for (int exported = 0; exported < kSlots; ++exported) {
            const std::optional<Exported> of = Exported::In(x, exported);
            if (of->SourceOf() == slot && of->subject.struct_address != 0) return false;
          }
          return true;
        }),
    May("has-no-methods", "PY-DLPACK-09", "exports with functions instead of methods",
        "sourceS.device_call sourceS.device_call.*",
        [](const Exchange& x, int) {
          return x.profile.Says(Trait::kCapsulesOnly) || !x.profile.Claims(Claim::kPython);
        }),
};

const RegisterChoices kExports(ChoiceList::kExport, kChoices);

}  // namespace
}  // namespace dlpack_cts
