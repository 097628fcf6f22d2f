// SPDX-License-Identifier: Apache-2.0
// Results of a costly function of one operand of 8 or 16 bits, for all values of the operand: to look one up takes a
// fraction of the time that the function takes.
#ifndef HLOSCOPE_NUMERICS_ROWS_RESULT_TABLE_H_
#define HLOSCOPE_NUMERICS_ROWS_RESULT_TABLE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

namespace hloscope::numerics {

// Safe to call from any number of threads. All tables of the process together hold 64 MiB at most: those that would be
// beyond are not made.
class ResultTable {
 public:
  // Computes `count` densely packed elements; `result` does not overlap `operand`.
  using Function = std::function<void(const uint8_t* operand, uint8_t* result, int64_t count)>;

  // Fewer elements at once are not worth the question whether there is a table.
  static constexpr int64_t kLeastLanes = 64;

  // Elements of an operand have 1 or 2 bytes, those of a result 1, 2 or 4.
  ResultTable(Function function, int64_t operand_bytes, int64_t result_bytes);
  ~ResultTable();
  ResultTable(const ResultTable&) = delete;
  ResultTable& operator=(const ResultTable&) = delete;

  // Looks up `count` densely packed elements; `result` may be `operand` if both have elements of one size. False, with
  // nothing written, if there is no table: it is made after as many elements as cost about as much as to make it.
  bool LookUp(const uint8_t* operand, uint8_t* result, int64_t count);

 private:
  const uint8_t* Make();

  const Function function_;
  const int64_t operand_bytes_, result_bytes_, values_;
  std::atomic<int64_t> seen_ = 0;         // elements asked for while there was no table
  std::atomic<bool> is_refused_ = false;  // there was no memory for it
  std::mutex making_;
  std::unique_ptr<uint8_t[]> results_;  // by the bits of the operand
  std::atomic<const uint8_t*> table_ = nullptr;
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_ROWS_RESULT_TABLE_H_
