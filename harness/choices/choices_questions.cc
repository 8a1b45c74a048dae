// harness/choices/choices_questions.cc: questions of the specification that explain no difference from the reference.
#include <algorithm>
#include <cstdint>
#include <span>

#include "harness/choices/choice_views.h"
#include "harness/recipe/arguments.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

constexpr std::string_view kGpu = "needs an array on a GPU";
constexpr std::string_view kOfTheText = "concerns only the wording: no behaviour of a library shows it";

consteval Choice Unseen(std::string_view number, std::string_view rule, std::string_view text, std::string_view why) {
  return {{}, rule, {}, {}, false, {}, {.question = {.number = number, .text = text, .unseen = why}}};
}

consteval Choice Asked(std::string_view number, std::string_view rule, std::string_view text,
                       std::array<std::string_view, kReadings> readings, Observer asked, Observer observe,
                       int weak = kNoReading) {
  return {{}, rule, {}, {}, false, observe, {.question = {number, text, readings, asked, weak}}};
}

/// Answered by accepting or refusing. A refusal may have another reason, unless `weak` says otherwise.
consteval Choice Accepts(std::string_view number, std::string_view rule, std::string_view text,
                         std::array<std::string_view, kReadings> readings, Observer asked, int weak = 1) {
  constexpr auto kObserve = [](const Exchange& x, int slot) {
    if (const std::optional<ImportedOffer> offered = ImportedOffer::In(x, slot))
      return Accepted(offered->seen.import) ? 0 : 1;
    const std::optional<Made> made = Made::In(x, slot);
    return made && Accepted(made->seen.export_call) ? 0 : 1;
  };
  return Asked(number, rule, text, readings, asked, kObserve, weak);
}

/// 0 for BufferError, 1 for the other class that a text names, 2 for any other class.
int ClassOf(const Refusal& refusal, bool other) { return refusal.buffer_error != 0 ? 0 : other ? 1 : 2; }

constexpr auto kSharesOrCopies = [](const ImportedOffer& import) {
  if (!Accepted(import.seen.import) || import.seen.result.has_pointer == 0) return kNoReading;
  return import.seen.Aliases() ? 0 : import.seen.place.area == Area::kElsewhere ? 1 : kNoReading;
};

/// The number of elements, or of pairs of them. `elements` is the extent of the last dimension in elements.
int CountOf(const int64_t* elements, const int64_t* shape, int dims) {
  if (dims < 1 || elements[dims - 1] < 2) return kNoReading;
  if (shape[dims - 1] == elements[dims - 1]) return 0;
  return CountsPairs(shape, elements, dims) ? 1 : kNoReading;
}

