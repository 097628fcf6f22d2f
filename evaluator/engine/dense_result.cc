// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/dense_result.h"

#include <utility>

#include "evaluator/kernels/indexing/element_copy.h"
#include "numerics/parallel/thread_pool.h"

namespace hloscope::evaluator {
class DenseResults::CopyRuntime final : public KernelRuntime {
 public:
  explicit CopyRuntime(int threads) : threads_(threads) {}
  absl::Status CheckCancelled() override { return absl::OkStatus(); }
  absl::StatusOr<Value> Call(ComputationId, absl::Span<const Value>) override {
    return absl::UnimplementedError("copies call nothing");
  }
  void ParallelFor(int64_t count, int64_t grain, numerics::FunctionRef<void(int64_t, int64_t)> body) override {
    threads_.ParallelFor(count, grain, body);
  }

 private:
  numerics::ThreadPool threads_;
};

// A pool starts no thread unless a copy is worth it.
DenseResults::DenseResults(int threads) : runtime_(std::make_unique<CopyRuntime>(threads)) {}
DenseResults::~DenseResults() = default;

absl::StatusOr<std::vector<Tensor>> DenseResults::LeavesOf(const Value& result) {
  std::vector<Tensor> leaves;
  absl::Status status;
  result.ForEachTensor([&](const Tensor& tensor) {
    if (!status.ok()) return;
    Tensor leaf = tensor.WithRunTimeSizes();
    if (!leaf.IsContiguous()) {
      absl::StatusOr<Tensor> dense = Tensor::Allocate(leaf.element_type(), leaf.dimensions());
      status = dense.status();
      if (status.ok() && leaf.element_count() > 0) {
        status = CopyElements(leaf, dense->mutable_data(), dense->strides(), *runtime_);
      }
      if (!status.ok()) return;
      leaf = *std::move(dense);
    }
    leaves.push_back(std::move(leaf));
  });
  if (!status.ok()) return status;
  return leaves;
}

}  // namespace hloscope::evaluator
