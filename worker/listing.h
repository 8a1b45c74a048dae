// worker/listing.h: answers about cases and mutants that need no library.
#ifndef DLPACK_CTS_WORKER_LISTING_H_
#define DLPACK_CTS_WORKER_LISTING_H_

#include <nlohmann/json.hpp>

namespace dlpack_cts::worker {

nlohmann::json ListCases();
nlohmann::json ListMutants();
nlohmann::json ListFreedoms();
nlohmann::json ListAmbiguities();

/// The rules to which causes are attributed, and the properties that an exchange may have.
nlohmann::json ListHomes();
nlohmann::json ListCoordinates();

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_LISTING_H_
