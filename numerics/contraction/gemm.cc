// SPDX-License-Identifier: Apache-2.0
#include "numerics/contraction/gemm.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <type_traits>

#include "numerics/contraction/complex_parts.h"
#include "numerics/contraction/pack_lines.h"
#include "numerics/contraction/packed_gemm.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

// f32, f64, c64 and c128 products of some size.
template <typename T>
Outcome MultiplyBatchPacked(ElementType type, int64_t batch, const GemmSizes& sizes, const MatrixView& lhs,
                            int64_t lhs_batch_stride, const MatrixView& rhs, int64_t rhs_batch_stride, T* result,
                            Executor& executor) {
  const auto multiply = [&](int64_t b) {
    const T* const l = reinterpret_cast<const T*>(lhs.data) + b * lhs_batch_stride;
    const T* const r = reinterpret_cast<const T*>(rhs.data) + b * rhs_batch_stride;
    T* const to = result + b * sizes.rows * sizes.columns;
    if constexpr (std::is_arithmetic_v<T>) {
      return MultiplyPacked<T>(
          sizes,
          [&](int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, T* packed) {
            PackStrided(l, lhs.row_stride, lhs.column_stride, first, count, begin, end, panel, packed);
          },
          [&](int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, T* packed) {
            PackStrided(r, rhs.column_stride, rhs.row_stride, first, count, begin, end, panel, packed);
          },
          to, sizes.columns, executor);
    } else {
      using Part = typename T::value_type;
      return MultiplyPacked<Part>(
          SizesOfParts(sizes),
          [&](int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, Part* packed) {
            PackPartsOfRows(l, lhs.row_stride, lhs.column_stride, first, count, begin, end, panel, packed);
          },
          [&](int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, Part* packed) {
            PackPartsOfColumns(r, rhs.row_stride, rhs.column_stride, first, count, begin, end, panel, packed);
          },
          reinterpret_cast<Part*>(to), 2 * sizes.columns, executor);
    }
  };
  const double products = static_cast<double>(sizes.rows) * static_cast<double>(sizes.columns * sizes.inner);
  return MultiplyEach(batch, products * MultiplyAddNanoseconds(type), multiply, executor);
}

// Few rows by a matrix so large that packing it would take longer than multiplying.
bool IsThinFloats(ElementType type, const GemmSizes& sizes, const MatrixView& rhs) {
  constexpr int64_t kLeastColumns = 512, kFew = 4, kLeastOfFew = int64_t{1} << 18, kLeastElements = int64_t{1} << 21;
  return (type == ElementType::kF32 || type == ElementType::kF64) && rhs.stored == ElementType::kInvalid &&
         rhs.column_stride == 1 && sizes.rows <= kThinFloats && sizes.columns >= kLeastColumns &&
         sizes.inner * sizes.columns >= (sizes.rows <= kFew ? kLeastOfFew : kLeastElements);
}

// The size of as few blocks of at most `most` as make up `count`, nearly equal and in whole vectors.
int64_t EvenBlock(int64_t count, int64_t most) {
  constexpr int64_t kVector = 16;
  const int64_t blocks = (count - 1) / most + 1;
  const int64_t size = (count - 1) / blocks + 1;
  return std::min(count, (size + kVector - 1) / kVector * kVector);
}

}  // namespace

ElementType AccumulatorType(ElementType type) {
  switch (KindOf(type)) {
    case ElementKind::kFloat:
      return type == ElementType::kF64 ? ElementType::kF64 : ElementType::kF32;
    case ElementKind::kComplex:
      return type;
    case ElementKind::kPredicate:
    case ElementKind::kSigned:
    case ElementKind::kUnsigned:
    case ElementKind::kOther:
      break;
  }
  return ElementType::kU64;
}

ElementType IntegerSumType(ElementType lhs, ElementType rhs, ElementType result, const GemmSizes& sizes) {
  const std::optional<ElementType> exact = ExactFloatType(lhs, rhs, result, sizes.inner);
  const WideOperand wide = WideOperandOf(sizes, kThinIntegers);
  const bool stays_narrow = wide != WideOperand::kNone && IsStoredForU32(wide == WideOperand::kLeft ? lhs : rhs);
  if (exact == ElementType::kF32 && IsWorthPacking(sizes) && !stays_narrow) return *exact;
  return BitWidth(result) <= 32 ? ElementType::kU32 : exact.value_or(ElementType::kU64);
}

bool AreDistributed(int64_t batch, double nanoseconds) {
  constexpr double kBigNanoseconds = 4e6;  // beyond, a product must be interrupted inside to be cancelled in time
  return batch >= 4 && nanoseconds <= kBigNanoseconds;
}

Outcome MultiplyEach(int64_t batch, double nanoseconds, FunctionRef<Outcome(int64_t)> multiply, Executor& executor) {
  if (!AreDistributed(batch, nanoseconds)) {
    for (int64_t b = 0; b < batch; ++b) {
      if (Outcome outcome = multiply(b); !outcome.ok()) return outcome;
    }
    return Outcome::kDone;
  }
  // Inside a loop the inner loops stay in their thread.
  std::mutex mutex;
  Outcome stopped;
  Outcome outcome = ParallelLoop(executor, batch, nanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      if (Outcome s = multiply(b); !s.ok()) {
        const std::lock_guard<std::mutex> lock(mutex);
        stopped = s;
        return;
      }
    }
  });
  return outcome.ok() ? stopped : outcome;
}

