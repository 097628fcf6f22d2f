// SPDX-License-Identifier: Apache-2.0
#include "evaluator/tensor/npz.h"

#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <istream>
#include <ostream>
#include <streambuf>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/source/output_file.h"
#include "evaluator/tensor/memory_buffer.h"
#include "evaluator/tensor/npy.h"

namespace hloscope::evaluator {
namespace {

// Arrays beyond this are damage: the size in a zip entry is not to be believed.
constexpr uint64_t kMaxEntryBytes = uint64_t{1} << 40;
// minizip counts the bytes of a call in 32 bits.
constexpr uint64_t kMaxCallBytes = uint64_t{1} << 30;
// The first day that a zip file can name, so that equal arrays make equal files.
constexpr uLong kFirstDay = 1 << 21 | 1 << 16;

std::string EntryName(const std::string& name) { return absl::StrCat(name, ".npy"); }

// Headers of arrays are shorter.
constexpr uint64_t kMaxArrayHeaderBytes = 1 << 20;

// Reads the entry that the archive is at, of `size` bytes; false if it is damaged.
bool ReadEntry(unzFile archive, uint64_t size, char* bytes) {
  if (unzOpenCurrentFile(archive) != UNZ_OK) return false;
  uint64_t done = 0;
  while (done < size) {
    const auto wanted = static_cast<unsigned>(std::min(kMaxCallBytes, size - done));
    const int read = unzReadCurrentFile(archive, bytes + done, wanted);
    if (read <= 0) break;
    done += static_cast<uint64_t>(read);
  }
  char beyond;
  const bool ends = unzReadCurrentFile(archive, &beyond, 1) == 0;
  // The checksum is compared where the entry ends.
  return unzCloseCurrentFile(archive) == UNZ_OK && ends && done == size;
}

// What is written to the stream goes into the entry that the archive has open.
class EntryBuffer final : public std::streambuf {
 public:
  explicit EntryBuffer(zipFile archive) : archive_(archive) {}

 private:
  std::streamsize xsputn(const char* bytes, std::streamsize size) override {
    std::streamsize done = 0;
    while (done < size) {
      const auto part = static_cast<unsigned>(std::min<uint64_t>(kMaxCallBytes, static_cast<uint64_t>(size - done)));
      if (zipWriteInFileInZip(archive_, bytes + done, part) != ZIP_OK) return done;
      done += part;
    }
    return done;
  }
  int overflow(int c) override {
    const char byte = static_cast<char>(c);
    return c == EOF || xsputn(&byte, 1) == 1 ? 0 : EOF;
  }

