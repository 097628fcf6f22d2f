// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/program.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "stablehlo/constants.h"

namespace hloscope::stablehlo {
namespace {

int HexDigit(char c) { return absl::ascii_isdigit(c) ? c - '0' : absl::ascii_tolower(c) - 'a' + 10; }

}  // namespace

const AttributeValue* AttributeValue::Find(absl::string_view key) const {
  for (size_t k = 0; k < keys.size(); ++k) {
    if (keys[k] == key) return items[k];
  }
  return nullptr;
}

const AttributeValue* Operation::Find(absl::string_view key) const {
  for (const NamedAttribute& attribute : attributes) {
    if (attribute.name == key) return attribute.value;
  }
  return nullptr;
}

bool ComputesSize(const Operation& op) {
  const bool is_other = op.dialect == "arith" || op.dialect == "tensor" || op.dialect == "shape";
  return is_other && op.short_name != "constant" && op.short_name != "cast";
}

std::string DecodeString(absl::string_view written) {
  if (!absl::StrContains(written, '\\')) return std::string(written);
  std::string bytes;
  for (size_t i = 0; i < written.size(); ++i) {
    if (written[i] != '\\' || i + 1 == written.size()) {
      bytes.push_back(written[i]);
      continue;
    }
    const char next = written[++i];
    if (next == 'n') {
      bytes.push_back('\n');
    } else if (next == 't') {
      bytes.push_back('\t');
    } else if (absl::ascii_isxdigit(next) && i + 1 < written.size() && absl::ascii_isxdigit(written[i + 1])) {
      bytes.push_back(static_cast<char>(HexDigit(next) * 16 + HexDigit(written[i + 1])));
      ++i;
    } else {
      bytes.push_back(next);
    }
  }
  return bytes;
}

std::optional<std::vector<int64_t>> IntegersOf(const Program& program, const AttributeValue& value) {
  switch (value.form) {
    case AttributeForm::kIntegers:
      return value.integers;
    case AttributeForm::kInteger:
    case AttributeForm::kBool:
      return std::vector<int64_t>{value.integer};
    case AttributeForm::kArray: {
      std::vector<int64_t> integers;
      for (const AttributeValue* item : value.items) {
        if (item->form != AttributeForm::kInteger && item->form != AttributeForm::kBool) return std::nullopt;
        integers.push_back(item->integer);
      }
      return integers;
    }
    case AttributeForm::kDense:
    case AttributeForm::kDenseResource:
      return IntegersOfConstant(program, value);
    case AttributeForm::kError:
    case AttributeForm::kUnit:
    case AttributeForm::kFloat:
    case AttributeForm::kString:
    case AttributeForm::kSymbol:
    case AttributeForm::kDictionary:
    case AttributeForm::kType:
    case AttributeForm::kWord:
    case AttributeForm::kStructure:
    case AttributeForm::kLocation:
    case AttributeForm::kOther:
      break;
  }
  return std::nullopt;
}

uint32_t LineOf(const Program& program, SourceRange range) {
  return program.source->LineColumnAt(range.begin).line + 1;
}

}  // namespace hloscope::stablehlo
