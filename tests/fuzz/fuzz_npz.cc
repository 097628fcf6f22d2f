// SPDX-License-Identifier: Apache-2.0
// Any bytes, or a good archive with some bytes changed, as an .npz file: arrays or a reason.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "evaluator/tensor/npz.h"
#include "tests/fuzz/fuzz_module.h"

namespace {

using namespace hloscope;

constexpr ElementType kTypes[] = {ElementType::kF32, ElementType::kS4, ElementType::kC64, ElementType::kBF16,
                                  ElementType::kPred};

// A file without a name, as the reader wants a path.
class FileInMemory {
 public:
  explicit FileInMemory(const std::string& bytes) : file_(memfd_create("fuzz.npz", MFD_CLOEXEC)) {
    if (write(file_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  }
  FileInMemory(const FileInMemory&) = delete;
  FileInMemory& operator=(const FileInMemory&) = delete;
  ~FileInMemory() { close(file_); }
  std::string path() const { return absl::StrCat("/proc/self/fd/", file_); }

 private:
  const int file_;
};

// An archive with an array of each type.
std::string GoodArchive() {
  std::string path = (std::filesystem::temp_directory_path() / "hloscope-fuzz-XXXXXX").string();
  const int placeholder = mkstemp(path.data());
  if (placeholder < 0) std::abort();
  close(placeholder);
  evaluator::NpzWriter writer(path);
  for (size_t k = 0; k < std::size(kTypes); ++k) {
    const auto value =
        evaluator::FillValue(Shape::Array(kTypes[k], {2, 3}), evaluator::FillKind::kRandom, 1, static_cast<int64_t>(k));
    if (!value.ok()) std::abort();
    writer.Add(absl::StrCat("arg", k), value->tensor());
  }
  if (!writer.Write().ok()) std::abort();
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  std::filesystem::remove(path);
  return text.str();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string& good = *new std::string(GoodArchive());
  FuzzBytes bytes(data, size);
  const uint8_t kind = bytes.Byte();
  std::string archive = good;
  if (kind % 4 == 0) {
    archive.assign(reinterpret_cast<const char*>(data), size);
  } else {
    while (!bytes.empty()) {
      const size_t at = bytes.Number(2) % archive.size();
      archive[at] = static_cast<char>(bytes.Byte());
    }
    if (kind % 4 == 1) archive.resize(archive.size() - kind / 4);
  }
  const FileInMemory file(archive);
  const auto reader = evaluator::NpzReader::Open(file.path());
  if (!reader.ok()) return 0;
  for (size_t k = 0; k < std::size(kTypes); ++k) {
    const std::string name = absl::StrCat("arg", k);
    if (!(*reader)->Has(name)) continue;
    (void)(*reader)->Check(name);
    (void)(*reader)->Read(name, Shape::Array(kTypes[k], {2, 3}));
  }
  return 0;
}
