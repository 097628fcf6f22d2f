// SPDX-License-Identifier: Apache-2.0
// Reads the numbers of MLIR bytecode (docs/stablehlo.md 7).
#ifndef HLOSCOPE_STABLEHLO_BYTE_READER_H_
#define HLOSCOPE_STABLEHLO_BYTE_READER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace hloscope::stablehlo {

// Reads from `begin` to `end` of the bytes of a file. After the first failure everything reads as zero or empty, and
// `status` says what was wrong, and where in the file.
class ByteReader {
 public:
  ByteReader(absl::string_view file, size_t begin, size_t end) : file_(file), position_(begin), end_(end) {}

  bool ok() const { return message_.empty(); }
  bool AtEnd() const { return position_ >= end_ || !ok(); }
  size_t position() const { return position_; }
  size_t left() const { return end_ - position_; }
  absl::string_view file() const { return file_; }
  // InvalidArgument with the byte, or OK.
  absl::Status status() const;
  void Fail(absl::string_view message);

  uint8_t Byte();
  // 1 to 9 bytes: the zeros below the lowest one of the first byte count those that follow.
  uint64_t Varint();
  // A varint whose lowest bit is the sign.
  int64_t SignedVarint();
  // A varint that says how many things follow, each of at least one byte: fails if the bytes do not suffice.
  size_t Count();
  // A varint below `limit`; fails otherwise, naming `what`.
  size_t Index(size_t limit, absl::string_view what);
  // A count, and as many signed varints.
  std::vector<int64_t> SignedList();
  absl::string_view Bytes(uint64_t count);
  absl::string_view ZeroTerminated();
  // A reader of the next `count` bytes, which this one skips.
  ByteReader Part(uint64_t count);

 private:
  absl::string_view file_;
  size_t position_, end_;
  size_t failed_at_ = 0;
  std::string message_;
};

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_BYTE_READER_H_
