// SPDX-License-Identifier: Apache-2.0
#include "interop/files/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "absl/strings/str_cat.h"
#include "core/source/file_reader.h"

namespace hloscope::interop {
namespace {

constexpr int kGzipOnly = 16 + MAX_WBITS;

// zlib counts in 32 bits.
uInt Part(size_t size) { return static_cast<uInt>(std::min<size_t>(size, std::numeric_limits<uInt>::max() / 2)); }

// The file's last bytes say how much it expands to, modulo 2^32, but nobody has to believe it: no more than deflate can
// make of so few bytes is set aside, and what is not needed is never touched.
size_t ClaimedBytes(absl::string_view bytes, size_t limit) {
  constexpr size_t kMostOfOneByte = 1032, kTrailer = 4;
  if (bytes.size() < kTrailer) return 0;
  size_t claimed = 0;
  for (size_t i = 0; i < kTrailer; ++i) {
    claimed |= static_cast<size_t>(static_cast<uint8_t>(bytes[bytes.size() - kTrailer + i])) << (8 * i);
  }
  return std::min({claimed, limit, bytes.size() * kMostOfOneByte});
}

Bytef* Bytes(const char* text) { return reinterpret_cast<Bytef*>(const_cast<char*>(text)); }

}  // namespace

bool IsGzip(absl::string_view bytes) { return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b'; }

size_t MaxExpandedBytes() { return static_cast<size_t>(std::min<uint64_t>(uint64_t{1} << 31, MostBytesOfStream())); }

size_t MaxExpandedBytes(int64_t memory_limit_bytes) {
  const size_t most = MaxExpandedBytes();
  return memory_limit_bytes > 0 ? std::min(most, static_cast<size_t>(memory_limit_bytes)) : most;
}

absl::StatusOr<std::string> Gunzip(absl::string_view bytes, size_t limit) {
  return Gunzip(bytes, limit, [](absl::string_view) { return absl::OkStatus(); });
}

absl::StatusOr<std::string> Gunzip(absl::string_view bytes, size_t limit,
                                   absl::FunctionRef<absl::Status(absl::string_view start)> check_start) {
  z_stream stream = {};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) return absl::ResourceExhaustedError("gzip: no memory");
  // By way of a part that stays in the caches: what a string grows by would first be filled with zeros.
  std::array<char, size_t{1} << 16> part;
  std::string expanded;
  expanded.reserve(ClaimedBytes(bytes, limit));
  size_t at = 0;
  bool is_started = false;
  absl::Status status;
  const auto fail = [&](absl::string_view what) {
    status = absl::InvalidArgumentError(absl::StrCat("gzip: ", what, " at byte ", at));
  };
  while (status.ok()) {
    stream.next_in = Bytes(bytes.data() + at);
    stream.avail_in = Part(bytes.size() - at);
    stream.next_out = Bytes(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    const uInt given = stream.avail_in;
    const int code = inflate(&stream, Z_NO_FLUSH);
    at += given - stream.avail_in;
    const size_t made = part.size() - stream.avail_out;
    if (made > limit - expanded.size()) {
      status = absl::ResourceExhaustedError(
          absl::StrCat("gzip: ", bytes.size(), " bytes expand to more than the limit of ", limit, " bytes"));
      break;
    }
    expanded.append(part.data(), made);
    if (!is_started && expanded.size() >= kExpandedStart) {
      is_started = true;
      status = check_start(expanded);
      if (!status.ok()) break;
    }
    if (code == Z_STREAM_END) {
      // Another member, or nothing; padding with zeros is usual.
      if (bytes.substr(at).find_first_not_of('\0') == absl::string_view::npos) break;
      if (!IsGzip(bytes.substr(at))) {
        fail("what follows is not gzip");
      } else if (inflateReset(&stream) != Z_OK) {
        fail("damaged");
      }
    } else if (code == Z_DATA_ERROR) {
      fail(stream.msg != nullptr && absl::string_view(stream.msg) == "incorrect data check" ? "the checksum is wrong"
                                                                                            : "damaged");
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      fail("damaged");
    } else if (at == bytes.size() && stream.avail_out > 0) {
      fail("truncated");
    }
  }
  inflateEnd(&stream);
  if (!status.ok()) return status;
  if (!is_started) status = check_start(expanded);
  if (!status.ok()) return status;
  return expanded;
}

absl::StatusOr<std::string> Gzip(absl::string_view bytes) {
  z_stream stream = {};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipOnly, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    return absl::ResourceExhaustedError("gzip: no memory");
  }
  std::string packed;
  size_t at = 0;
  int code = Z_OK;
  while (code != Z_STREAM_END) {
    const size_t filled = packed.size();
    packed.resize(filled + (size_t{1} << 16));
    stream.next_in = Bytes(bytes.data() + at);
    stream.avail_in = Part(bytes.size() - at);
    stream.next_out = Bytes(packed.data() + filled);
    stream.avail_out = static_cast<uInt>(packed.size() - filled);
    const uInt given = stream.avail_in;
    const bool is_last = given == bytes.size() - at;
    code = deflate(&stream, is_last ? Z_FINISH : Z_NO_FLUSH);
    at += given - stream.avail_in;
    packed.resize(packed.size() - stream.avail_out);
    if (code == Z_STREAM_ERROR) break;
  }
  deflateEnd(&stream);
  if (code != Z_STREAM_END) return absl::InternalError("gzip: cannot compress");
  return packed;
}

}  // namespace hloscope::interop
