// SPDX-License-Identifier: Apache-2.0
#include "evaluator/plugins/process_plugin.h"

#include <dlfcn.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace hloscope::evaluator {

absl::StatusOr<const HloscopeTransport*> LoadTransport(const std::string& path) {
  // What Open MPI loads itself looks for its symbols among those of the process.
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) return absl::NotFoundError(absl::StrCat(path, ": cannot be loaded: ", dlerror()));
  const auto open = reinterpret_cast<HloscopeOpenTransport>(dlsym(library, HLOSCOPE_OPEN_TRANSPORT));
  if (open == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": does not export " HLOSCOPE_OPEN_TRANSPORT));
  }
  const char* message = "";
  const HloscopeTransport* const transport = open(&message);
  if (transport == nullptr) return absl::UnavailableError(absl::StrCat(path, ": ", message));
  if (transport->version != HLOSCOPE_TRANSPORT_VERSION) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": was made for version ", transport->version,
                                                   " of the interface; this program has version ",
                                                   HLOSCOPE_TRANSPORT_VERSION));
  }
  return transport;
}

}  // namespace hloscope::evaluator