constexpr Choice kChoices[] = {
    Accepts("A-01", "C-STRIDES-04",
            "import of NULL strides in a struct of version 1.2 or later, which one text forbids",
            {"accepts them", "refuses them"},
            [](const ImportedOffer& i) {
              return i.IsUsual() && i.IsVersioned() && i.offer.minor >= 2 && i.offer.ndim > 0 &&
                     i.offer.strides_kind == StridesKind::kNull;
            }),
    Asked("A-03", "XAPI-RET-01", "the value that a failing function of the exchange table returns",
          {"-1", "another number"}, {},
          [](const Exchange& x, int) {
            for (const TableCall& call : x.subject.tables[0].calls) {
              if (call.called != 0 && call.status != 0) return call.status == -1 ? 0 : 1;
            }
            return kNoReading;
          }),
    Unseen("A-04", "XAPI-VER-05", "the name of the field prev_api", kOfTheText),
    Unseen("A-05", "C-VERSION-08", "what a minor version may change", kOfTheText),
    Asked(
        "A-06", "PY-COPY-07", "the exception of from_dlpack if copy=False is impossible",
        {"BufferError", "ValueError", "another exception"},
        [](const ImportedOffer& i) {
          return i.call.copy.kind == ArgumentKind::kFalse && Refused(i.seen.import) && i.WasServed() && i.IsUsual() &&
                 IsNothing(i.call.dl_device);
        },
        [](const ImportedOffer& i) { return ClassOf(i.seen.import, i.seen.import.builtin.view() == "ValueError"); }),
    Asked(
        "A-07", "PY-FROM-09", "the exception of from_dlpack for a device that the consumer does not know",
        {"BufferError", "TypeError", "another exception"},
        [](const ImportedOffer& i) {
          return !i.IsOnCpu() && Refused(i.seen.import) && i.WasServed() && i.IsUsualAnywhere();
        },
        [](const ImportedOffer& i) { return ClassOf(i.seen.import, i.seen.import.type_error != 0); }),
    Asked(
        "A-08", "C-DATA-04", "the data pointer of an export without elements", {"NULL", "not NULL"},
        [](const Made& e) { return e.GaveStruct() && ElementCount(e.request.shape, e.request.dims) == 0; },
        [](const Made& e) { return e.seen.tensor.data == nullptr ? 0 : 1; }),
    Asked(
        "A-09", "C-DATA-02",
        "the alignment of exported data, which one sentence sets to 256 bytes and the next one waives",
        {"less than 256 bytes", "256 bytes"},
        [](const Made& e) {
          return e.GaveStruct() && e.request.making == Making::kFresh && e.seen.tensor.data != nullptr;
        },
        [](const Made& e) { return reinterpret_cast<uintptr_t>(e.seen.tensor.data) % 256 == 0; }),
    Asked(
        "A-10", "PY-STREAM-07", "the stream that a consumer passes for data on the CPU",
        {"passes no stream", "passes None", "passes a number"}, [](const ImportedOffer& i) { return i.IsOnCpu(); },
        [](const ImportedOffer& i) {
          const auto calls = static_cast<size_t>(std::clamp(i.seen.producer_calls, 0, kProducerCalls));
          for (const ProducerCall& call : std::span(i.seen.calls, calls)) {
            if (call.is_device != 0) continue;
            return call.stream.kind == ArgumentKind::kAbsent ? 0 : call.stream.kind == ArgumentKind::kNone ? 1 : 2;
          }
          return kNoReading;
        }),
    Unseen("A-11", "PY-STREAM-08", "the streams that a producer has to support", kGpu),
    Accepts(
        "A-12", "PY-STREAM-01", "an export with stream=-1 of an array on the CPU", {"accepts it", "refuses it"},
        [](const Made& e) { return IsInt(e.call.stream) && e.call.stream.a == -1; }, kNoReading),
    Accepts(
        "A-12", "PY-STREAM-01", "exports with other streams of an array on the CPU", {"accepts them", "refuses them"},
        [](const Made& e) { return IsInt(e.call.stream) && e.call.stream.a >= 1; }, kNoReading),
    Unseen("A-13", "CUDA-STREAM-17", "whether pinned and managed memory has streams", kGpu),
    Accepts("A-14", "PY-DEVICE-07", "import of a capsule on another device than __dlpack_device__ returns",
            {"accepts the tensor", "refuses it"}, [](const ImportedOffer& i) { return !i.bare && !i.SameDevice(); }),
    Unseen("A-15", "C-DEVICE-02", "the device_id of managed memory", kGpu),
    Accepts("A-16", "C-VERSION-05", "import of a struct of major version 0", {"accepts it", "refuses it"},
            [](const ImportedOffer& i) { return i.IsVersioned() && i.offer.major == 0; }),
    Accepts("A-17", "C-FLAGS-09", "import of flags that no version defines", {"accepts the tensor", "refuses it"},
            [](const ImportedOffer& i) {
              return i.IsVersioned() && i.IsUsual() && (i.offer.flags & ~abi::kPublishedFlags) != 0;
            }),
    Unseen("A-18", "C-VERSION-10", "dtype codes and device types that were added without a new version",
           "needs a library that exports types or devices newer than 1.3"),
    Asked(
        "A-19", "PY-MAXVER-03", "the minor version of an export if max_version requests an older one",
        {"a later one", "the requested one or an older one"},
        [](const Made& e) {
          const Argument& asked = e.call.max_version;
          return e.GaveStruct() && e.seen.versioned != 0 && IsPair(asked) && asked.a == 1;
        },
        [](const Made& e) { return static_cast<int64_t>(e.seen.version.minor) > e.call.max_version.b ? 0 : 1; }),
    Asked("A-20", "C-SUBBYTE-05", "the layout of packed 6-bit elements",
          {"low bits first, without gaps", "another layout"}, {},
          [](const Exchange& x, int slot) {
            // One element has no order.
            if (const std::optional<Made> out = Made::In(x, slot)) {
              const bool shows = out->GaveStruct() && out->request.dtype.bits == 6 &&
                                 out->seen.packing != Packing::kNone && out->seen.packing != Packing::kPadded &&
                                 ElementCount(out->request.shape, out->request.dims) > 1;
              return !shows ? kNoReading : out->seen.packing == Packing::kLowFirst ? 0 : 1;
            }
            const std::optional<ImportedOffer> in = ImportedOffer::In(x, slot);
            if (!in || PackedBits(in->offer) != 6 || !Accepted(in->seen.import) ||
                ElementCount(in->offer.shape, in->offer.dims) < 2) {
              return kNoReading;
            }
            const Reading reading = in->seen.library.reading;
            return reading == Reading::kMatches ? 0 : reading == Reading::kDiffers ? 1 : kNoReading;
          }),
    Asked("A-21", "C-STRIDES-14", "what shape counts if two elements share a byte", {"elements", "pairs of elements"},
          {},
          [](const Exchange& x, int slot) {
            if (const std::optional<Made> out = Made::In(x, slot)) {
              const bool shows = out->GaveStruct() && PackedBits(out->request.dtype, false) == 4 &&
                                 out->seen.tensor.ndim == out->request.dims && out->seen.metadata_readable != 0;
              return shows ? CountOf(out->request.shape, out->seen.shape, out->request.dims) : kNoReading;
            }
            const std::optional<ImportedOffer> in = ImportedOffer::In(x, slot);
            const bool shows = in && PackedBits(in->offer) == 4 && Accepted(in->seen.import) &&
                               in->seen.result.has_shape != 0 && in->seen.result.ndim == in->offer.dims;
            return shows ? CountOf(in->offer.shape, in->seen.result.shape, in->offer.dims) : kNoReading;
          }),
    Asked("A-22", "PY-CAPSULE-13", "an exception that is pending while a capsule is destroyed",
          {"preserves it", "clears it"}, {},
          [](const Exchange& x, int) {
            const Survival exception = x.subject.exports[0].pending_exception;
            return exception == Survival::kNotRun ? kNoReading : exception == Survival::kSurvived ? 0 : 1;
          }),
    Accepts("A-24", "C-OWN-05", "import of a tensor with a NULL deleter", {"accepts it", "refuses it"},
            [](const ImportedOffer& i) { return i.IsUsual() && i.offer.deleter == DeleterKind::kNull; }),
    Unseen("A-25", "XAPI-ALLOC-07", "whether functions of the exchange table need the GIL",
           "a call without a GIL that the library needs crashes the process"),
    Asked("A-26", "XAPI-TO-05", "the release of a tensor that the exchange table failed to import",
          {"left to the caller", "done by the library"}, {},
          [](const Exchange& x, int) {
            const TableCall& call = x.subject.tables[0].calls[static_cast<size_t>(TableFunction::kToObject)];
            if (call.called == 0 || call.status == 0) return kNoReading;
            for (const Step& step : x.recipe.life()) {
              if (step.op == Op::kTableImport) return x.subject.imports[step.slot].deleter.calls_in_import != 0 ? 1 : 0;
            }
            return kNoReading;
          }),
    Unseen("A-27", "XAPI-DLT-03", "how long queued work may use a view that the exchange table returned", kGpu),
    Unseen("A-28", "XAPI-STREAM-01", "the meaning of a NULL stream from current_work_stream", kGpu),
    Unseen("A-29", "PY-MAXVER-12", "words of a draft that was never released", kOfTheText),
    Accepts("A-30", "PY-DLDEVICE-04", "an export with dl_device=(1, 0) of an array on the CPU",
            {"exports it", "refuses it"},
            [](const Made& e) {
              const Argument& device = e.call.dl_device;
              return device.kind == ArgumentKind::kPair && device.a == abi::kDLCPU && device.b == 0;
            }),
    Accepts("A-31", "PY-COPY-04", "an export with copy=True to a legacy struct, which has no IS_COPIED flag",
            {"copies", "refuses"},
            [](const Made& e) { return e.call.copy.kind == ArgumentKind::kTrue && IsNothing(e.call.max_version); }),
    Asked(
        "A-32", "PY-FROM-03", "import of compact tensors", {"shares the memory", "copies"},
        [](const ImportedOffer& i) {
          return i.offer.strides_kind != StridesKind::kExplicit && i.HasElements() && i.IsUsual() && i.IsPlain();
        },
        kSharesOrCopies),
    Asked(
        "A-33", "PY-FROM-03", "import of strided tensors", {"shares the memory", "copies"},
        [](const ImportedOffer& i) { return i.HasStride([](int64_t) { return true; }) && i.IsUsual() && i.IsPlain(); },
        kSharesOrCopies),
    Asked(
        "A-34", "C-FLAGS-11", "an export of a read-only array to a legacy struct, which has no READ_ONLY flag",
        {"refuses", "copies", "exports it as if it were writable"},
        [](const Made& e) {
          const bool read_only = e.request.read_only != 0 && e.array.writable != Answer::kYes;
          return read_only && IsNothing(e.call.max_version) && e.IsPlain();
        },
        [](const Made& e) {
          if (Refused(e.seen.export_call)) return 0;
          if (e.seen.versioned != 0 || e.seen.place.area == Area::kUnknown) return kNoReading;
          return e.seen.IsAtSource() ? 2 : 1;
        }),
    // An extent of 1 before other dimensions, whose compact stride is greater than 1.
    Asked(
        "A-35", "C-STRIDES-11", "the exported stride of an extent of 1 before larger extents",
        {"the compact stride", "1"},
        [](const Made& e) {
          return e.GaveStruct() && e.seen.null_strides == 0 && e.seen.metadata_readable != 0 &&
                 e.request.strides_kind != StridesKind::kExplicit && e.request.making == Making::kFresh;
        },
        [](const Made& e) {
          int64_t compact = 1;
          int reading = kNoReading;
          for (int d = e.request.dims - 1; d >= 0; --d) {
            if (e.request.shape[d] == 0) return kNoReading;
            if (e.request.shape[d] == 1 && compact > 1) reading = e.seen.strides[d] == 1 ? 1 : 0;
            compact *= e.request.shape[d];
          }
          return reading;
        }),
    Accepts(
        "A-36", "C-STRIDES-09", "import of negative strides", {"accepts them", "refuses them"},
        [](const ImportedOffer& i) { return i.HasStride([](int64_t stride) { return stride < 0; }) && i.IsUsual(); }),
    Accepts(
        "A-36", "C-STRIDES-10", "import of zero strides", {"accepts them", "refuses them"},
        [](const ImportedOffer& i) { return i.HasStride([](int64_t stride) { return stride == 0; }) && i.IsUsual(); }),
    Unseen("A-37", "PY-DEVICE-02", "device types that the array API standard does not list",
           "needs an array on such a device"),
    Asked(
        "A-38", "XAPI-DISC-03", "whether a library must have the exchange table", {"has it", "does not have it"},
        [](const Exchange& x, int) { return x.subject.tables[0].looked != 0; },
        [](const Exchange& x, int) { return x.subject.tables[0].found != 0 ? 0 : 1; }),
    Unseen("A-39", "XAPI-DISC-05", "statically allocated names after an extension module is unloaded",
           "extension modules are never unloaded: no interpreter survives that"),
    Asked(
        "A-40", "PY-MAXVER-01", "an export without max_version since March 2025",
        {"a legacy struct", "BufferError", "a versioned struct"},
        [](const Made& e) { return IsNothing(e.call.max_version) && e.request.read_only == 0 && e.IsPlain(); },
        [](const Made& e) {
          if (Refused(e.seen.export_call)) return e.seen.export_call.buffer_error != 0 ? 1 : kNoReading;
          return e.seen.struct_address == 0 ? kNoReading : e.seen.versioned != 0 ? 2 : 0;
        }),
    Unseen("A-41", "CUDA-MEM-06", "the note of one product that its tensors become invalid with their source",
           kOfTheText),
    Unseen("A-43", "XAPI-FROM-03", "objects of a subclass that inherits the exchange table",
           "needs a library whose subclasses have their own exchange tables"),
    Accepts("A-44", "PY-CAPSULE-14", "a bare capsule as the argument of from_dlpack", {"accepts it", "refuses it"},
            [](const ImportedOffer& i) { return i.bare && i.IsUsual(); }),
    Unseen("A-45", "C-FLAGS-07", "READ_ONLY and IS_COPIED together", kOfTheText),
    Asked(
        "A-46", "PY-MAXVER-02", "the struct for a max_version of major version 1",
        {"a versioned struct", "a legacy struct"},
        [](const Made& e) { return e.GaveStruct() && IsPair(e.call.max_version) && e.call.max_version.a == 1; },
        [](const Made& e) { return e.seen.versioned != 0 ? 0 : 1; }),
    Unseen("A-47", "CUDA-STREAM-13", "which side orders queued work before a deleter", kGpu),
    Unseen("A-48", "XAPI-STREAM-05", "current_work_stream for a device that the library does not know",
           "needs a library with a notion of streams"),
    Unseen("A-49", "C-FLAGS-07", "whether a producer still owns a copy that it exported", kOfTheText),
    Unseen("A-50", "C-STRIDES-02", "headers of version 1.1 that already forbade NULL strides", kOfTheText),
    Unseen("A-51", "C-LAYOUT-04", "whether flags belongs to the stable part of the struct", kOfTheText),
};

const RegisterChoices kQuestions(ChoiceList::kQuestions, kChoices);

}  // namespace
}  // namespace dlpack_cts