Outcome MultiplyMatrixBatch(ElementType type, int64_t batch, const GemmSizes& sizes, const MatrixView& lhs,
                            int64_t lhs_batch_stride, const MatrixView& rhs, int64_t rhs_batch_stride, uint8_t* result,
                            Executor& executor) {
  if (batch == 0 || sizes.rows == 0 || sizes.columns == 0) return Outcome::kDone;
  const bool is_stored = lhs.stored != ElementType::kInvalid || rhs.stored != ElementType::kInvalid;
  const bool is_thin = type == ElementType::kU32 ? WideOperandOf(sizes, kThinIntegers) != WideOperand::kNone
                                                 : IsThinFloats(type, sizes, rhs);
  if (IsWorthPacking(sizes) && type != ElementType::kU64 && !is_stored && !is_thin) {
    return VisitSumType(type, [&](auto zero) -> Outcome {
      using T = decltype(zero);
      if constexpr (std::is_same_v<T, uint64_t>) {
        return Outcome::kDone;  // not packed, see above
      } else {
        return MultiplyBatchPacked(type, batch, sizes, lhs, lhs_batch_stride, rhs, rhs_batch_stride,
                                   reinterpret_cast<T*>(result), executor);
      }
    });
  }
  // Every block packs its part of both operands again, so blocks are not made smaller than this unless that is all
  // there is; they are not made larger so that the run stays cancellable. Of few rows nothing is packed: blocks are as
  // small as threads share well, but as wide as rows of the right operand are read well.
  constexpr int64_t kBlockRows = 256, kMinBlockColumns = 256, kFewRows = 4, kMinStreamedColumns = 1024;
  constexpr double kBlockNanoseconds = 4e6, kStreamedNanoseconds = 20e3, kReadNanoseconds = 0.1;
  const double nanoseconds = MultiplyAddNanoseconds(type);
  const double inner = static_cast<double>(std::max<int64_t>(sizes.inner, 1));
  const int64_t block_rows = std::min(sizes.rows, kBlockRows);
  const bool has_few_rows = is_thin || sizes.rows < (type == ElementType::kU32 ? kThinIntegers + 1 : kFewRows);
  const double affordable_columns = (has_few_rows ? kStreamedNanoseconds : kBlockNanoseconds) /
                                    (nanoseconds * inner * static_cast<double>(block_rows));
  const int64_t least_columns = has_few_rows ? kMinStreamedColumns : kMinBlockColumns;
  const int64_t most_columns = std::max(least_columns, static_cast<int64_t>(std::min(affordable_columns, 1e12)));
  const int64_t block_columns = EvenBlock(sizes.columns, most_columns);
  const int64_t row_blocks = (sizes.rows - 1) / block_rows + 1, column_blocks = (sizes.columns - 1) / block_columns + 1;
  const int64_t bytes = StorageBytes(type);
  const auto bytes_of = [&](const MatrixView& m) {
    return m.stored == ElementType::kInvalid ? bytes : int64_t{StorageBytes(m.stored)};
  };
  const int64_t lhs_bytes = bytes_of(lhs), rhs_bytes = bytes_of(rhs);
  constexpr double kPartNanoseconds = 50e6;
  const int64_t inner_part = static_cast<int64_t>(
      std::clamp(kPartNanoseconds / (nanoseconds * static_cast<double>(block_rows * block_columns)), 1024.0, 0x1p24));
  // By a vector each element is read for one product.
  const bool is_by_vector = std::min(sizes.rows, sizes.columns) < kFewRows;
  const double block_nanoseconds = 100 + std::max(nanoseconds, is_by_vector ? kReadNanoseconds : 0) * inner *
                                             static_cast<double>(block_rows * block_columns);
  std::atomic<bool> cut = false;
  const auto multiply = [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      const int64_t column = block % column_blocks * block_columns;
      const int64_t row = block / column_blocks % row_blocks * block_rows;
      const int64_t b = block / column_blocks / row_blocks;
      GemmSizes part = {std::min(block_rows, sizes.rows - row), std::min(block_columns, sizes.columns - column),
                        sizes.inner};
      MatrixView a = lhs, c = rhs;
      a.data += (b * lhs_batch_stride + row * lhs.row_stride) * lhs_bytes;
      c.data += (b * rhs_batch_stride + column * rhs.column_stride) * rhs_bytes;
      uint8_t* const to = result + ((b * sizes.rows + row) * sizes.columns + column) * bytes;
      // Long sums are made in parts, so that the run stays cancellable in the middle of one.
      int64_t done = 0;
      do {
        part.inner = std::min(inner_part, sizes.inner - done);
        MultiplyByRows(type, part, a, c, to, sizes.columns, /*accumulate=*/done > 0);
        a.data += part.inner * lhs.column_stride * lhs_bytes;
        c.data += part.inner * rhs.row_stride * rhs_bytes;
        done += part.inner;
        if (done < sizes.inner && executor.IsCancelled()) cut = true;
      } while (done < sizes.inner && !cut);
      if (cut) return;
    }
  };
  const Outcome outcome = ParallelLoop(executor, batch * row_blocks * column_blocks, block_nanoseconds, multiply);
  return cut ? Outcome::kCancelled : outcome;
}

double MultiplyAddNanoseconds(ElementType accumulator_type) {
  switch (accumulator_type) {
    case ElementType::kF32:
      return 0.01;
    case ElementType::kU32:
      return 0.02;
    case ElementType::kF64:
      return 0.02;
    case ElementType::kC64:
      return 0.04;
    case ElementType::kC128:
      return 0.08;
    default:
      return 0.5;
  }
}

}  // namespace hloscope::numerics
