// SPDX-License-Identifier: Apache-2.0
// The names that can be seen where a program is read.
#ifndef HLOSCOPE_STABLEHLO_SCOPE_H_
#define HLOSCOPE_STABLEHLO_SCOPE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "stablehlo/program.h"

namespace hloscope::stablehlo {

// What a name stands for: an argument, or results of an operation.
struct Pack {
  Value* single = nullptr;  // of an argument, or what stands for each result of a broken operation
  const Operation* operation = nullptr;
  uint32_t first = 0, count = 1;
  SourceRange range;
};

// Names are without %. Most are numbers in order, which are found by them.
class Scope {
 public:
  // Null if nothing has this name. Until the next Define.
  const Pack* Find(absl::string_view name) const {
    if (const std::optional<size_t> number = NumberOf(name); number.has_value() && *number < numbered_.size()) {
      const Pack& pack = numbered_[*number];
      if (IsTaken(pack)) return &pack;
    }
    if (named_.empty()) return nullptr;
    const auto found = named_.find(name);
    return found == named_.end() ? nullptr : &found->second;
  }
  // False if the name is taken.
  bool Define(absl::string_view name, const Pack& pack) {
    if (Find(name) != nullptr) return false;
    const std::optional<size_t> number = NumberOf(name);
    if (number.has_value() && *number < 2 * order_.size() + kFirstNumbers) {
      if (*number >= numbered_.size()) numbered_.resize(std::max(*number + 1, 2 * numbered_.size()));
      numbered_[*number] = pack;
    } else {
      named_.emplace(name, pack);
    }
    order_.push_back(name);
    return true;
  }
  // As they were defined.
  const std::vector<absl::string_view>& names() const { return order_; }
  // Forgets all but the first `size` of them.
  void Leave(size_t size) {
    for (; order_.size() > size; order_.pop_back()) {
      const absl::string_view name = order_.back();
      gone_.emplace_back(name, Find(name)->range);
      const std::optional<size_t> number = NumberOf(name);
      if (number.has_value() && *number < numbered_.size() && IsTaken(numbered_[*number])) {
        numbered_[*number] = Pack();
      } else {
        named_.erase(name);
      }
    }
  }
  // Where a name was defined that was forgotten since Clear.
  std::optional<SourceRange> WhereItWas(absl::string_view name) const {
    for (auto at = gone_.rbegin(); at != gone_.rend(); ++at) {
      if (at->first == name) return at->second;
    }
    return std::nullopt;
  }
  void Clear() {
    numbered_.clear();
    named_.clear();
    order_.clear();
    gone_.clear();
  }

 private:
  static constexpr size_t kFirstNumbers = 1024, kMostDigits = 8;

  static bool IsTaken(const Pack& pack) { return pack.single != nullptr || pack.operation != nullptr; }
  // Of 12, not of 012, which is another name.
  static std::optional<size_t> NumberOf(absl::string_view name) {
    if (name.empty() || name.size() > kMostDigits || (name[0] == '0' && name.size() > 1)) return std::nullopt;
    size_t number = 0;
    for (const char c : name) {
      if (c < '0' || c > '9') return std::nullopt;
      number = 10 * number + static_cast<size_t>(c - '0');
    }
    return number;
  }

  std::vector<Pack> numbered_;
  absl::flat_hash_map<absl::string_view, Pack> named_;
  std::vector<absl::string_view> order_;
  std::vector<std::pair<absl::string_view, SourceRange>> gone_;
};

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_SCOPE_H_
