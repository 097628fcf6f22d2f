// SPDX-License-Identifier: Apache-2.0
// Movement of data in random modules.
#include "tests/support/module_writer.h"

namespace hloscope::module_writer {

// --- Movement of data ---

void ModuleWriter::Broadcast(const std::string& opcode) {
  const Array x = TakeAny(kAll, 0, 3);
  Sizes sizes = RandomSizes(x.sizes.size(), 4);
  Sizes places = Permutation(sizes.size());
  places.resize(x.sizes.size());
  std::sort(places.begin(), places.end());
  for (size_t k = 0; k < places.size(); ++k) sizes[static_cast<size_t>(places[k])] = x.sizes[k];
  if (CountOf(sizes) > 2000) return;
  Emit(opcode, x.type, sizes, {x.name}, absl::StrCat("dimensions=", Braces(places)));
}

void ModuleWriter::Reshape(const std::string& opcode) {
  const Array x = TakeAny(kAll);
  int64_t left = CountOf(x.sizes);
  Sizes sizes;
  if (left == 0) {
    sizes = {0, 2};
  } else {
    for (int64_t factor : {2, 3, 5, 17, 2, 4}) {
      if (left % factor != 0 || !Chance(0.6)) continue;
      sizes.push_back(factor);
      left /= factor;
    }
    if (left != 1 || Chance(0.3)) sizes.push_back(left);
    std::shuffle(sizes.begin(), sizes.end(), random_);
  }
  Emit(opcode, x.type, sizes, {x.name});
}

void ModuleWriter::Transpose(const std::string& opcode) {
  const Array x = TakeAny(kAll);
  const Sizes order = Permutation(x.sizes.size());
  Sizes sizes;
  for (int64_t d : order) sizes.push_back(x.sizes[static_cast<size_t>(d)]);
  Emit(opcode, x.type, sizes, {x.name}, absl::StrCat("dimensions=", Braces(order)));
}

void ModuleWriter::Reverse(const std::string& opcode) {
  const Array x = TakeAny(kAll);
  Emit(opcode, x.type, x.sizes, {x.name}, absl::StrCat("dimensions=", Braces(Subset(x.sizes.size()))));
}

void ModuleWriter::Slice(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1);
  Sizes sizes;
  Names ranges;
  for (int64_t size : x.sizes) {
    const int64_t start = Between(0, size), limit = Between(start, size), stride = Between(1, 3);
    sizes.push_back((limit - start + stride - 1) / stride);
    ranges.push_back(absl::StrCat("[", start, ":", limit, stride == 1 ? "" : absl::StrCat(":", stride), "]"));
  }
  Emit(opcode, x.type, sizes, {x.name}, absl::StrCat("slice={", absl::StrJoin(ranges, ", "), "}"));
}

void ModuleWriter::Pad(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1);
  Sizes sizes;
  Names parts;
  for (int64_t size : x.sizes) {
    const int64_t interior = Chance(0.3) ? Between(1, 2) : 0;
    const int64_t spread = size == 0 ? 0 : size + (size - 1) * interior;
    const int64_t low = Between(-std::min<int64_t>(spread, 1), 2),
                  high = Between(-std::min<int64_t>(spread + low, 1), 2);
    if (spread + low + high < 0) return;
    sizes.push_back(spread + low + high);
    parts.push_back(absl::StrCat(low, "_", high, interior == 0 ? "" : absl::StrCat("_", interior)));
  }
  if (CountOf(sizes) > 3000) return;
  Emit(opcode, x.type, sizes, {x.name, Take(x.type, {}).name}, absl::StrCat("padding=", absl::StrJoin(parts, "x")));
}

void ModuleWriter::Concatenate(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1);
  const size_t dimension = Pick(x.sizes.size());
  Names operands = {x.name};
  Sizes sizes = x.sizes;
  for (size_t k = Pick(3); k > 0; --k) {
    Sizes other = x.sizes;
    other[dimension] = Between(0, 4);
    operands.push_back(Take(x.type, other).name);
    sizes[dimension] += other[dimension];
  }
  Emit(opcode, x.type, sizes, operands, absl::StrCat("dimensions={", dimension, "}"));
}

void ModuleWriter::DynamicSlice(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1);
  Sizes sizes;
  Names operands = {x.name};
  const std::string index = OneOf({"s32", "s64", "u32", "s8"});
  for (int64_t size : x.sizes) {
    sizes.push_back(Between(0, size));
    operands.push_back(Take(index, {}).name);
  }
  Emit(opcode, x.type, sizes, operands, absl::StrCat("dynamic_slice_sizes=", Braces(sizes)));
}

void ModuleWriter::DynamicUpdateSlice(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1);
  Sizes sizes;
  for (int64_t size : x.sizes) sizes.push_back(Between(0, size));
  Names operands = {x.name, Take(x.type, sizes).name};
  const std::string index = OneOf({"s32", "s64", "u32", "s8"});
  for (size_t k = 0; k < sizes.size(); ++k) operands.push_back(Take(index, {}).name);
  Emit(opcode, x.type, x.sizes, operands);
}

void ModuleWriter::Iota(const std::string& opcode) {
  const Sizes sizes = RandomSizes(1, 4);
  Emit(opcode, Type(kNumbers), sizes, {}, absl::StrCat("iota_dimension=", Pick(sizes.size())));
}

void ModuleWriter::ConstantOf(const std::string&) { Constant(Type(kAll), RandomSizes(0, 3)); }

// Rows of the operand along one dimension, chosen by a vector of indices; sometimes with batching dimensions.
void ModuleWriter::Gather(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1, 3);
  const size_t rank = x.sizes.size(), along = Pick(rank);
  if (CountOf(x.sizes) == 0) return;
  const int64_t rows = Between(1, 5);
  const bool collapsed = Chance(0.7);
  Sizes slice = x.sizes, sizes = {rows}, offsets;
  slice[along] = collapsed ? 1 : Between(1, x.sizes[along]);
  for (size_t d = 0; d < rank; ++d) {
    if (d == along && collapsed) continue;
    offsets.push_back(static_cast<int64_t>(sizes.size()));
    sizes.push_back(slice[d]);
  }
  const bool explicit_vector = Chance(0.5);
  const std::string index = OneOf({"s32", "s64", "u8"});
  const Array indices = Take(index, explicit_vector ? Sizes{rows, 1} : Sizes{rows});
  Emit(opcode, x.type, sizes, {x.name, indices.name},
       absl::StrCat("offset_dims=", Braces(offsets), ", collapsed_slice_dims={", collapsed ? absl::StrCat(along) : "",
                    "}, start_index_map={", along, "}, index_vector_dim=1, slice_sizes=", Braces(slice)));
}

void ModuleWriter::Scatter(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1, 3);
  const size_t rank = x.sizes.size(), along = Pick(rank);
  if (CountOf(x.sizes) == 0) return;
  const int64_t rows = Between(1, 4);
  Sizes updates = {rows}, windows;
  for (size_t d = 0; d < rank; ++d) {
    if (d == along) continue;
    windows.push_back(static_cast<int64_t>(updates.size()));
    updates.push_back(x.sizes[d]);
  }
  const Array indices = Take(OneOf({"s32", "s64"}), {rows, 1});
  Emit(opcode, x.type, x.sizes, {x.name, indices.name, Take(x.type, updates).name},
       absl::StrCat("update_window_dims=", Braces(windows), ", inserted_window_dims={", along,
                    "}, scatter_dims_to_operand_dims={", along,
                    "}, index_vector_dim=1, to_apply=", Reducer(x.type, false)));
}

}  // namespace hloscope::module_writer
