#include "interop/files/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"

namespace hloscope::interop {
namespace {

constexpr int kGzipOnly = 16 + MAX_WBITS;

// zlib counts in 32 bits.
uInt Part(size_t size) { return static_cast<uInt>(std::min<size_t>(size, std::numeric_limits<uInt>::max() / 2)); }

Bytef* Bytes(const char* text) { return reinterpret_cast<Bytef*>(const_cast<char*>(text)); }

}  // namespace

bool IsGzip(absl::string_view bytes) { return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b'; }

absl::StatusOr<std::string> Gunzip(absl::string_view bytes, size_t limit) {
  z_stream stream = {};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) return absl::ResourceExhaustedError("gzip: no memory");
  std::string expanded;
  size_t at = 0;
  absl::Status status;
  const auto fail = [&](absl::string_view what) {
    status = absl::InvalidArgumentError(absl::StrCat("gzip: ", what, " at byte ", at));
  };
  while (status.ok()) {
    const size_t filled = expanded.size();
    const size_t room = std::min(std::max<size_t>(filled, size_t{1} << 16), limit - std::min(limit, filled) + 1);
    expanded.resize(filled + room);
    stream.next_in = Bytes(bytes.data() + at);
    stream.avail_in = Part(bytes.size() - at);
    stream.next_out = Bytes(expanded.data() + filled);
    stream.avail_out = Part(room);
    const uInt given = stream.avail_in, space = stream.avail_out;
    const int code = inflate(&stream, Z_NO_FLUSH);
    at += given - stream.avail_in;
    expanded.resize(filled + (space - stream.avail_out));
    if (expanded.size() > limit) {
      status = absl::ResourceExhaustedError(absl::StrCat("gzip: ", bytes.size(), " bytes expand to more than ", limit));
    } else if (code == Z_STREAM_END) {
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
