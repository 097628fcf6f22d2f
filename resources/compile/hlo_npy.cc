// SPDX-License-Identifier: Apache-2.0
#include "hlo_npy.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

namespace hlo {
namespace {

[[noreturn]] void FailAt(const std::string& path, const std::string& message) { Fail((path + ": " + message).c_str()); }

struct File {
  explicit File(const std::string& path) : stream(std::fopen(path.c_str(), "rb")) {}
  ~File() {
    if (stream != nullptr) std::fclose(stream);
  }
  std::FILE* stream;
};

// A new file beside `path`, of a name that nobody knows before, which takes its place in the end. Until then a failure
// or an interruption removes it.
class NewFile {
 public:
  explicit NewFile(const std::string& path) : path_(path) {
    std::random_device random;
    for (int attempt = 0; attempt < 100 && stream_ == nullptr; ++attempt) {
      char suffix[32];
      std::snprintf(suffix, sizeof suffix, ".%08x%08x", random(), random());
      new_path_ = path + suffix;
      // "x": only where there is none.
      stream_ = std::fopen(new_path_.c_str(), "wbx");
      if (stream_ == nullptr && errno != EEXIST) break;
    }
    if (stream_ == nullptr) FailAt(path, std::string("cannot be written: ") + std::strerror(errno));
    if (new_path_.size() < sizeof unfinished_) std::memcpy(unfinished_, new_path_.c_str(), new_path_.size() + 1);
    for (size_t i = 0; i < 2; ++i) previous_[i] = std::signal(kSignals[i], &RemoveAndEnd);
  }
  ~NewFile() {
    for (size_t i = 0; i < 2; ++i) std::signal(kSignals[i], previous_[i]);
    unfinished_[0] = 0;
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void Write(const void* data, size_t bytes) {
    if (error_ != 0 || bytes == 0) return;
    errno = 0;
    if (std::fwrite(data, 1, bytes, stream_) != bytes) error_ = errno != 0 ? errno : EIO;
  }
  void Finish() {
    if (std::fclose(stream_) != 0 && error_ == 0) error_ = errno;
    if (error_ == 0 && std::rename(new_path_.c_str(), path_.c_str()) != 0) error_ = errno;
    if (error_ == 0) return;
    std::remove(new_path_.c_str());
    FailAt(path_, std::string("cannot be written: ") + std::strerror(error_));
  }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM};
  static void RemoveAndEnd(int signal) {
    if (unfinished_[0] != 0) std::remove(unfinished_);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  static inline char unfinished_[4096];  // where a signal handler can read it

  const std::string path_;
  std::string new_path_;
  std::FILE* stream_ = nullptr;
  int error_ = 0;
  void (*previous_[2])(int);
};

// The text after `'key':` in the header.
std::string Field(const std::string& header, const std::string& key) {
  const size_t at = header.find("'" + key + "'");
  if (at == std::string::npos) return "";
  const size_t begin = header.find_first_not_of(" :", at + key.size() + 2);
  if (begin == std::string::npos) return "";
  if (header[begin] == '(') return header.substr(begin, header.find(')', begin) - begin + 1);
  if (header[begin] == '\'') return header.substr(begin + 1, header.find('\'', begin + 1) - begin - 1);
  return header.substr(begin, header.find_first_of(",}", begin) - begin);
}

std::string SizesText(const Leaf& leaf) {
  std::string text = "(";
  for (int64_t d = 0; d < leaf.rank; ++d)
    text += std::to_string(leaf.dimensions[d]) + (leaf.rank == 1 ? "," : d + 1 < leaf.rank ? ", " : "");
  return text + ")";
}

std::string WithoutBlanks(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (c != ' ') result += c;
  }
  return result;
}

// Types that .npy lacks, or that other programs write in other ways.
bool IsRaw(const Leaf& leaf) { return leaf.npy_type[1] == 'u' || leaf.npy_type[1] == 'V'; }

// Elements in Fortran order to C order.
Array Reordered(const Array& array, const Leaf& leaf) {
  Array result = Allocate(array.bytes());
  std::vector<int64_t> index(static_cast<size_t>(leaf.rank), 0);
  for (int64_t n = 0; n < leaf.count(); ++n) {
    int64_t from = 0;
    for (int64_t d = leaf.rank; d-- > 0;) from = from * leaf.dimensions[d] + index[static_cast<size_t>(d)];
    std::memcpy(result.to<char>() + n * leaf.bytes, array.as<char>() + from * leaf.bytes,
                static_cast<size_t>(leaf.bytes));
    for (int64_t d = leaf.rank; d-- > 0;) {
      if (++index[static_cast<size_t>(d)] < leaf.dimensions[d]) break;
      index[static_cast<size_t>(d)] = 0;
    }
  }
  return result;
}

}  // namespace

Array ReadNpy(const std::string& path, const Leaf& leaf) {
  const File file(path);
  if (file.stream == nullptr) FailAt(path, "cannot be read");
  unsigned char start[12];
  if (std::fread(start, 1, 10, file.stream) != 10 || std::memcmp(start, "\x93NUMPY", 6) != 0) {
    FailAt(path, "is not an .npy file");
  }
  size_t length = start[8] + 256u * start[9];
  if (start[6] > 1) {
    if (std::fread(start + 10, 1, 2, file.stream) != 2) FailAt(path, "is cut off");
    length += 65536u * start[10] + 16777216u * start[11];
  }
  if (length > 1u << 20) FailAt(path, "has a header of more than a megabyte");
  std::string header(length, ' ');
  if (std::fread(header.data(), 1, length, file.stream) != length) FailAt(path, "is cut off");
  const std::string type = Field(header, "descr");
  const std::string sizes = Field(header, "shape");
  const bool same_size = type.size() >= 3 && type.substr(2) == std::to_string(leaf.bytes) && type[0] != '>';
  const bool is_integer = type.size() >= 3 && (type[1] == 'u' || type[1] == 'i' || type[1] == 'V' || type[1] == 'b');
  const bool fits = type == leaf.npy_type || (same_size && leaf.bytes <= 2 && IsRaw(leaf) && is_integer) ||
                    (same_size && leaf.npy_type[1] == 'b' && is_integer) ||
                    (same_size && leaf.bytes == 2 && type[1] == 'V');
  if (!fits || WithoutBlanks(sizes) != WithoutBlanks(SizesText(leaf))) {
    FailAt(path, "is " + type + sizes + ", but parameter " + leaf.label + " is " + leaf.shape);
  }
  const int64_t bytes = leaf.count() * leaf.bytes;
  Array array = Allocate(bytes);
  if (bytes > 0 &&
      std::fread(array.to<char>(), 1, static_cast<size_t>(bytes), file.stream) != static_cast<size_t>(bytes)) {
    FailAt(path, "is cut off");
  }
  if (leaf.rank > 1 && Field(header, "fortran_order").substr(0, 4) == "True") array = Reordered(array, leaf);
  if (leaf.bits < 8) {
    // Bits above the type's width are ignored; signed integers are kept extended.
    uint8_t* const elements = array.to<uint8_t>();
    for (int64_t i = 0; i < bytes; ++i) {
      const int unused = 8 - leaf.bits;
      if (leaf.npy_type[1] == 'b') {
        elements[i] = elements[i] != 0;
      } else if (leaf.is_signed) {
        elements[i] = static_cast<uint8_t>(static_cast<int8_t>(static_cast<uint8_t>(elements[i] << unused)) >> unused);
      } else {
        elements[i] = static_cast<uint8_t>(static_cast<uint8_t>(elements[i] << unused) >> unused);
      }
    }
  }
  return array;
}

void WriteNpy(const std::string& path, const Leaf& leaf, const Array& array) {
  std::string header =
      std::string("{'descr': '") + leaf.npy_type + "', 'fortran_order': False, 'shape': " + SizesText(leaf) + ", }";
  // Version 1 says the length of the header in two bytes, which a shape of very many dimensions exceeds.
  constexpr size_t kLongest = 65535, kAlignedTo = 64;
  const bool is_long = header.size() + kAlignedTo > kLongest;
  const size_t start_bytes = is_long ? 12 : 10;
  header.resize((start_bytes + header.size() + kAlignedTo) / kAlignedTo * kAlignedTo - start_bytes - 1, ' ');
  header += '\n';
  NewFile file(path);
  unsigned char start[12] = {0x93, 'N', 'U', 'M', 'P', 'Y', static_cast<unsigned char>(is_long ? 2 : 1), 0};
  for (size_t k = 8; k < start_bytes; ++k) start[k] = static_cast<unsigned char>(header.size() >> 8 * (k - 8));
  file.Write(start, start_bytes);
  file.Write(header.data(), header.size());
  std::vector<char> masked;
  const char* data = array.as<char>();
  const size_t bytes = static_cast<size_t>(leaf.count() * leaf.bytes);
  if (leaf.bits < 8 && leaf.is_signed) {
    for (size_t i = 0; i < bytes; ++i) masked.push_back(static_cast<char>(data[i] & ((1 << leaf.bits) - 1)));
    data = masked.data();
  }
  file.Write(data, bytes);
  file.Finish();
}

}  // namespace hlo
