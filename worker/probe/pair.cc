// worker/probe/pair.cc: combines the producer's part of one profile with the consumer's part of the other.
#include "worker/probe/pair.h"

#include <cstdint>

namespace dlpack_cts::worker {

Profile PairOf(const Profile& producer, const Profile& consumer) {
  constexpr Claim kOfProducer[] = {Claim::kProducer,       Claim::kReadOnly,         Claim::kOddities,     Claim::kCuda,
                                   Claim::kReshapeInPlace, Claim::kTransposeInPlace, Claim::kResizeInPlace};
  Profile pair = consumer;
  for (const Claim claim : kOfProducer) {
    const uint32_t bit = 1u << static_cast<uint32_t>(claim);
    pair.claims = (pair.claims & ~bit) | (producer.claims & bit);
  }
  pair.makes_legacy = producer.makes_legacy;
  pair.makes_versioned = producer.makes_versioned;
  pair.takes_keywords = producer.takes_keywords;
  pair.made_rank = producer.made_rank;
  pair.made_dtype = producer.made_dtype;
  pair.made_read_only = producer.made_read_only;
  pair.made_device = producer.made_device;
  pair.makes_empty = producer.makes_empty;
  pair.makes_offset = producer.makes_offset;
  pair.makes_read_only = producer.makes_read_only;
  pair.makes_deepest = producer.makes_deepest;
  pair.makes_ranks = producer.makes_ranks;
  pair.makes_layouts = producer.makes_layouts;
  pair.makes_dtypes = producer.makes_dtypes;
  pair.is_pair = 1;
  return pair;
}

}  // namespace dlpack_cts::worker
