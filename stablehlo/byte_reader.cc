// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/byte_reader.h"

#include <algorithm>
#include <bit>

#include "absl/strings/str_cat.h"

namespace hloscope::stablehlo {

absl::Status ByteReader::status() const {
  if (ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(message_, ", at byte ", failed_at_));
}

void ByteReader::Fail(absl::string_view message) {
  if (!ok()) return;
  message_ = std::string(message);
  failed_at_ = position_;
  position_ = end_;
}

uint8_t ByteReader::Byte() {
  if (position_ < end_) return static_cast<uint8_t>(file_[position_++]);
  Fail("the bytecode ends early");
  return 0;
}

uint64_t ByteReader::Varint() {
  const uint8_t first = Byte();
  if (!ok()) return 0;
  // 0 as first byte: the eight bytes after it are the number.
  const int following = first == 0 ? 8 : std::countr_zero(first);
  const absl::string_view bytes = Bytes(static_cast<uint64_t>(following));
  uint64_t value = first == 0 ? 0 : first;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const size_t shift = 8 * (first == 0 ? i : i + 1);
    if (shift < 64) value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[i])) << shift;
  }
  return first == 0 ? value : value >> (following + 1);
}

int64_t ByteReader::SignedVarint() {
  const uint64_t value = Varint();
  return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

size_t ByteReader::Count() {
  const uint64_t count = Varint();
  if (count <= left()) return static_cast<size_t>(count);
  Fail(absl::StrCat("the bytecode ends before ", count, " elements"));
  return 0;
}

size_t ByteReader::Index(size_t limit, absl::string_view what) {
  const uint64_t index = Varint();
  if (ok() && index < limit) return static_cast<size_t>(index);
  Fail(absl::StrCat("no ", what, " ", index, ": there are ", limit));
  return 0;
}

std::vector<int64_t> ByteReader::SignedList() {
  std::vector<int64_t> list(Count());
  for (int64_t& entry : list) entry = SignedVarint();
  return list;
}

absl::string_view ByteReader::Bytes(uint64_t count) {
  if (count > left()) Fail("the bytecode ends early");
  if (!ok()) return {};
  const absl::string_view bytes = file_.substr(position_, count);
  position_ += count;
  return bytes;
}

absl::string_view ByteReader::ZeroTerminated() {
  const absl::string_view rest = file_.substr(position_, left());
  const size_t size = rest.find('\0');
  if (size == absl::string_view::npos) Fail("a string without its final zero");
  if (!ok()) return {};
  position_ += size + 1;
  return rest.substr(0, size);
}

ByteReader ByteReader::Part(uint64_t count) {
  const size_t begin = position_;
  const size_t size = Bytes(count).size();
  return ByteReader(file_, begin, begin + size);
}

}  // namespace hloscope::stablehlo
