// SPDX-License-Identifier: Apache-2.0
// Runs a module on arrays that lie in memory as a vector machine has them: in tiles of 8 x 128 elements, padded. Every
// reshape that changes the places of elements moves them, every instruction goes over whole tiles. For measuring what
// rewrites of reshapes save; knows only what normalisations consist of.
#ifndef HLOSCOPE_TESTS_BENCH_TILED_MEMORY_H_
#define HLOSCOPE_TESTS_BENCH_TILED_MEMORY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/ir/module.h"

namespace hloscope::bench {

class TiledArray {
 public:
  explicit TiledArray(absl::Span<const int64_t> sizes);

  const std::vector<int64_t>& sizes() const { return sizes_; }
  int64_t count() const { return count_; }
  int64_t row_size() const { return columns_; }
  int64_t row_count() const { return columns_ == 0 ? 0 : count_ / columns_; }
  // With the padding.
  int64_t physical_count() const { return static_cast<int64_t>(elements_.size()); }
  float* data() { return elements_.data(); }
  const float* data() const { return elements_.data(); }

  // Neighbours of a row that are neighbours in memory: up to kColumns from a multiple of it.
  static constexpr int64_t kRows = 8, kColumns = 128;
  // Where element `column` of a row lies.
  int64_t Offset(int64_t row, int64_t column) const {
    const int64_t major = row / rows_, minor = row % rows_;
    return ((major * row_tiles_ + minor / kRows) * column_tiles_ + column / kColumns) * (kRows * kColumns) +
           minor % kRows * kColumns + column % kColumns;
  }

 private:
  std::vector<int64_t> sizes_;
  int64_t count_ = 1, rows_ = 1, columns_ = 1;  // of the two minor dimensions
  int64_t row_tiles_, column_tiles_;
  std::vector<float> elements_;
};

class TiledMachine {
 public:
  // `module` must outlive the machine. Error Unimplemented for instructions that it does not know, and other types than
  // f32.
  static absl::StatusOr<std::unique_ptr<TiledMachine>> Create(const Module& module);

  // Runs the entry computation on made-up arguments, the same ones for every module with the same parameters, in the
  // calling thread. Arrays are kept for the next run.
  void Run();
  // The elements of the result, row-major. After Run.
  std::vector<float> Result() const;

 private:
  explicit TiledMachine(const Module& module) : module_(module) {}
  void Execute(InstructionId id);
  void Elementwise(InstructionId id, TiledArray& out) const;
  void Reshape(const TiledArray& in, TiledArray& out) const;
  void Broadcast(InstructionId id, const TiledArray& in, TiledArray& out) const;
  void Reduce(InstructionId id, const TiledArray& in, const TiledArray& init, TiledArray& out);
  const TiledArray& operand(InstructionId id, size_t k) const { return *arrays_.at(module_.operand(id, k)); }

  const Module& module_;
  std::map<InstructionId, std::unique_ptr<TiledArray>> arrays_;
  std::vector<double> sums_;
};

}  // namespace hloscope::bench

#endif  // HLOSCOPE_TESTS_BENCH_TILED_MEMORY_H_
