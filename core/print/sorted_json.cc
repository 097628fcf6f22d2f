// SPDX-License-Identifier: Apache-2.0
#include "core/print/sorted_json.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"

namespace hloscope {
namespace {

constexpr int kMaxDepth = 1000;

// Recursive descent; every function returns nothing if the text is not JSON.
class Sorter {
 public:
  explicit Sorter(absl::string_view text) : rest_(text) {}

  std::optional<std::string> Text() {
    auto value = Value(0);
    SkipBlanks();
    return rest_.empty() ? value : std::nullopt;
  }

 private:
  void SkipBlanks() { rest_ = absl::StripLeadingAsciiWhitespace(rest_); }
  bool Eat(char c) {
    SkipBlanks();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string Take(size_t length) {
    std::string taken(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return taken;
  }

  std::optional<std::string> Value(int depth) {
    SkipBlanks();
    if (rest_.empty() || depth > kMaxDepth) return std::nullopt;
    switch (rest_[0]) {
      case '{':
        return Object(depth);
      case '[':
        return Array(depth);
      case '"':
        return String();
      default:
        return Word();
    }
  }

  std::optional<std::string> Object(int depth) {
    Eat('{');
    std::vector<std::pair<std::string, std::string>> fields;
    if (!Eat('}')) {
      do {
        SkipBlanks();
        auto key = String();
        if (!key || !Eat(':')) return std::nullopt;
        auto value = Value(depth + 1);
        if (!value) return std::nullopt;
        fields.emplace_back(*std::move(key), *std::move(value));
      } while (Eat(','));
      if (!Eat('}')) return std::nullopt;
    }
    std::stable_sort(fields.begin(), fields.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string out = "{";
    for (const auto& [key, value] : fields) {
      if (out.size() > 1) out.push_back(',');
      out.append(key).append(":").append(value);
    }
    return out + "}";
  }

  std::optional<std::string> Array(int depth) {
    Eat('[');
    std::string out = "[";
    if (!Eat(']')) {
      do {
        auto value = Value(depth + 1);
        if (!value) return std::nullopt;
        if (out.size() > 1) out.push_back(',');
        out.append(*value);
      } while (Eat(','));
      if (!Eat(']')) return std::nullopt;
    }
    return out + "]";
  }

  std::optional<std::string> String() {
    if (rest_.empty() || rest_[0] != '"') return std::nullopt;
    for (size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '\\') {
        ++i;
      } else if (rest_[i] == '"') {
        return Take(i + 1);
      }
    }
    return std::nullopt;
  }

  // A number, `true`, `false` or `null`.
  std::optional<std::string> Word() {
    size_t length = 0;
    while (length < rest_.size() && (absl::ascii_isalnum(static_cast<unsigned char>(rest_[length])) ||
                                     absl::string_view("+-.").find(rest_[length]) != absl::string_view::npos)) {
      ++length;
    }
    if (length == 0) return std::nullopt;
    return Take(length);
  }

  absl::string_view rest_;
};

}  // namespace

std::string SortedJson(absl::string_view text) { return Sorter(text).Text().value_or(std::string(text)); }

}  // namespace hloscope
