// SPDX-License-Identifier: Apache-2.0
// .npz archives: zip files of .npy arrays, as numpy.savez and numpy.savez_compressed write them.
#ifndef HLOSCOPE_EVALUATOR_TENSOR_NPZ_H_
#define HLOSCOPE_EVALUATOR_TENSOR_NPZ_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/ir/shape.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// An archive opened for reading. Not thread-safe.
class NpzReader {
 public:
  // Errors: NotFound, InvalidArgument (not a zip file).
  static absl::StatusOr<std::unique_ptr<NpzReader>> Open(const std::string& path);
  ~NpzReader();
  NpzReader(const NpzReader&) = delete;
  NpzReader& operator=(const NpzReader&) = delete;

  // `name` without .npy: "arg0".
  bool Has(const std::string& name) const { return entries_.contains(name + ".npy"); }
  // Whether the entry is there and announces a plausible size. Errors: those of Read.
  absl::Status Check(const std::string& name) const;
  // The array as a value of `shape`; errors as those of ReadNpy, and InvalidArgument for a damaged entry.
  absl::StatusOr<Tensor> Read(const std::string& name, const Shape& shape) const;

 private:
  // Where the archive lists an entry.
  struct Place {
    uint64_t offset, number;
  };

  // Goes to an entry and returns the bytes that it announces.
  absl::StatusOr<uint64_t> Find(const std::string& name) const;

  NpzReader(std::string path, void* archive) : path_(std::move(path)), archive_(archive) {}
  const std::string path_;
  void* const archive_;                              // unzFile, which is void*
  absl::flat_hash_map<std::string, Place> entries_;  // by names with .npy
};

// Collects arrays, which it shares, and writes them as one archive.
class NpzWriter {
 public:
  explicit NpzWriter(std::string path) : path_(std::move(path)) {}
  // An array added under the same name before is replaced.
  void Add(const std::string& name, const Tensor& tensor);
  // Through a temporary file: all or nothing.
  absl::Status Write();

 private:
  const std::string path_;
  std::vector<std::pair<std::string, Tensor>> entries_;
  absl::flat_hash_map<std::string, size_t> places_;  // in entries_, by name
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_TENSOR_NPZ_H_
