// SPDX-License-Identifier: Apache-2.0
#include "insight/profile/devices.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/resources/resources.h"

namespace hloscope::insight {
namespace {

constexpr absl::string_view kTypes[] = {"f64", "f32", "tf32", "bf16", "f16", "f8", "s8"};

// The words to look for, the first that is known counts.
std::vector<absl::string_view> WordsOf(ElementType type) {
  const absl::string_view name = ElementTypeName(type);
  if (absl::StartsWith(name, "f8") || absl::StartsWith(name, "f4")) return {"f8", "bf16", "f16", "f32"};
  if (name == "bf16") return {"bf16", "f16", "f32"};
  if (name == "f16") return {"f16", "bf16", "f32"};
  if (name == "f64" || name == "c128") return {"f64"};
  if (name == "s8" || name == "u8" || name == "s4" || name == "u4") return {"s8", "bf16", "f32"};
  return {"f32", "bf16"};
}

double FactOf(const interop::ProfilePlane& plane, absl::string_view name) {
  for (const auto& [key, text] : plane.facts) {
    double value = 0;
    if (key == name && absl::SimpleAtod(text, &value) && std::isfinite(value) && value > 0) return value;
  }
  return 0;
}

absl::Status ReadWord(absl::string_view word, DeviceLimits* row) {
  const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(word, absl::MaxSplits('=', 1));
  const auto [key, text] = parts;
  if (key == "vendor") {
    row->vendor = absl::AsciiStrToLower(text);
    return absl::OkStatus();
  }
  double value = 0;
  if (!absl::SimpleAtod(text, &value) || !std::isfinite(value) || value < 0 || value > 1e12) {
    return absl::InvalidArgumentError(absl::StrCat("'", word, "' has no number"));
  }
  if (key == "bandwidth")
    row->bytes_per_second = value * 1e9;
  else if (key == "cores")
    row->cores = static_cast<int64_t>(value);
  else if (key == "memory")
    row->memory_bytes = static_cast<int64_t>(std::min(value, 1e9) * 1e9);
  else if (std::find(std::begin(kTypes), std::end(kTypes), key) != std::end(kTypes))
    row->flops[std::string(key)] = value * 1e12;
  else
    return absl::InvalidArgumentError(absl::StrCat("'", key, "' is not known"));
  return absl::OkStatus();
}

}  // namespace

double DeviceLimits::FlopsOf(ElementType type) const {
  for (absl::string_view word : WordsOf(type)) {
    const auto found = flops.find(std::string(word));
    if (found != flops.end()) return found->second;
  }
  return 0;
}

absl::Status DeviceTable::Add(absl::string_view text, absl::string_view file) {
  int64_t number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    DeviceLimits row;
    row.source = "the table of devices";
    for (absl::string_view word : absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty())) {
      if (row.name.empty()) {
        row.name = std::string(word);
        continue;
      }
      const absl::Status status = ReadWord(word, &row);
      if (!status.ok()) {
        return absl::InvalidArgumentError(absl::StrCat(file, ":", number, ": ", status.message()));
      }
    }
    const auto same = std::find_if(rows_.begin(), rows_.end(), [&](const DeviceLimits& other) {
      return absl::EqualsIgnoreCase(other.name, row.name);
    });
    if (same != rows_.end())
      *same = std::move(row);
    else
      rows_.push_back(std::move(row));
  }
  return absl::OkStatus();
}

DeviceTable DeviceTable::Shipped() {
  DeviceTable table;
  const std::string folder = FindResourceDirectory();
  std::ifstream file(absl::StrCat(folder, "/devices/devices.txt"));
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  // A test reads all of it; a row that a user broke in there is missing then.
  table.Add(text, "devices.txt").IgnoreError();
  return table;
}

const DeviceLimits* DeviceTable::Find(absl::string_view name) const {
  for (const DeviceLimits& row : rows_) {
    if (absl::EqualsIgnoreCase(row.name, name)) return &row;
  }
  return nullptr;
}

DeviceLimits DeviceTable::Of(const interop::ProfilePlane& plane) const {
  std::string vendor;
  for (const auto& [key, text] : plane.facts) {
    if (key == "device_vendor") vendor = absl::AsciiStrToLower(text);
  }
  const double cores = FactOf(plane, "core_count"), memory = FactOf(plane, "memory_size");
  const DeviceLimits* best = nullptr;
  for (const DeviceLimits& row : rows_) {
    if (row.cores == 0 || row.cores != static_cast<int64_t>(std::min(cores, 1e9)) ||
        !absl::StrContains(vendor, row.vendor))
      continue;
    if (memory < static_cast<double>(row.memory_bytes)) continue;
    if (best == nullptr || row.memory_bytes >= best->memory_bytes) best = &row;
  }
  if (best != nullptr) return *best;
  DeviceLimits own;
  own.source = "the profile";
  own.vendor = vendor;
  own.bytes_per_second = FactOf(plane, "memory_bandwidth");
  if (const double hbm = FactOf(plane, "peak_hbm_bw_gigabytes_per_second"); hbm > 0) own.bytes_per_second = hbm * 1e9;
  if (const double peak = FactOf(plane, "peak_teraflops_per_second"); peak > 0) own.flops["bf16"] = peak * 1e12;
  return own;
}

}  // namespace hloscope::insight
