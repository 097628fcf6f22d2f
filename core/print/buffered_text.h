// SPDX-License-Identifier: Apache-2.0
// A text that is made of very many small pieces.
#ifndef HLOSCOPE_CORE_PRINT_BUFFERED_TEXT_H_
#define HLOSCOPE_CORE_PRINT_BUFFERED_TEXT_H_

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace hloscope {

// Pieces are collected in a small buffer and go into the string together: appending a few bytes to a string itself
// costs several times as much.
class BufferedText {
 public:
  void reserve(size_t bytes) { text_.reserve(bytes); }
  size_t size() const { return text_.size() + used_; }

  void push_back(char c) {
    if (used_ == kBuffer) Flush();
    buffer_[used_++] = c;
  }
  void append(absl::string_view piece) {
    if (piece.size() > kBuffer - used_) {
      Flush();
      if (piece.size() > kBuffer) {
        text_.append(piece.data(), piece.size());
        return;
      }
    }
    Copy(piece);
  }

  // The string with all pieces so far, to which more may be appended.
  std::string* Direct() {
    Flush();
    return &text_;
  }
  // Leaves an empty text.
  std::string Take() {
    Flush();
    return std::exchange(text_, std::string());
  }

 private:
  static constexpr size_t kBuffer = 2048;

  // Names are short: two copies of fixed sizes that overlap are quicker than one of any size.
  void Copy(absl::string_view piece) {
    char* const to = buffer_.data() + used_;
    const size_t size = piece.size();
    used_ += size;
    if (size >= 8 && size <= 16) return CopyEnds<8>(piece, to);
    if (size > 16 && size <= 32) return CopyEnds<16>(piece, to);
    if (size >= 4 && size < 8) return CopyEnds<4>(piece, to);
    if (size == 2 || size == 3) return CopyEnds<2>(piece, to);
    if (size == 1) {
      *to = piece[0];
    } else if (size > 0) {
      std::memcpy(to, piece.data(), size);
    }
  }
  template <size_t kBytes>
  static void CopyEnds(absl::string_view piece, char* to) {
    std::array<char, kBytes> first, last;
    std::memcpy(first.data(), piece.data(), kBytes);
    std::memcpy(last.data(), piece.data() + piece.size() - kBytes, kBytes);
    std::memcpy(to, first.data(), kBytes);
    std::memcpy(to + piece.size() - kBytes, last.data(), kBytes);
  }
  void Flush() {
    text_.append(buffer_.data(), used_);
    used_ = 0;
  }

  std::string text_;
  std::array<char, kBuffer> buffer_;
  size_t used_ = 0;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_BUFFERED_TEXT_H_
