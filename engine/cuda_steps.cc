// engine/cuda_steps.cc: exports while work is pending on a stream, imports from device memory, queries of the CUDA
// driver.
#include "engine/cuda_steps.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "engine/cuda_arguments.h"
#include "engine/cuda_kernels.h"
#include "harness/forge/layout.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/packing.h"
#include "subject/exported_tensor.h"

namespace dlpack_cts {
namespace {

using std::chrono::milliseconds;

constexpr uint64_t kLegacyStream = 1;
constexpr int64_t kNoOrder = -1;
// Work that nothing delays takes microseconds. Slower work counts as delayed, and is not reported.
constexpr milliseconds kPatience{20};
// The longest time that a stream is blocked. An unordered export (stream=-1) must return earlier.
constexpr milliseconds kHeld{100};
constexpr milliseconds kHeldLong{1000};
constexpr int64_t kMostBytes = 1 << 16;
enum Piece : int { kSaved, kFirst, kSecond, kPieces };
static_assert(kGatherDims == kDims);
constexpr unsigned kThreadsOfKernel = 128;
constexpr size_t kEnoughBytes = 8;  // so that memory does not hold the elements by chance
constexpr int kMostStreams = 64;    // after that, CUDA reuses handles of destroyed streams

uint64_t Address(const void* memory) { return reinterpret_cast<uint64_t>(memory); }

bool IsOnCuda(abi::DLDevice device) { return device.device_type == abi::kDLCUDA; }

/// The memory from the lowest element to the highest. Strides are in elements.
DeviceBytes BytesBetween(uint64_t element0, const int64_t* shape, const int64_t* strides, int dims, int64_t item) {
  const int64_t count = dims < 0 || dims > kDims ? 0 : ElementCount(shape, dims);
  if (item <= 0 || count <= 0 || count > kMostBytes / item) return {};
  const Span span = ElementSpan(shape, strides, dims);
  const int64_t size = (span.highest - span.lowest + 1) * item;
  if (span.lowest < -kMostBytes || span.highest > kMostBytes || size > kMostBytes) return {};
  return {element0 + static_cast<uint64_t>(span.lowest * item), static_cast<size_t>(size)};
}

/// The stream that an export is ordered with. For stream=-1 (no order): the legacy default stream.
uint64_t OrderedWith(const Argument& stream) {
  return stream.kind == ArgumentKind::kInt && stream.a > 0 ? static_cast<uint64_t>(stream.a) : kLegacyStream;
}

Answer AnswerOf(bool yes) { return yes ? Answer::kYes : Answer::kNo; }

}  // namespace

void CudaSteps::AskOfExport(int slot) {
  const CudaDriver* const driver = life_.driver;
  ExportLedger& record = life_.exported(slot);
  const int32_t type = record.tensor.device.device_type;
  if (driver == nullptr || (type != abi::kDLCUDA && type != abi::kDLCUDAHost && type != abi::kDLCUDAManaged)) return;
  const CudaDriver::Memory memory =
      driver->Ask(reinterpret_cast<uint64_t>(record.tensor.data) + record.tensor.byte_offset);
  record.cuda_memory = memory.kind;
  record.cuda_device = memory.device;
}

/// Records the device of each stream that the library passed to the producer.
void CudaSteps::AskOfStreams(int slot) {
  const CudaDriver* const driver = life_.driver;
  const abi::DLDevice device = life_.offer(slot).reported_device;
  // If the device does not exist, a stream cannot be right or wrong.
  if (driver == nullptr || device.device_type != abi::kDLCUDA || device.device_id >= driver->devices()) return;
  ImportLedger& record = life_.import(slot);
  for (int i = 0; i < std::min(record.producer_calls, kProducerCalls); ++i) {
    const Argument& stream = record.calls[i].stream;
    if (stream.kind != ArgumentKind::kInt || stream.a < 0 || IsNamedStream(static_cast<uint64_t>(stream.a))) continue;
    record.calls[i].cuda_stream_device = 1 + driver->DeviceOf(static_cast<uint64_t>(stream.a));
  }
}

void CudaSteps::Call(const Step& step, const std::function<void()>& work) {
  const CudaDriver* const driver = life_.driver;
  if (driver == nullptr) return work();
  const Description& array = life_.seen().sources[LifeState::SourceOf(step)].description;
  const int device = array.valid && array.has_device ? array.device.device_id : 0;
  switch (step.context) {
    case Context::kCapture: {
      const Answer kept = driver->InCapture(device, work);
      life_.exported(step.slot).cuda_keeps_capture = kept;
      return;
    }
    case Context::kOtherDevice: {
      const Answer kept = driver->WithOtherDevice(device, work);
      ExportLedger& record = life_.exported(step.slot);
      (step.op == Op::kDelete ? record.cuda_deleter_keeps_device : record.cuda_keeps_device) = kept;
      return;
    }
    case Context::kPendingWork:
      return ExportBesideWork(step, work);
    case Context::kHeldStream:
      return ExportOnHeldStream(step, work);
    case Context::kEndedStream:
      return DeleteBehindStream(step, work);
    default:
      return work();
  }
}

void CudaSteps::ReadByKernel(const Step& step) {
  const CudaDriver* const driver = life_.driver;
  ExportLedger& record = life_.exported(step.slot);
  const LifeState::Exported& out = life_.slots[step.slot].out;
  const int device = record.tensor.device.device_id;
  if (driver == nullptr || !HasCudaKernels() || out.reexported_from != 0 || !IsOnCuda(record.tensor.device) ||
      device < 0 || device >= driver->devices() || record.tensor.data == nullptr || BytesOfExport(record).size == 0) {
    return;
  }
  GatherTask task = {};
  task.from = Address(record.tensor.data) + record.tensor.byte_offset;
  task.item = ItemSize(record.tensor.dtype);
  task.ndim = record.tensor.ndim;
  task.count = ElementCount(record.shape, record.tensor.ndim);
  int64_t strides[kDims] = {};
  if (record.null_strides != 0) {
    CompactStrides(record.shape, record.tensor.ndim, strides);
  } else {
    std::copy_n(record.strides, record.tensor.ndim, strides);
  }
  std::copy_n(record.shape, task.ndim, task.shape);
  for (int d = 0; d < task.ndim; ++d) task.byte_strides[d] = strides[d] * task.item;
  const size_t bytes = static_cast<size_t>(task.count * task.item);
  const CudaDriver::OnDevice there(*driver, device);
  const uint64_t stream = StreamOf(step.stream, device);
  task.to = driver->Allocate(bytes);
  // The export named no stream, so the elements are there when the device is idle.
  if (task.to == 0 || stream == 0 || driver->Synchronize() != 0) return driver->Free(task.to);
  const KernelRan ran = RunKernel(*driver, stream, kGatherKernel, &task, kThreadsOfKernel);
  if (ran == KernelRan::kFailed) record.elements.reading = Reading::kUnreadable;
  const bool known = !out.elements_unknown && !life_.sources[out.source].elements_unknown;
  if (ran == KernelRan::kDone && known && bytes <= life_.scratch.got.size() &&
      driver->Copy(Address(life_.scratch.got.data()), task.to, bytes)) {
    record.data_readable = 1;
    elements_.Compare(static_cast<int64_t>(bytes), elements_.ExpectRequest(out.source), task.item, record.elements);
  }
  driver->Free(task.to);
}

int64_t CudaSteps::WorkStreamOf(const LifeState::Source& source) {
  DeviceArrays* const device = source.array == nullptr ? nullptr : source.owner->device();
  return device == nullptr ? -1 : device->WorkStream(source.array);
}

CudaSteps::OnCuda& CudaSteps::On(int device) {
  if (cuda_ == nullptr) cuda_ = std::make_unique<OnCuda>();
  cuda_->device = device;
  return *cuda_;
}

uint64_t CudaSteps::StreamOf(int number, int device) {
  uint64_t& stream = On(device).streams[number];
  if (stream == 0) {
    const CudaDriver::OnDevice there(*life_.driver, device);
    stream = life_.driver->NewStream();
  }
  return stream;
}

uint8_t* CudaSteps::Pinned(int piece, int device) {
  uint8_t*& memory = On(device).pinned;
  if (memory == nullptr) memory = static_cast<uint8_t*>(life_.driver->AllocateHost(kPieces * kMostBytes));
  return memory == nullptr ? nullptr : memory + piece * kMostBytes;
}

const dlpack_cts::Call& CudaSteps::CallOf(const Step& step) {
  const dlpack_cts::Call& call = life_.recipe.call(step.call);
  const Description& array = life_.seen().sources[LifeState::SourceOf(step)].description;
  if (step.stream == 0 || life_.driver == nullptr || !array.has_device || !IsOnCuda(array.device)) return call;
  const uint64_t stream = StreamOf(step.stream, array.device.device_id);
  cuda_->call = call;
  cuda_->call.stream = {ArgumentKind::kInt, {}, static_cast<int64_t>(stream), 0};
  return cuda_->call;
}

DeviceBytes CudaSteps::BytesOfSource(int source) const {
  const Description& array = life_.seen().sources[source].description;
  const int64_t item = array.known_dtype != 0 ? ItemSize(array.dtype) : 0;
  if (!array.valid || !array.has_pointer || !array.has_shape || !array.has_strides || !array.has_device ||
      !IsOnCuda(array.device) || item <= 0 || array.ndim > kDims) {
    return {};
  }
  int64_t strides[kDims] = {};
  for (int d = 0; d < array.ndim; ++d) {
    if (array.byte_strides[d] % item != 0) return {};
    strides[d] = array.byte_strides[d] / item;
  }
  return BytesBetween(array.pointer, array.shape, strides, array.ndim, item);
}

DeviceBytes CudaSteps::BytesOfExport(const ExportLedger& record) const {
  if (record.struct_address == 0 || record.metadata_readable == 0 || !IsOnCuda(record.tensor.device)) return {};
  int64_t strides[kDims] = {};
  const int dims = std::clamp(record.tensor.ndim, 0, kDims);
  if (record.null_strides != 0) {
    CompactStrides(record.shape, dims, strides);
  } else {
    std::copy_n(record.strides, dims, strides);
  }
  const uint64_t element0 = Address(record.tensor.data) + record.tensor.byte_offset;
  return BytesBetween(element0, record.shape, strides, record.tensor.ndim, ItemSize(record.tensor.dtype));
}

/// Whether the exported tensor has the array's elements, if its memory `from` holds `bytes`.
bool CudaSteps::ShowsSource(const Step& step, DeviceBytes from, std::span<const uint8_t> bytes) {
  const ExportLedger& record = life_.seen().exports[step.slot];
  if (bytes.empty()) return false;
  // The same tensor, with the copied bytes as its memory.
  ExportLedger copy = record;
  const uint64_t element0 = Address(record.tensor.data) + record.tensor.byte_offset;
  copy.tensor.data = const_cast<uint8_t*>(bytes.data() + (element0 - from.address));
  copy.tensor.byte_offset = 0;
  copy.tensor.device = {abi::kDLCPU, 0};
  if (ReadExported(copy, life_.scratch.got) != Reading::kMatches) return false;
  const std::span<const uint8_t> wanted = elements_.ExpectRequest(LifeState::SourceOf(step));
  return !wanted.empty() && std::memcmp(wanted.data(), life_.scratch.got.data(), wanted.size()) == 0;
}

void CudaSteps::ExportBesideWork(const Step& step, const std::function<void()>& work) {
  const CudaDriver& driver = *life_.driver;
  const LifeState::Source& source = life_.sources[LifeState::SourceOf(step)];
  const DeviceBytes bytes = BytesOfSource(LifeState::SourceOf(step));
  const int64_t own = WorkStreamOf(source);
  if (bytes.size == 0 || own < 0) return work();
  const int device = life_.seen().sources[LifeState::SourceOf(step)].description.device.device_id;
  const CudaDriver::OnDevice there(driver, device);
  const Argument asked = CallOf(step).stream;
  const uint64_t stream = OrderedWith(asked);
  const bool unordered = asked.kind == ArgumentKind::kInt && asked.a == kNoOrder;
  const auto piece = [&](Piece number) { return Pinned(number, device); };
  if (piece(kSaved) == nullptr) return work();
  PendingWork pending(driver, bytes, static_cast<uint64_t>(own), piece(kSaved), unordered ? kHeldLong : kHeld);
  const auto passes = [&](uint64_t other) {
    const StreamCopy copy(driver, bytes, other, piece(kFirst));
    const bool passed = copy.ComesBefore(pending.gate(), kPatience);
    if (!passed) pending.End();
    return passed;
  };
  // If the stream waits for the library's own stream by itself, as the legacy default stream does for many, order
  // cannot be tested.
  if (!pending.begun() || !passes(stream) || (step.stream != 0 && !passes(kLegacyStream))) {
    pending.End();
    return work();
  }
  work();
  ExportLedger& record = life_.exported(step.slot);
  record.cuda_blocks = AnswerOf(!pending.gate().IsClosed());
  if (record.struct_address != 0 && record.tensor.device.device_type == abi::kDLCPU) {
    const bool read = ReadExported(record, life_.scratch.got) == Reading::kMatches;
    const std::span<const uint8_t> wanted = elements_.ExpectRequest(LifeState::SourceOf(step));
    record.cuda_ordered = AnswerOf(read && std::memcmp(wanted.data(), life_.scratch.got.data(), wanted.size()) == 0);
    return;
  }
  const DeviceBytes from = BytesOfExport(record);
  if (from.size == 0) return;
  // Work on the harness's stream came too early. Perhaps the library ordered the legacy default stream instead.
  if (step.stream != 0 && StreamCopy(driver, from, stream, piece(kSecond)).ComesBefore(pending.gate(), kPatience)) {
    record.cuda_orders_another = AnswerOf(!passes(kLegacyStream));
    record.cuda_ordered = Answer::kNo;
    return;
  }
  const StreamCopy behind(driver, from, stream, piece(kSecond));
  behind.ComesBefore(pending.gate(), unordered ? kHeldLong : kPatience);
  pending.End();
  record.cuda_ordered = AnswerOf(ShowsSource(step, from, behind.Bytes()));
}

void CudaSteps::ExportOnHeldStream(const Step& step, const std::function<void()>& work) {
  const CudaDriver& driver = *life_.driver;
  const Description& array = life_.seen().sources[LifeState::SourceOf(step)].description;
  if (step.stream == 0 || !array.has_device || !IsOnCuda(array.device)) return work();
  const int device = array.device.device_id;
  const CudaDriver::OnDevice there(driver, device);
  const uint64_t stream = StreamOf(step.stream, device);
  const uint64_t beside = StreamOf(step.stream % (kStreams - 1) + 1, device);
  const auto piece = [&](Piece number) { return Pinned(number, device); };
  if (piece(kSaved) == nullptr) return work();
  Gate gate(driver, stream, kHeld);
  work();
  ExportLedger& record = life_.exported(step.slot);
  const DeviceBytes from = BytesOfExport(record);
  if (from.size < kEnoughBytes) return;
  if (gate.IsClosed()) {
    // The copy may be running on another stream.
    std::this_thread::sleep_for(kPatience);
    const StreamCopy late(driver, from, beside, piece(kFirst));
    const bool there_already = late.ComesBefore(gate, kPatience) && ShowsSource(step, from, late.Bytes());
    if (gate.IsClosed() || !there_already) record.cuda_copies_apart = AnswerOf(there_already);
  }
  gate.Open();
  const StreamCopy behind(driver, from, stream, piece(kSecond));
  record.cuda_ordered = AnswerOf(ShowsSource(step, from, behind.Bytes()));
}

void CudaSteps::DeleteBehindStream(const Step& step, const std::function<void()>& work) {
  const CudaDriver& driver = *life_.driver;
  if (cuda_ == nullptr || cuda_->streams[step.stream] == 0 || step.stream == 0) return work();
  const CudaDriver::OnDevice there(driver, cuda_->device);
  uint64_t& stream = cuda_->streams[step.stream];
  const uint64_t ended = stream;
  driver.Synchronize();
  driver.EndStream(ended);
  std::vector<uint64_t> others;
  do {
    stream = driver.NewStream();
    if (stream != ended) others.push_back(stream);
  } while (stream != ended && stream != 0 && others.size() < kMostStreams);
  for (const uint64_t other : others) driver.EndStream(other);
  if (stream != ended) stream = 0;
  if (stream == 0) return work();
  life_.exported(step.slot).cuda_leaves_alone = driver.LeavesAlone(stream, work);
}

DeviceBytes CudaSteps::BytesOfOffer(int slot) const {
  if (!life_.forge.IsOnDevice(slot)) return {};
  const auto [begin, end] = life_.forge.ElementBytes(slot);
  return {begin, end - begin};
}

void CudaSteps::FetchOnce(int slot) {
  ElementReading& reading = life_.import(slot).library;
  reading = {};
  elements_.ReadArray(slot, life_.slots[slot].array, elements_.BytesToRead(slot), reading);
  life_.ledger.Add(Seen::kRead, slot, static_cast<int32_t>(reading.reading));
}

void CudaSteps::QueueWorkInExport(int slot, Offered& offered) {
  const DeviceBytes bytes = BytesOfOffer(slot);
  if (life_.driver == nullptr || life_.forge.StandsIn() || bytes.size == 0 || bytes.size > kMostBytes) return;
  const CudaDriver::OnDevice there(*life_.driver, On(life_.offer(slot).device.device_id).device);
  cuda_->pending_in = slot;
  // Create both now: this may allocate driver memory, which waits while a stream is blocked.
  StreamOf(1, cuda_->device);
  if (Pinned(kSaved, cuda_->device) == nullptr) return;
  // A consumer of the exchange table asks for the stream, instead of naming one.
  offered.work_stream = StreamOf(1, cuda_->device);
  cuda_->callers_stream = CallersStream();
  offered.on_export_of = this;
  offered.on_export = [](void* steps, const Argument& stream) { static_cast<CudaSteps*>(steps)->QueueWork(stream); };
}

int64_t CudaSteps::CallersStream() const {
  for (const LifeState::Slot& slot : life_.slots) {
    DeviceArrays* const device = slot.array == nullptr ? nullptr : slot.owner->device();
    if (device != nullptr) return device->WorkStream(slot.array);
  }
  return -1;
}

void CudaSteps::QueueWork(const Argument& asked) {
  if (cuda_ == nullptr) return;
  // A library that calls __dlpack__ again uses the tensor of the last call.
  cuda_->pending.reset();
  const bool unnamed = asked.kind == ArgumentKind::kAbsent || asked.kind == ArgumentKind::kNone;
  // A library that works on a default stream need not name it.
  const bool own = cuda_->callers_stream > 0 && !IsNamedStream(static_cast<uint64_t>(cuda_->callers_stream));
  if (unnamed ? !own : asked.kind != ArgumentKind::kInt || asked.a == 0) return;
  const CudaDriver& driver = *life_.driver;
  const CudaDriver::OnDevice there(driver, cuda_->device);
  // For stream=-1 (no order), the pending work is on a stream that the library was not given.
  const uint64_t named = asked.a == kNoOrder ? StreamOf(1, cuda_->device) : static_cast<uint64_t>(asked.a);
  const uint64_t stream = unnamed ? kLegacyStream : named;
  cuda_->pending = std::make_unique<PendingWork>(driver, BytesOfOffer(cuda_->pending_in), stream,
                                                 Pinned(kSaved, cuda_->device), kHeld);
}

void CudaSteps::Fetch(const Step& step) {
  const int slot = step.slot;
  const CudaDriver& driver = *life_.driver;
  const CudaDriver::OnDevice there(driver, life_.offer(slot).device.device_id);
  ImportLedger& record = life_.import(slot);
  FetchOnce(slot);
  const bool ordered = record.library.reading == Reading::kMatches;
  const bool pending =
      cuda_ != nullptr && cuda_->pending != nullptr && cuda_->pending_in == slot && cuda_->pending->begun();
  if (pending) {
    cuda_->pending.reset();
    FetchOnce(slot);  // what it reads without pending work is the expected result
  }
  record.cuda_status = driver.Synchronize();
  if (pending && record.library.reading == Reading::kMatches && record.Aliases())
    record.cuda_ordered = AnswerOf(ordered);
}

void CudaSteps::Leave() {
  if (cuda_ == nullptr) return;
  const CudaDriver& driver = *life_.driver;
  const CudaDriver::OnDevice there(driver, cuda_->device);
  cuda_->pending.reset();
  driver.Synchronize();
  driver.FreeHost(cuda_->pinned);
  for (const uint64_t stream : cuda_->streams) driver.EndStream(stream);
  cuda_.reset();
}

}  // namespace dlpack_cts
