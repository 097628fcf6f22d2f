// SPDX-License-Identifier: Apache-2.0
#include "core/transform/cost_model.h"

#include <algorithm>
#include <memory>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/memory.h"
#include "core/diagnostics/diagnostic.h"
#include "core/ir/checked_math.h"
#include "core/ir/default_layout.h"
#include "core/layout/byte_size.h"
#include "core/layout/relayout.h"
#include "core/semantics/shape_reader.h"
#include "core/source/source_text.h"

namespace hloscope {
namespace {

// Modules have thousands of reshapes; those whose layouts need more to be compared count as moving.
constexpr int64_t kMaxAddressComparisons = int64_t{1} << 16;

Tile TileOf(std::vector<int64_t> dimensions) {
  Tile tile;
  tile.dimensions = std::move(dimensions);
  return tile;
}

}  // namespace

// --- Targets ---

CostTarget CostTarget::Tpu() {
  CostTarget target;
  target.name_ = "tpu";
  return target;
}

CostTarget CostTarget::Linear() {
  CostTarget target;
  target.kind_ = Kind::kLinear;
  target.name_ = "linear";
  return target;
}

absl::StatusOr<CostTarget> CostTarget::Parse(absl::string_view text) {
  if (text == "tpu") return Tpu();
  if (text == "linear") return Linear();
  const absl::Status error = absl::InvalidArgumentError(
      absl::StrCat("the target is `tpu`, `linear` or tiles such as `T(8,128)`, not `", text, "`"));
  if (!absl::StartsWith(text, "T(") || text.size() > 200 ||
      text.find_first_not_of("T()*,0123456789") != absl::string_view::npos) {
    return error;
  }
  DiagnosticSink sink;
  const auto source = SourceText::FromString("target", absl::StrCat("f32[8,128]{1,0:", text, "}"));
  if (source == nullptr) return error;
  const std::optional<Shape> shape = ReadShapeText(*source, sink);
  if (!shape || !CheckLayout(*shape).ok()) return error;
  CostTarget target;
  target.kind_ = Kind::kTiles;
  target.name_ = std::string(text);
  target.tiles_ = shape->layout().tiles;
  Layout only_tiles = Layout::RowMajor(2);
  only_tiles.tiles = target.tiles_;
  // Nothing else may hide in the tiles, such as a memory space.
  if (only_tiles != shape->layout() || !PhysicalLayout::Of(*shape).ok()) return error;
  return target;
}

Shape CostTarget::Place(const Shape& array) const {
  Shape placed = WithDefaultLayouts(array);
  Layout layout = placed.layout();
  if (kind_ == Kind::kLinear) {
    layout.tiles.clear();
  } else if (layout.tiles.empty() && array.rank() > 0) {
    if (kind_ == Kind::kTiles) {
      layout.tiles = tiles_;
    } else {
      layout.tiles.push_back(TileOf({8, 128}));
      const int64_t bits = ElementBits(placed);
      if (bits < 32 && bits > 0) layout.tiles.push_back(TileOf({32 / bits, 1}));
    }
  }
  placed.set_layout(std::move(layout));
  return placed;
}

// --- Costs ---

int64_t TransformCost::moved_bytes() const {
  return SaturatingSum(SaturatingSum(relayout_bytes, reduce_bytes), SaturatingSum(elementwise_bytes, broadcast_bytes));
}

bool TransformCost::IsLessThan(const TransformCost& other) const {
  const int64_t a = moved_bytes(), b = other.moved_bytes();
  return a != b ? a < b : reshaped_elements < other.reshaped_elements;
}

TransformCost& TransformCost::operator+=(const TransformCost& other) {
  for (int64_t TransformCost::*field :
       {&TransformCost::reshapes, &TransformCost::reshaped_elements, &TransformCost::relayout_bytes,
        &TransformCost::reduce_bytes, &TransformCost::elementwise_bytes, &TransformCost::broadcast_bytes,
        &TransformCost::data_bytes, &TransformCost::physical_bytes}) {
    this->*field = SaturatingSum(this->*field, other.*field);
  }
  return *this;
}

const CostModel::PlacedShape& CostModel::Placed(ShapeId id) {
  if (placed_.size() <= id.index()) placed_.resize(std::max(module_.shape_count(), id.index() + 1));
  PlacedShape& placed = placed_[id.index()];
  if (placed.known) return placed;
  placed.known = true;
  // Tuples are flattened here: texts decide how deep they nest.
  std::vector<const Shape*> open = {&module_.shape(id)};
  while (!open.empty()) {
    const Shape& shape = *open.back();
    open.pop_back();
    for (const Shape& element : shape.elements()) open.push_back(&element);
    if (!shape.IsArray() || shape.HasUnboundedDimension()) continue;
    const int64_t data = DataBytes(shape);
    absl::StatusOr<PhysicalLayout> layout = PhysicalLayout::Of(target_.Place(shape));
    placed.data_bytes = SaturatingSum(placed.data_bytes, data);
    placed.physical_bytes = SaturatingSum(placed.physical_bytes, layout.ok() ? layout->physical_bytes() : data);
    if (layout.ok() && module_.shape(id).IsArray()) placed.layout = *std::move(layout);
  }
  return placed;
}

bool CostModel::IsFree(InstructionId id) {
  const Opcode opcode = module_.opcode(id);
  if (opcode != Opcode::kReshape && opcode != Opcode::kTranspose && opcode != Opcode::kCopy) return false;
  const InstructionId source = module_.operand(id, 0);
  if (!source.has_value()) return false;
  const ShapeId from = module_.instruction(source).shape, to = module_.instruction(id).shape;
  const PlacedShape &a = Placed(from), &b = Placed(to);
  if (!a.layout || !b.layout) return false;
  if (opcode == Opcode::kCopy) return IsFreeCopy(*a.layout, *b.layout);
  absl::InlinedVector<int64_t, 8> key = {static_cast<int64_t>(from.value), static_cast<int64_t>(to.value)};
  const absl::Span<const int64_t> permutation = module_.IntsAttribute(id, AttributeKind::kDimensions);
  if (opcode == Opcode::kTranspose) {
    key.push_back(-1);
    key.insert(key.end(), permutation.begin(), permutation.end());
  }
  const auto [it, inserted] = is_free_.try_emplace(std::move(key), false);
  if (inserted) {
    it->second = opcode == Opcode::kTranspose
                     ? IsFreeTranspose(*a.layout, *b.layout, permutation, kMaxAddressComparisons)
                     : IsFreeReshape(*a.layout, *b.layout, kMaxAddressComparisons);
  }
  return it->second;
}

TransformCost CostModel::Of(InstructionId id) {
  TransformCost cost;
  const Shape& shape = module_.shape(id);
  const Opcode opcode = module_.opcode(id);
  const absl::Span<const InstructionId> operands = module_.operands(id);
  const auto traffic = [&] {
    int64_t bytes = PhysicalBytes(id);
    for (InstructionId operand : operands) {
      if (operand.has_value()) bytes = SaturatingSum(bytes, PhysicalBytes(operand));
    }
    return bytes;
  };
  const bool makes_data = shape.IsArray() && shape.rank() > 0 && opcode != Opcode::kParameter &&
                          opcode != Opcode::kGetTupleElement && opcode != Opcode::kBitcast;
  if (makes_data) {
    const PlacedShape& placed = Placed(module_.instruction(id).shape);
    cost.data_bytes = placed.data_bytes;
    cost.physical_bytes = placed.physical_bytes;
  }
  switch (opcode) {
    case Opcode::kReshape:
      cost.reshapes = 1;
      cost.reshaped_elements = std::max<int64_t>(shape.ElementCount(), 0);
      [[fallthrough]];
    case Opcode::kTranspose:
    case Opcode::kCopy:
      if (!IsFree(id)) cost.relayout_bytes = traffic();
      return cost;
    case Opcode::kBitcast:
      // Free as the module lays it out; under another layout it is only if the buffers are at least of one size.
      if (operands.size() == 1 && operands[0].has_value() && PhysicalBytes(operands[0]) != PhysicalBytes(id)) {
        cost.relayout_bytes = traffic();
      }
      return cost;
    case Opcode::kReduce:
      cost.reduce_bytes = traffic();
      return cost;
    case Opcode::kBroadcast:
      cost.broadcast_bytes = traffic();
      return cost;
    default:
      break;
  }
  const OpFamily family = InfoOf(opcode).family;
  if (family == OpFamily::kElementwise || family == OpFamily::kTypeConversion) cost.elementwise_bytes = traffic();
  return cost;
}

ModuleCost MeasureCost(const Module& module, const CostTarget& target) {
  ModuleCost result;
  CostModel model(module, target);
  for (uint32_t c = 0; c < module.computations().size(); ++c) {
    ComputationCost row;
    for (InstructionId id : module.computation(ComputationId(c)).instructions) row.cost += model.Of(id);
    if (row.cost == TransformCost()) continue;
    result.total += row.cost;
    row.computation = std::string(module.ComputationName(ComputationId(c)));
    result.computations.push_back(std::move(row));
  }
  const CallGraph calls(module);
  const BufferTable buffers(module, calls);
  const UserIndex users(module);
  result.peak_live_bytes = MemoryAnalysis(module, users, calls, buffers).peak_bytes();
  return result;
}

}  // namespace hloscope
