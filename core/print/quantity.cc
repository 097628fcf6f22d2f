// SPDX-License-Identifier: Apache-2.0
#include "core/print/quantity.h"

#include <cmath>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace hloscope {
namespace {

std::string ThreeDigits(double value) {
  const int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return absl::StrFormat("%.*f", digits, value);
}

// "1.23 G", "456 ".
std::string WithPrefix(double value) {
  constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P", "E"};
  size_t prefix = 0;
  while (value >= 999.5 && prefix + 1 < std::size(kPrefixes)) {
    value /= 1000;
    ++prefix;
  }
  return absl::StrCat(ThreeDigits(value), " ", kPrefixes[prefix]);
}

}  // namespace

std::string BytesText(int64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes > -1024 && bytes < 1024) return absl::StrCat(bytes, " B");
  double value = std::fabs(static_cast<double>(bytes));
  size_t unit = 0;
  while (value >= 1023.5 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  return absl::StrCat(bytes < 0 ? "-" : "", ThreeDigits(value), " ", kUnits[unit]);
}

std::string CountText(int64_t count) {
  if (count > -1'000'000 && count < 1'000'000) return absl::StrCat(count);
  return absl::StrCat(count < 0 ? "-" : "", WithPrefix(std::fabs(static_cast<double>(count))));
}

std::string FlopText(int64_t flops) {
  return absl::StrCat(CountText(flops), flops > -1'000'000 && flops < 1'000'000 ? " FLOP" : "FLOP");
}

std::string FlopRateText(double flops_per_second) {
  if (!std::isfinite(flops_per_second) || flops_per_second <= 0) return "";
  return absl::StrCat(WithPrefix(flops_per_second), "FLOP/s");
}

std::string ByteRateText(double bytes_per_second) {
  if (!std::isfinite(bytes_per_second) || bytes_per_second <= 0) return "";
  return absl::StrCat(WithPrefix(bytes_per_second), "B/s");
}

std::string SecondsText(double seconds) {
  constexpr const char* kUnits[] = {"s", "ms", "us", "ns", "ps"};
  if (seconds == 0) return "0 s";
  double value = std::fabs(seconds);
  size_t unit = 0;
  while (value < 0.9995 && unit + 1 < std::size(kUnits)) {
    value *= 1000;
    ++unit;
  }
  return absl::StrCat(seconds < 0 ? "-" : "", ThreeDigits(value), " ", kUnits[unit]);
}

}  // namespace hloscope
