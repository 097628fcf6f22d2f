// SPDX-License-Identifier: Apache-2.0
#include "insight/memory/leaves.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/analysis/buffers.h"
#include "core/layout/byte_size.h"

namespace hloscope::insight {
namespace {

std::vector<Leaf> LeavesOf(const Shape& shape) {
  std::vector<Leaf> leaves;
  std::vector<std::pair<const Shape*, ShapeIndex>> open;
  open.emplace_back(&shape, ShapeIndex());
  while (!open.empty()) {
    const auto [at, index] = std::move(open.back());
    open.pop_back();
    if (!at->IsTuple() && !at->IsBuffer()) {
      leaves.push_back({index, *at, DataBytes(*at), PhysicalBytes(*at)});
      continue;
    }
    for (int64_t i = at->tuple_size(); i-- > 0;) {
      ShapeIndex inner = index;
      inner.push_back(i);
      open.emplace_back(&at->element(i), std::move(inner));
    }
  }
  return leaves;
}

// Of a shape with too many leaves for a table.
int64_t NumberOf(const Shape& shape, absl::Span<const int64_t> index) {
  const Shape* at = &shape;
  int64_t leaf = 0;
  for (int64_t i : index) {
    for (int64_t before = 0; before < i; ++before) leaf += at->element(before).LeafCount();
    at = &at->element(i);
  }
  return leaf;
}

}  // namespace

const std::vector<Leaf>& LeafTable::Of(InstructionId id) const {
  const ShapeId shape = module_.instruction(id).shape;
  const auto [it, inserted] = leaves_.try_emplace(shape);
  if (inserted && module_.shape(shape).IsValid() && module_.shape(shape).LeafCount() <= BufferTable::kMaxLeaves) {
    it->second = LeavesOf(module_.shape(shape));
  }
  return it->second;
}

const Leaf* LeafTable::At(InstructionId id, uint32_t leaf) const {
  const std::vector<Leaf>& leaves = Of(id);
  return leaf < leaves.size() ? &leaves[leaf] : nullptr;
}

int64_t LeafTable::Find(InstructionId id, absl::Span<const int64_t> index) const {
  const Shape* at = &module_.shape(id);
  for (int64_t i : index) {
    if (!at->IsTuple() || i < 0 || i >= at->tuple_size()) return -1;
    at = &at->element(i);
  }
  if (at->IsTuple()) return -1;
  const std::vector<Leaf>& leaves = Of(id);
  if (leaves.empty()) return NumberOf(module_.shape(id), index);
  // A buffer's leaf is further inside.
  const auto found =
      std::lower_bound(leaves.begin(), leaves.end(), index, [](const Leaf& leaf, absl::Span<const int64_t> wanted) {
        return std::lexicographical_compare(leaf.index.begin(), leaf.index.end(), wanted.begin(), wanted.end());
      });
  return found == leaves.end() ? -1 : found - leaves.begin();
}

std::string LeafTable::Name(InstructionId id, uint32_t leaf) const {
  std::string name(module_.InstructionName(id));
  if (const Leaf* found = At(id, leaf)) absl::StrAppend(&name, IndexText(found->index));
  return name;
}

std::string IndexText(absl::Span<const int64_t> index) {
  return index.empty() ? "" : absl::StrCat("{", absl::StrJoin(index, ","), "}");
}

}  // namespace hloscope::insight
