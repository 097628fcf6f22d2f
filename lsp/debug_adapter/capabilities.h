// SPDX-License-Identifier: Apache-2.0
// What the adapter says of itself in `initialize`.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_CAPABILITIES_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_CAPABILITIES_H_

#include "nlohmann/json_fwd.hpp"

namespace hloscope::dap {

// README.md lists every field of the protocol.
nlohmann::json Capabilities();

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_CAPABILITIES_H_
