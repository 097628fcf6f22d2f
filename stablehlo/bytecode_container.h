// SPDX-License-Identifier: Apache-2.0
// The sections of an MLIR bytecode file (docs/stablehlo.md 7).
#ifndef HLOSCOPE_STABLEHLO_BYTECODE_CONTAINER_H_
#define HLOSCOPE_STABLEHLO_BYTECODE_CONTAINER_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "stablehlo/byte_reader.h"

namespace hloscope::stablehlo {

// An attribute or a type as it is in the file.
struct EncodedElement {
  uint32_t dialect = 0;    // its number
  bool is_custom = false;  // encoded by its dialect; else text that ends with a zero
  size_t begin = 0, end = 0;
};

struct OperationName {
  absl::string_view dialect, name;  // "vhlo", "add_v1"
};

// Everything points into the bytes of the file.
struct BytecodeContainer {
  uint64_t version = 0;
  absl::string_view producer;
  std::vector<absl::string_view> strings, dialects;
  std::vector<OperationName> operations;
  std::vector<EncodedElement> attributes, types;
  std::vector<ByteReader> properties;
  ByteReader ir;
};

inline constexpr uint8_t kIrSection = 4;

// A section: its number and its data; `reader` is then after it.
struct BytecodeSection {
  uint8_t id = 0;
  ByteReader data;
};
BytecodeSection ReadSection(ByteReader& reader);

inline constexpr absl::string_view kBytecodeMagic = "ML\xEFR";

// Format version and producer, from the first bytes; zero and empty if there are none.
struct BytecodeHeader {
  uint64_t version = 0;
  absl::string_view producer;
};
BytecodeHeader ReadBytecodeHeader(absl::string_view file);

// Reads the tables of a file that begins with kBytecodeMagic. Errors: InvalidArgument with the byte; Unimplemented for
// a format version that is not known.
absl::StatusOr<BytecodeContainer> ReadContainer(absl::string_view file);

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_BYTECODE_CONTAINER_H_
