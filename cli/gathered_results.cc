// SPDX-License-Identifier: Apache-2.0
#include "cli/gathered_results.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "cli/output.h"

namespace hloscope::cli {
namespace {

using evaluator::Tensor;
using evaluator::Value;

// The same in every process, unlike absl::Hash.
uint64_t StableHash(absl::string_view text) {
  uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 1099511628211u;
  return hash;
}

Value TupleOf(const std::vector<Tensor>& tensors) {
  return Value::Tuple(std::vector<Value>(tensors.begin(), tensors.end()));
}

std::vector<Tensor> TensorsOf(const Value& tuple) {
  std::vector<Tensor> tensors;
  for (const Value& element : tuple.elements()) tensors.push_back(element.tensor());
  return tensors;
}

template <typename T>
absl::StatusOr<Value> ListOf(ElementType type, const std::vector<T>& values) {
  absl::StatusOr<Tensor> tensor =
      Tensor::FromValues<T>(type, {static_cast<int64_t>(values.size())}, absl::MakeConstSpan(values));
  if (!tensor.ok()) return tensor.status();
  return Value(*std::move(tensor));
}

absl::StatusOr<Value> TextValue(absl::string_view text) {
  return ListOf(ElementType::kU8, std::vector<uint8_t>(text.begin(), text.end()));
}

std::string TextOf(const Value& value) {
  const Tensor& text = value.tensor();
  return std::string(reinterpret_cast<const char*>(text.data()), static_cast<size_t>(text.byte_size()));
}

// What a process has to say beside its results, with those of its first device: (errors, statistics).
absl::StatusOr<Value> Extras(const RunStatistics& statistics, const std::string& errors) {
  std::vector<double> numbers = {static_cast<double>(statistics.steps), static_cast<double>(statistics.peak_bytes)};
  for (const evaluator::InstructionStatistics& one : statistics.by_instruction) {
    numbers.insert(numbers.end(), {static_cast<double>(one.runs), one.seconds, static_cast<double>(one.output_bytes)});
  }
  absl::StatusOr<Value> text = TextValue(errors);
  if (!text.ok()) return text;
  absl::StatusOr<Value> list = ListOf(ElementType::kF64, numbers);
  if (!list.ok()) return list;
  return Value::Tuple({*std::move(text), *std::move(list)});
}

void AddExtras(const Value& extras, RunStatistics* statistics, std::string* errors) {
  if (extras.elements().size() != 2) return;
  errors->append(TextOf(extras.elements()[0]));
  const Tensor& list = extras.elements()[1].tensor();
  const double* const numbers = list.data_as<double>();
  const size_t count = static_cast<size_t>(list.element_count());
  statistics->steps += static_cast<int64_t>(numbers[0]);
  statistics->peak_bytes += static_cast<int64_t>(numbers[1]);
  statistics->by_instruction.resize(std::max(statistics->by_instruction.size(), (count - 2) / 3));
  for (size_t i = 0; i < (count - 2) / 3; ++i) {
    evaluator::InstructionStatistics& one = statistics->by_instruction[i];
    one.runs += static_cast<int64_t>(numbers[2 + 3 * i]);
    one.seconds += numbers[3 + 3 * i];
    one.output_bytes += static_cast<int64_t>(numbers[4 + 3 * i]);
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> CommonParts(const Arguments& arguments, absl::string_view module_name,
                                                             absl::string_view text, const evaluator::DeviceGrid& grid,
                                                             const std::vector<int>& ranks) {
  std::vector<std::pair<std::string, std::string>> parts = {
      {"module", absl::StrFormat("%s (%d bytes, hash %016x)", std::string(module_name), text.size(), StableHash(text))},
      {"number of devices", absl::StrCat(grid.replicas, " replicas of ", grid.partitions, " partitions")},
      {"assignment of devices", absl::StrJoin(ranks, ",")},
      {"--fill", absl::StrJoin(arguments.Values("fill"), " ")}};
  for (const char* option : {"seed", "results", "check-nan"}) {
    parts.emplace_back(absl::StrCat("--", option), arguments.Value(option).value_or(""));
  }
  return parts;
}

absl::Status GatherResults(evaluator::RankGroup& group, std::vector<DeviceResults>* results, RunStatistics* statistics,
                           std::string* errors) {
  std::vector<std::pair<int64_t, Value>> own;
  absl::StatusOr<Value> extras = Value::Tuple({});
  if (group.rank() != 0) extras = Extras(*statistics, TakeKeptErrors());
  if (!extras.ok()) return extras.status();
  for (int64_t device = 0; device < static_cast<int64_t>(results->size()); ++device) {
    if (!group.IsLocal(device)) continue;
    const DeviceResults& one = (*results)[static_cast<size_t>(device)];
    std::vector<Value> items;
    for (const HostItem& item : one.to_host) {
      absl::StatusOr<Value> name = TextValue(item.name);
      if (!name.ok()) return name.status();
      items.push_back(Value::Tuple({*std::move(name), TupleOf(item.leaves)}));
    }
    own.emplace_back(device, Value::Tuple({TupleOf(one.leaves), Value::Tuple(std::move(items)),
                                           own.empty() ? *extras : Value::Tuple({})}));
  }
  const absl::StatusOr<std::vector<Value>> all = group.Gather(own);
  if (!all.ok()) return all.status();
  for (size_t device = 0; device < all->size(); ++device) {
    if (group.IsLocal(static_cast<int64_t>(device))) continue;
    const absl::Span<const Value> parts = (*all)[device].elements();
    if (parts.size() != 3) return absl::InternalError("the results of a device cannot be read");
    DeviceResults& one = (*results)[device];
    one.leaves = TensorsOf(parts[0]);
    for (const Value& item : parts[1].elements()) {
      if (item.elements().size() != 2) return absl::InternalError("the results of a device cannot be read");
      one.to_host.push_back({TextOf(item.elements()[0]), TensorsOf(item.elements()[1])});
    }
    AddExtras(parts[2], statistics, errors);
  }
  return absl::OkStatus();
}

}  // namespace hloscope::cli
