// SPDX-License-Identifier: Apache-2.0
// Any bytes as the literal of a constant, in the shape that the first byte chooses.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/document/document.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static constexpr const char* kShapes[] = {
      "f32[2,3]",    "s4[4]",    "pred[]",       "c64[2]", "(f32[2], (s32[], pred[2,1]))",
      "f8e4m3fn[3]", "u64[0,2]", "bf16[2,1,1,2]"};
  if (size == 0) return 0;
  const std::string text = std::string("ENTRY e { ROOT c = ") + kShapes[data[0] % 8] + " constant(" +
                           std::string(reinterpret_cast<const char*>(data + 1), size - 1) + ") }";
  hloscope::Document::Parse(hloscope::SourceText::FromString("fuzz", text));
  return 0;
}