  const zipFile archive_;
};

// Errors: those of WriteNpy; Unknown if the archive cannot be written.
absl::Status WriteEntry(zipFile archive, const std::string& name, const Tensor& tensor) {
  zip_fileinfo info = {};
  info.dosDate = kFirstDay;
  constexpr int64_t kLargest = 0xffffffff - static_cast<int64_t>(kMaxArrayHeaderBytes);
  const int is_large = tensor.element_count() >= kLargest / tensor.element_bytes();
  const absl::Status failed = absl::UnknownError("");
  // Stored, as numpy.savez does: arrays hardly shrink, and memory-mapping stays possible.
  if (zipOpenNewFileInZip64(archive, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, /*method=*/0, /*level=*/0,
                            is_large) != ZIP_OK) {
    return failed;
  }
  EntryBuffer buffer(archive);
  std::ostream stream(&buffer);
  const absl::Status status = WriteNpy(stream, tensor);
  if (zipCloseFileInZip(archive) != ZIP_OK || !stream) return status.ok() ? failed : status;
  return status;
}

}  // namespace

absl::StatusOr<std::unique_ptr<NpzReader>> NpzReader::Open(const std::string& path) {
  if (access(path.c_str(), F_OK) != 0) return absl::NotFoundError(absl::StrCat(path, ": there is no such file"));
  const unzFile archive = unzOpen64(path.c_str());
  if (archive == nullptr) return absl::InvalidArgumentError(absl::StrCat(path, ": is not a zip archive"));
  std::unique_ptr<NpzReader> reader(new NpzReader(path, archive));
  std::string name(1 << 16, '\0');  // no name is longer
  int code = unzGoToFirstFile(archive);
  for (; code == UNZ_OK; code = unzGoToNextFile(archive)) {
    unz_file_info64 info;
    unz64_file_pos place;
    code = unzGetCurrentFileInfo64(archive, &info, name.data(), name.size(), nullptr, 0, nullptr, 0);
    if (code == UNZ_OK) code = unzGetFilePos64(archive, &place);
    if (code != UNZ_OK) break;
    reader->entries_.try_emplace(name.substr(0, info.size_filename),
                                 Place{place.pos_in_zip_directory, place.num_of_file});
  }
  if (code != UNZ_END_OF_LIST_OF_FILE)
    return absl::InvalidArgumentError(absl::StrCat(path, ": the archive is damaged"));
  return reader;
}

NpzReader::~NpzReader() { unzClose(archive_); }

absl::StatusOr<uint64_t> NpzReader::Find(const std::string& name) const {
  const std::string full_name = absl::StrCat(path_, ":", EntryName(name));
  const auto entry = entries_.find(EntryName(name));
  if (entry == entries_.end()) {
    return absl::NotFoundError(absl::StrCat(full_name, ": there is no such array in the archive"));
  }
  const unz64_file_pos place = {entry->second.offset, entry->second.number};
  unz_file_info64 info;
  if (unzGoToFilePos64(archive_, &place) != UNZ_OK ||
      unzGetCurrentFileInfo64(archive_, &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK) {
    return absl::InvalidArgumentError(absl::StrCat(full_name, ": is damaged"));
  }
  // What is announced must be plausible before memory is taken for it: deflate shrinks at most a thousandfold.
  if (info.uncompressed_size > kMaxEntryBytes || info.uncompressed_size / 1100 > info.compressed_size + 1) {
    return absl::InvalidArgumentError(absl::StrCat(full_name, ": announces an impossible size"));
  }
  return info.uncompressed_size;
}

absl::Status NpzReader::Check(const std::string& name) const { return Find(name).status(); }

absl::StatusOr<Tensor> NpzReader::Read(const std::string& name, const Shape& shape) const {
  const absl::StatusOr<uint64_t> size = Find(name);
  if (!size.ok()) return size.status();
  const std::string full_name = absl::StrCat(path_, ":", EntryName(name));
  // The entry is inflated whole: what does not belong to such an array is not, and what does counts as memory.
  const absl::StatusOr<int64_t> elements = CheckedElementCount(shape.dimensions(), StorageBytes(shape.element_type()));
  if (!shape.HasUnboundedDimension() && elements.ok() &&
      *size > static_cast<uint64_t>(*elements * StorageBytes(shape.element_type())) + kMaxArrayHeaderBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(full_name, ": announces ", *size, " bytes, more than an array ", shape.ToString(false), " has"));
  }
  absl::StatusOr<std::shared_ptr<Buffer>> bytes = Buffer::Allocate(static_cast<int64_t>(*size));
  if (!bytes.ok()) {
    return absl::Status(bytes.status().code(), absl::StrCat(full_name, ": ", bytes.status().message()));
  }
  if (!ReadEntry(archive_, *size, reinterpret_cast<char*>((*bytes)->data()))) {
    return absl::InvalidArgumentError(absl::StrCat(full_name, ": is damaged"));
  }
  MemoryBuffer buffer(reinterpret_cast<char*>((*bytes)->data()), static_cast<std::streamsize>(*size));
  std::istream stream(&buffer);
  return ReadNpy(stream, full_name, shape);
}

void NpzWriter::Add(const std::string& name, const Tensor& tensor) {
  std::string entry_name = EntryName(name);
  const auto [place, is_new] = places_.try_emplace(entry_name, entries_.size());
  if (is_new) {
    entries_.emplace_back(std::move(entry_name), tensor);
  } else {
    entries_[place->second].second = tensor;
  }
}

absl::Status NpzWriter::Write() {
  absl::StatusOr<OutputFile> file = OutputFile::Create(path_);
  if (!file.ok()) return file.status();
  errno = 0;
  const zipFile archive = zipOpen64(file->path().c_str(), APPEND_STATUS_CREATE);
  absl::Status status = archive != nullptr ? absl::OkStatus() : absl::UnknownError("");
  int error = errno;
  for (const auto& [name, tensor] : entries_) {
    if (!status.ok()) break;
    errno = 0;
    status = WriteEntry(archive, name, tensor);
    error = errno;
  }
  if (status.ok()) errno = 0;
  if (archive != nullptr && zipClose(archive, nullptr) != ZIP_OK && status.ok()) {
    status = absl::UnknownError("");
    error = errno;
  }
  if (status.ok()) return file->Finish();
  return absl::IsUnknown(status) ? file->Error(error != 0 ? error : EIO) : status;
}

}  // namespace hloscope::evaluator
