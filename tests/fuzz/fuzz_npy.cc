// SPDX-License-Identifier: Apache-2.0
// Any bytes, or a header that announces anything, as an .npy file: an array or a reason.
#include <sstream>

#include "evaluator/tensor/npy.h"
#include "tests/fuzz/fuzz_module.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hloscope;
  if (size == 0) return 0;
  static constexpr ElementType kTypes[] = {ElementType::kF32, ElementType::kS4, ElementType::kC64, ElementType::kBF16,
                                           ElementType::kPred};
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 0) {  // the header alone is the fuzzer's
    text.resize(std::min<size_t>(text.size(), 65000));
    const auto length = static_cast<uint16_t>(text.size());
    text = std::string("\x93NUMPY\1\0", 8) + static_cast<char>(length & 0xff) + static_cast<char>(length >> 8) + text +
           std::string(64, '\0');
  }
  const Shape shape = Shape::Array(kTypes[data[0] / 2 % std::size(kTypes)], {2, 3});
  std::istringstream stream(text);
  (void)evaluator::ReadNpy(stream, "fuzz.npy", shape);
  return 0;
}
