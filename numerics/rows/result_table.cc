// SPDX-License-Identifier: Apache-2.0
#include "numerics/rows/result_table.h"

#include <cstring>
#include <new>
#include <utility>

namespace hloscope::numerics {
namespace {

constexpr int64_t kMostBytes = int64_t{64} << 20;
std::atomic<int64_t> held_bytes = 0;  // by all tables

template <typename From, typename To>
void LookUpEach(const uint8_t* table, const uint8_t* operand, uint8_t* result, int64_t count) {
  const To* const results = reinterpret_cast<const To*>(table);
  const From* from = reinterpret_cast<const From*>(operand);
  To* to = reinterpret_cast<To*>(result);
  // Eight loads before eight stores: twice as fast as one after the other.
  constexpr int64_t kAtOnce = 8;
  for (; count >= kAtOnce; count -= kAtOnce, from += kAtOnce, to += kAtOnce) {
    To some[kAtOnce];
#pragma GCC unroll 8
    for (int64_t i = 0; i < kAtOnce; ++i) some[i] = results[from[i]];
    std::memcpy(to, some, sizeof(some));
  }
  for (int64_t i = 0; i < count; ++i) to[i] = results[from[i]];
}

template <typename From>
void LookUpFrom(const uint8_t* table, const uint8_t* operand, int64_t result_bytes, uint8_t* result, int64_t count) {
  switch (result_bytes) {
    case 1:
      return LookUpEach<From, uint8_t>(table, operand, result, count);
    case 2:
      return LookUpEach<From, uint16_t>(table, operand, result, count);
    default:
      return LookUpEach<From, uint32_t>(table, operand, result, count);
  }
}

}  // namespace

ResultTable::ResultTable(Function function, int64_t operand_bytes, int64_t result_bytes)
    : function_(std::move(function)),
      operand_bytes_(operand_bytes),
      result_bytes_(result_bytes),
      values_(int64_t{1} << (8 * operand_bytes)) {}

ResultTable::~ResultTable() {
  if (results_ != nullptr) held_bytes -= values_ * result_bytes_;
}

const uint8_t* ResultTable::Make() {
  const std::lock_guard<std::mutex> lock(making_);
  if (const uint8_t* table = table_.load(std::memory_order_relaxed)) return table;
  if (is_refused_) return nullptr;
  const int64_t bytes = values_ * result_bytes_;
  std::unique_ptr<uint8_t[]> values(new (std::nothrow) uint8_t[static_cast<size_t>(values_ * operand_bytes_)]);
  std::unique_ptr<uint8_t[]> results(new (std::nothrow) uint8_t[static_cast<size_t>(bytes)]);
  if ((held_bytes += bytes) > kMostBytes || values == nullptr || results == nullptr) {
    held_bytes -= bytes;
    is_refused_ = true;
    return nullptr;
  }
  for (int64_t v = 0; v < values_; ++v) {
    if (operand_bytes_ == 1) {
      values[static_cast<size_t>(v)] = static_cast<uint8_t>(v);
    } else {
      reinterpret_cast<uint16_t*>(values.get())[v] = static_cast<uint16_t>(v);
    }
  }
  function_(values.get(), results.get(), values_);
  results_ = std::move(results);
  table_.store(results_.get(), std::memory_order_release);
  return results_.get();
}

bool ResultTable::LookUp(const uint8_t* operand, uint8_t* result, int64_t count) {
  const uint8_t* table = table_.load(std::memory_order_acquire);
  if (table == nullptr) {
    if (is_refused_.load(std::memory_order_relaxed)) return false;
    if (seen_.fetch_add(count, std::memory_order_relaxed) < values_) return false;
    table = Make();
    if (table == nullptr) return false;
  }
  operand_bytes_ == 1 ? LookUpFrom<uint8_t>(table, operand, result_bytes_, result, count)
                      : LookUpFrom<uint16_t>(table, operand, result_bytes_, result, count);
  return true;
}

}  // namespace hloscope::numerics
