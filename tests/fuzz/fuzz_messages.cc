// SPDX-License-Identifier: Apache-2.0
// Any bytes as the stream of a client: every frame that is found parses or is refused, and what was skipped is reported
// once; cutting the stream into pieces elsewhere changes nothing.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lsp/large_json/large_json.h"
#include "lsp/transport/framing.h"
#include "lsp/transport/json_rpc.h"
#include "nlohmann/json.hpp"

namespace {

constexpr uint64_t kMaxPayload = 1 << 16;

std::vector<std::string> Read(const std::string& bytes, size_t piece) {
  hloscope::lsp::MessageFramer framer(kMaxPayload);
  std::vector<std::string> events;
  for (size_t at = 0; at < bytes.size(); at += piece) {
    framer.Append(absl::string_view(bytes).substr(at, piece));
    while (auto event = framer.Next()) {
      const bool is_message = event->kind == hloscope::lsp::MessageFramer::Event::Kind::kMessage;
      events.push_back((is_message ? "m" : "e") + event->text);
    }
  }
  return events;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  hloscope::lsp::SetLargePayloadReader(&hloscope::lsp::ParseLargeJson);
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::vector<std::string> whole = Read(bytes, size);
  if (Read(bytes, 1 + data[0] % 7) != whole) __builtin_trap();
  for (const std::string& event : whole) {
    const auto payload = hloscope::lsp::ParsePayload(event.substr(1));
    if (!payload.has_value()) continue;
    // What was understood can be written and read again.
    if (!hloscope::lsp::ParsePayload(hloscope::lsp::JsonText(*payload)).has_value()) __builtin_trap();
    const auto id = hloscope::lsp::ReadRequestId(*payload);
    if (id.has_value()) hloscope::lsp::ResultPayload(*id, "null");
  }
  // The bytes as one payload, too.
  hloscope::lsp::ParsePayload(bytes);
  return 0;
}
