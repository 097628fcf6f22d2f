// SPDX-License-Identifier: Apache-2.0
#include "core/ops/factor_groups.h"

#include "core/ir/checked_math.h"

namespace hloscope {
namespace {

int64_t Product(absl::Span<const int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes) {
    if (size == 0) return 0;
    product = SaturatingProduct(product, size);
  }
  return product;
}

}  // namespace

absl::InlinedVector<FactorGroup, 6> FactorGroups(absl::Span<const int64_t> input, absl::Span<const int64_t> output) {
  absl::InlinedVector<FactorGroup, 6> groups;
  const int64_t input_rank = static_cast<int64_t>(input.size()), output_rank = static_cast<int64_t>(output.size());
  int64_t i = 0, o = 0;
  while (i < input_rank && o < output_rank && input[static_cast<size_t>(i)] == output[static_cast<size_t>(o)]) {
    groups.push_back({i, i + 1, o, o + 1});
    ++i, ++o;
  }
  const int64_t rest = Product(input.subspan(static_cast<size_t>(i)));
  if (rest == 0 || rest != Product(output.subspan(static_cast<size_t>(o)))) {
    if (i < input_rank || o < output_rank) groups.push_back({i, input_rank, o, output_rank});
    return groups;
  }
  FactorGroup open{i, i, o, o};
  int64_t input_product = 1, output_product = 1;
  const auto close = [&] {
    if (open.input_begin == i && open.output_begin == o) return;
    groups.push_back({open.input_begin, i, open.output_begin, o});
    open = {i, i, o, o};
  };
  while (i < input_rank || o < output_rank) {
    if (input_product == output_product) close();
    const bool has_input = i < input_rank, has_output = o < output_rank;
    const int64_t next_input = has_input ? input[static_cast<size_t>(i)] : 0;
    const int64_t next_output = has_output ? output[static_cast<size_t>(o)] : 0;
    const bool tie = input_product == output_product;
    const bool take_input = has_input && (input_product < output_product ||
                                          (tie && (!has_output || next_input <= next_output)) || !has_output);
    const bool take_output = has_output && (output_product < input_product ||
                                            (tie && (!has_input || next_output <= next_input)) || !has_input);
    if (take_input) input_product = SaturatingProduct(input_product, next_input), ++i;
    if (take_output) output_product = SaturatingProduct(output_product, next_output), ++o;
  }
  close();
  return groups;
}

}  // namespace hloscope
