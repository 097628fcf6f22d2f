// SPDX-License-Identifier: Apache-2.0
#include "replay/recorded_values.h"

#include <cstring>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/ir/checked_math.h"

namespace hloscope::replay {
namespace {

void AddLeaves(Literal literal, std::vector<Literal>* leaves) {
  if (!literal.shape().IsTuple()) {
    leaves->push_back(std::move(literal));
    return;
  }
  for (const Literal& element : literal.elements()) AddLeaves(element, leaves);
}

absl::StatusOr<std::vector<Literal>> LeavesOf(const std::vector<interop::LiteralData>& arguments,
                                              absl::string_view owner) {
  std::vector<Literal> leaves;
  for (size_t i = 0; i < arguments.size(); ++i) {
    absl::StatusOr<Literal> literal = arguments[i].Read();
    if (!literal.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(owner, "arguments[", i, "]: ", literal.status().message()));
    }
    AddLeaves(*std::move(literal), &leaves);
  }
  return leaves;
}

// An array of the file, which stays there until a tensor is made of it, or one that had to be read.
struct Leaf {
  Shape shape;
  std::optional<interop::LiteralData::Array> in_place;
  Literal literal;
};

absl::Status AddRecordedLeaves(const interop::LiteralData& data, int depth, std::vector<Leaf>* leaves) {
  // As deep as the library of protocol buffers reads messages.
  constexpr int kDeepest = 100;
  if (depth > kDeepest) {
    return absl::InvalidArgumentError(absl::StrCat("its tuples are nested more than ", kDeepest, " deep"));
  }
  if (std::optional<interop::LiteralData::Array> array = data.InPlace()) {
    Shape shape = array->shape;
    leaves->push_back({std::move(shape), std::move(array), Literal()});
    return absl::OkStatus();
  }
  const std::vector<interop::LiteralData> elements = data.Elements();
  for (const interop::LiteralData& element : elements) {
    if (const absl::Status status = AddRecordedLeaves(element, depth + 1, leaves); !status.ok()) return status;
  }
  if (!elements.empty()) return absl::OkStatus();
  absl::StatusOr<Literal> literal = data.Read();
  if (!literal.ok()) return literal.status();
  std::vector<Literal> parts;
  AddLeaves(*std::move(literal), &parts);
  for (Literal& part : parts) leaves->push_back({part.shape(), std::nullopt, std::move(part)});
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Leaf>> RecordedLeaves(const std::vector<interop::LiteralData>& recorded,
                                                 absl::string_view owner) {
  std::vector<Leaf> leaves;
  for (size_t i = 0; i < recorded.size(); ++i) {
    const absl::Status status = AddRecordedLeaves(recorded[i], 0, &leaves);
    if (!status.ok()) return absl::InvalidArgumentError(absl::StrCat(owner, "[", i, "]: ", status.message()));
  }
  return leaves;
}

// Copies what is in place once: tensors are aligned, files are not. What was copied takes no memory in the file.
absl::StatusOr<evaluator::Tensor> TensorOf(const Leaf& leaf, const interop::Snapshot& snapshot) {
  if (!leaf.in_place) return evaluator::Tensor::FromLiteral(leaf.literal);
  absl::StatusOr<evaluator::Tensor> tensor =
      evaluator::Tensor::Allocate(leaf.shape.element_type(), leaf.shape.dimensions());
  if (!tensor.ok()) return tensor;
  const size_t bytes =
      static_cast<size_t>(leaf.shape.ElementCount()) * static_cast<size_t>(StorageBytes(leaf.shape.element_type()));
  const auto release = [&](absl::Span<const uint8_t> part) {
    if (snapshot.mapped != nullptr) snapshot.mapped->Release(part);
  };
  const absl::Status status =
      interop::CopyElements(*leaf.in_place, absl::MakeSpan(tensor->mutable_data(), bytes), release);
  return status.ok() ? std::move(tensor) : status;
}

// After its values were copied.
absl::Status CheckWhole(const interop::Snapshot& snapshot) {
  return snapshot.mapped == nullptr ? absl::OkStatus() : snapshot.mapped->CheckWhole();
}

void AddLeafShapes(const Shape& shape, std::vector<Shape>* leaves) {
  if (!shape.IsTuple()) {
    if (!shape.IsToken()) leaves->push_back(shape);
    return;
  }
  for (const Shape& element : shape.elements()) AddLeafShapes(element, leaves);
}

// The value of a parameter from the leaves, of which it takes as many as it has.
absl::StatusOr<evaluator::Value> TakeValue(const Shape& shape, const interop::Snapshot& snapshot,
                                           std::vector<Leaf>& leaves, size_t* next) {
  if (shape.IsToken()) return evaluator::Value::Token();
  if (!shape.IsTuple()) {
    const size_t number = (*next)++;
    const Leaf leaf = std::exchange(leaves[number], Leaf());
    absl::StatusOr<evaluator::Tensor> tensor = TensorOf(leaf, snapshot);
    if (absl::IsInvalidArgument(tensor.status())) {
      return absl::InvalidArgumentError(absl::StrCat("arguments[", number, "]: ", tensor.status().message()));
    }
    if (!tensor.ok()) return tensor.status();
    return evaluator::Value(*std::move(tensor));
  }
  std::vector<evaluator::Value> elements;
  for (const Shape& element : shape.elements()) {
    absl::StatusOr<evaluator::Value> value = TakeValue(element, snapshot, leaves, next);
    if (!value.ok()) return value;
    elements.push_back(*std::move(value));
  }
  return evaluator::Value::Tuple(std::move(elements));
}

// Copies a part to its place in the whole: both row-major, `first` is the index of the part's first element.
void CopyPart(const Literal& part, const std::vector<int64_t>& first, std::vector<uint8_t>& whole, const Shape& shape) {
  const size_t unit = static_cast<size_t>(StorageBytes(shape.element_type()));
  const int64_t rank = shape.rank();
  std::vector<int64_t> index(static_cast<size_t>(rank), 0);
  const int64_t count = part.shape().ElementCount();
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = 0;
    bool is_inside = true;
    for (int64_t d = 0; d < rank; ++d) {
      const int64_t place = first[static_cast<size_t>(d)] + index[static_cast<size_t>(d)];
      is_inside = is_inside && place < shape.dimension(d);  // the last parts may be padded
      at = at * shape.dimension(d) + place;
    }
    if (is_inside) std::memcpy(&whole[static_cast<size_t>(at) * unit], part.ElementBytes(i), unit);
    for (int64_t d = rank; d-- > 0;) {
      if (++index[static_cast<size_t>(d)] < part.shape().dimension(d)) break;
      index[static_cast<size_t>(d)] = 0;
    }
  }
}

// The array whose parts the devices have, each the tile of its number.
absl::StatusOr<Literal> Assemble(const Shape& shape, const Sharding& sharding,
                                 const std::vector<const Literal*>& parts) {
  Literal whole(shape);
  whole.mutable_shape().clear_layout();
  const int64_t bytes = shape.ByteSize();
  int64_t held = 0;
  for (const Literal* part : parts) held += static_cast<int64_t>(part->bytes().size());
  if (bytes > held) return absl::InvalidArgumentError("the parts do not fill it");
  whole.mutable_bytes().resize(static_cast<size_t>(bytes));
  int64_t tiles = 1;
  for (const int64_t size : sharding.tile_dimensions) tiles = SaturatingProduct(tiles, size);
  if (tiles > static_cast<int64_t>(parts.size())) {
    return absl::InvalidArgumentError(
        absl::StrCat("it has ", tiles, " parts, but ", parts.size(), " partitions have arguments"));
  }
  const std::vector<int64_t> devices = sharding.TileDevices();
  for (size_t tile = 0; tile < devices.size(); ++tile) {
    if (devices[tile] < 0 || static_cast<size_t>(devices[tile]) >= parts.size()) {
      return absl::InvalidArgumentError(absl::StrCat("no partition has the part of device ", devices[tile]));
    }
    const Literal& part = *parts[static_cast<size_t>(devices[tile])];
    if (part.shape().rank() != shape.rank() || part.shape().element_type() != shape.element_type()) {
      return absl::InvalidArgumentError(absl::StrCat("a part has the shape ", part.shape().ToString(false)));
    }
    if (part.IsElided()) {
      return absl::InvalidArgumentError(absl::StrCat("the part of device ", devices[tile], " has no values"));
    }
    std::vector<int64_t> first(static_cast<size_t>(shape.rank()));
    int64_t rest = static_cast<int64_t>(tile);
    for (size_t d = sharding.tile_dimensions.size(); d-- > 0;) {
      const int64_t number = rest % sharding.tile_dimensions[d];
      rest /= sharding.tile_dimensions[d];
      // Dimensions after those of the array say which devices have the same part.
      if (d < first.size()) first[d] = number * part.shape().dimension(static_cast<int64_t>(d));
    }
    CopyPart(part, first, whole.mutable_bytes(), shape);
  }
  return whole;
}

// The leaves of all parameters, of which each partition has parts.
absl::StatusOr<std::vector<Leaf>> AssembleAll(const interop::Snapshot& snapshot, const Module& module,
                                              const std::vector<Shape>& shapes) {
  std::vector<std::vector<Literal>> partitions;
  for (size_t p = 0; p < snapshot.arguments.size(); ++p) {
    absl::StatusOr<std::vector<Literal>> leaves = LeavesOf(snapshot.arguments[p], absl::StrCat("partitions[", p, "]."));
    if (!leaves.ok()) return leaves.status();
    if (leaves->size() != shapes.size()) {
      return absl::InvalidArgumentError(absl::StrCat("partitions[", p, "] has ", leaves->size(),
                                                     " arguments, the module has ", shapes.size(), " parameters"));
    }
    partitions.push_back(*std::move(leaves));
  }
  std::vector<const Sharding*> shardings;
  for (InstructionId parameter : module.computation(module.entry()).parameters) {
    const Sharding* sharding = module.ShardingAttribute(parameter);
    const size_t count = static_cast<size_t>(module.shape(parameter).LeafCount());
    for (size_t i = 0; i < count; ++i) {
      const bool has_leaves = sharding != nullptr && sharding->kind == Sharding::Kind::kTuple;
      shardings.push_back(has_leaves && i < sharding->leaves.size() ? &sharding->leaves[i] : sharding);
    }
  }
  std::vector<Leaf> whole;
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (ShapesCompatible(partitions[0][i].shape(), shapes[i])) {
      whole.push_back({shapes[i], std::nullopt, std::move(partitions[0][i])});  // all devices have all of it
      continue;
    }
    const Sharding* sharding = i < shardings.size() ? shardings[i] : nullptr;
    if (sharding == nullptr || sharding->kind != Sharding::Kind::kTiled) {
      return absl::InvalidArgumentError(absl::StrCat("argument ", i, " is ", partitions[0][i].shape().ToString(false),
                                                     ", but the parameter is ", shapes[i].ToString(false),
                                                     " without a sharding by tiles"));
    }
    std::vector<const Literal*> parts;
    for (const std::vector<Literal>& partition : partitions) parts.push_back(&partition[i]);
    absl::StatusOr<Literal> assembled = Assemble(shapes[i], *sharding, parts);
    if (!assembled.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("argument ", i, ": ", assembled.status().message()));
    }
    whole.push_back({shapes[i], std::nullopt, *std::move(assembled)});
  }
  return whole;
}

}  // namespace

