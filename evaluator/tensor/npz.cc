#include "evaluator/tensor/npz.h"

#include <zip.h>

#include <sstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/tensor/npy.h"

namespace hloscope {
namespace {

// Arrays beyond this are damage: the size in a zip entry is not to be believed.
constexpr zip_uint64_t kMaxEntryBytes = zip_uint64_t{1} << 40;

std::string EntryName(const std::string& name) { return absl::StrCat(name, ".npy"); }

}  // namespace

absl::StatusOr<std::unique_ptr<NpzReader>> NpzReader::Open(const std::string& path) {
  int code = 0;
  zip* const archive = zip_open(path.c_str(), ZIP_RDONLY, &code);
  if (archive != nullptr) return std::unique_ptr<NpzReader>(new NpzReader(path, archive));
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string what = absl::StrCat(path, ": ", zip_error_strerror(&error));
  zip_error_fini(&error);
  return code == ZIP_ER_NOENT ? absl::NotFoundError(what) : absl::InvalidArgumentError(what);
}

NpzReader::~NpzReader() { zip_discard(archive_); }

bool NpzReader::Has(const std::string& name) const {
  return zip_name_locate(archive_, EntryName(name).c_str(), 0) >= 0;
}

absl::StatusOr<Tensor> NpzReader::Read(const std::string& name, const Shape& shape) const {
  const std::string full_name = absl::StrCat(path_, ":", EntryName(name));
  zip_stat_t stat;
  if (zip_stat(archive_, EntryName(name).c_str(), 0, &stat) != 0) {
    return absl::NotFoundError(absl::StrCat(full_name, ": there is no such array in the archive"));
  }
  // What is announced must be plausible before memory is taken for it: deflate shrinks at most a thousandfold.
  if (stat.size > kMaxEntryBytes || stat.size / 1100 > stat.comp_size + 1) {
    return absl::InvalidArgumentError(absl::StrCat(full_name, ": announces an impossible size"));
  }
  zip_file_t* const file = zip_fopen_index(archive_, stat.index, 0);
  if (file == nullptr) return absl::InvalidArgumentError(absl::StrCat(full_name, ": ", zip_strerror(archive_)));
  std::string bytes(stat.size, '\0');
  const zip_int64_t read = zip_fread(file, bytes.data(), stat.size);
  // The checksum is compared where the entry ends.
  char behind;
  const bool ends = zip_fread(file, &behind, 1) == 0;
  const bool is_good = zip_fclose(file) == 0 && ends && read == static_cast<zip_int64_t>(stat.size);
  if (!is_good) return absl::InvalidArgumentError(absl::StrCat(full_name, ": is damaged"));
  std::istringstream stream(std::move(bytes));
  return ReadNpy(stream, full_name, shape);
}

absl::Status NpzWriter::Add(const std::string& name, const Tensor& tensor) {
  std::ostringstream stream;
  if (absl::Status status = WriteNpy(stream, tensor); !status.ok()) return status;
  entries_.emplace_back(EntryName(name), std::move(stream).str());
  return absl::OkStatus();
}

absl::Status NpzWriter::Write() {
  // libzip itself writes to a temporary file beside the archive and renames it.
  int code = 0;
  zip* const archive = zip_open(path_.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  const absl::Status failed = absl::UnavailableError(absl::StrCat(path_, ": cannot be written"));
  if (archive == nullptr) return failed;
  for (const auto& [name, bytes] : entries_) {
    zip_source_t* const source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    const zip_int64_t index = source == nullptr ? -1 : zip_file_add(archive, name.c_str(), source, ZIP_FL_OVERWRITE);
    if (index < 0) {
      if (source != nullptr) zip_source_free(source);
      zip_discard(archive);
      return failed;
    }
    // Stored, as numpy.savez does: arrays hardly shrink, and memory-mapping stays possible.
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
  }
  if (zip_close(archive) == 0) return absl::OkStatus();
  zip_discard(archive);
  return failed;
}

}  // namespace hloscope
