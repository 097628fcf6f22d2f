// SPDX-License-Identifier: Apache-2.0
// Any bytes as the name of a file in a folder of dumps.
#include <cstddef>
#include <cstdint>

#include "interop/dump/dump_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  hloscope::interop::ParseDumpName({reinterpret_cast<const char*>(data), size});
  return 0;
}