absl::StatusOr<std::vector<evaluator::Value>> RecordedArguments(const interop::Snapshot& snapshot,
                                                                const Module& module) {
  if (!module.entry().has_value() || snapshot.arguments.empty() || snapshot.arguments[0].empty()) {
    return std::vector<evaluator::Value>();
  }
  const std::vector<InstructionId>& parameters = module.computation(module.entry()).parameters;
  std::vector<Shape> shapes;
  for (InstructionId parameter : parameters) AddLeafShapes(module.shape(parameter), &shapes);
  absl::StatusOr<std::vector<Leaf>> leaves =
      snapshot.are_shards ? AssembleAll(snapshot, module, shapes) : RecordedLeaves(snapshot.arguments[0], "arguments");
  if (!leaves.ok()) return leaves.status();
  if (leaves->size() != shapes.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(leaves->size(), " arrays were recorded as arguments, but the module", " takes ", shapes.size()));
  }
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (ShapesCompatible((*leaves)[i].shape, shapes[i])) continue;
    return absl::InvalidArgumentError(absl::StrCat("the argument ", i, " that was recorded is ",
                                                   (*leaves)[i].shape.ToString(false), ", the module takes ",
                                                   shapes[i].ToString(false)));
  }
  std::vector<evaluator::Value> values;
  size_t next = 0;
  for (InstructionId parameter : parameters) {
    absl::StatusOr<evaluator::Value> value = TakeValue(module.shape(parameter), snapshot, *leaves, &next);
    if (!value.ok()) return value.status();
    values.push_back(*std::move(value));
  }
  if (const absl::Status whole = CheckWhole(snapshot); !whole.ok()) return whole;
  return values;
}

absl::StatusOr<std::vector<evaluator::Tensor>> RecordedResult(const interop::Snapshot& snapshot) {
  std::vector<evaluator::Tensor> tensors;
  if (!snapshot.result) return tensors;
  const absl::StatusOr<std::vector<Leaf>> leaves = RecordedLeaves({*snapshot.result}, "result");
  if (!leaves.ok()) return leaves.status();
  for (const Leaf& leaf : *leaves) {
    if (!leaf.shape.IsArray()) continue;
    absl::StatusOr<evaluator::Tensor> tensor = TensorOf(leaf, snapshot);
    if (absl::IsInvalidArgument(tensor.status())) {
      return absl::InvalidArgumentError(absl::StrCat("result: ", tensor.status().message()));
    }
    if (!tensor.ok()) return tensor.status();
    tensors.push_back(*std::move(tensor));
  }
  if (const absl::Status whole = CheckWhole(snapshot); !whole.ok()) return whole;
  return tensors;
}

}  // namespace hloscope::replay
