// SPDX-License-Identifier: Apache-2.0
#include "core/transform/tree_rebuilder.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace hloscope {
namespace {

bool SameSizes(const Shape& a, const Shape& b) { return a.dimensions() == b.dimensions(); }

// Without a layout an array has the descending one.
bool SameOrder(const Shape& a, const Shape& b) {
  const auto order = [](const Shape& shape) {
    return shape.has_layout() ? shape.layout().minor_to_major : Layout::RowMajor(shape.rank()).minor_to_major;
  };
  if (!a.has_layout() && !b.has_layout()) return true;
  return order(a) == order(b);
}

// Attributes of a rebuilt instruction that mean the same in another shape.
bool IsAboutElements(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kStatistics:
    case AttributeKind::kBackendConfig:
    case AttributeKind::kOrigin:
      return false;
    default:
      return true;
  }
}

bool IsCommon(AttributeKind kind) {
  const absl::Span<const AttributeKind> common = CommonAttributes();
  return std::find(common.begin(), common.end(), kind) != common.end();
}

}  // namespace

bool IsPlainArray(const Shape& shape) {
  if (!shape.IsArray() || shape.IsDynamic() || shape.ElementCount() <= 0) return false;
  if (!shape.has_layout()) return true;
  Layout layout = shape.layout();
  layout.tiles.clear();
  return layout.HasOnlyMinorToMajor();
}

bool KeepsElementType(const Module& module, InstructionId id) {
  const ElementType type = module.shape(id).element_type();
  for (InstructionId operand : module.operands(id)) {
    const ElementType other = module.shape(operand).element_type();
    if (other != type && IsFloat(other) && IsFloat(type)) return false;
  }
  return true;
}

bool HasUniformSharding(const Module& module, InstructionId id) {
  const Sharding* sharding = module.ShardingAttribute(id);
  if (sharding == nullptr) return true;
  switch (sharding->kind) {
    case Sharding::Kind::kReplicated:
    case Sharding::Kind::kMaximal:
    case Sharding::Kind::kManual:
    case Sharding::Kind::kUnknown:
      return true;
    case Sharding::Kind::kUnreduced:
    case Sharding::Kind::kTiled:
    case Sharding::Kind::kNamed:
    case Sharding::Kind::kTuple:
      break;
  }
  return false;
}

bool IsElementwiseArray(const Module& module, InstructionId id) {
  const OpFamily family = InfoOf(module.opcode(id)).family;
  if (family != OpFamily::kElementwise && family != OpFamily::kTypeConversion) return false;
  const Shape& shape = module.shape(id);
  if (!IsPlainArray(shape) || module.operands(id).empty()) return false;
  bool any_array = false;
  for (InstructionId operand : module.operands(id)) {
    if (!operand.has_value()) return false;
    const Shape& other = module.shape(operand);
    if (SameSizes(other, shape) && IsPlainArray(other)) {
      any_array = true;
    } else if (!other.IsScalar()) {
      return false;
    }
  }
  return any_array;
}

bool TreeRebuilder::IsScalarOperand(InstructionId user, InstructionId operand) const {
  return module_.shape(operand).rank() == 0 && module_.shape(user).rank() > 0;
}

// Only the order of dimensions is taken over: tiles depend on the width of elements.
Shape TreeRebuilder::ShapeOf(ElementType type, const Shape& wanted) const {
  Shape shape = Shape::Array(type, wanted.dimensions());
  if (wanted.has_layout()) {
    Layout layout;
    layout.minor_to_major = wanted.layout().minor_to_major;
    shape.set_layout(std::move(layout));
  }
  return shape;
}

TreeRebuilder::Role TreeRebuilder::RoleOf(InstructionId id, const Shape& wanted) {
  const Shape& shape = module_.shape(id);
  if (!IsPlainArray(shape) || !HasUniformSharding(module_, id)) return Role::kNone;
  switch (module_.opcode(id)) {
    case Opcode::kReshape: {
      const Shape& source = module_.shape(module_.operand(id, 0));
      return IsPlainArray(source) && SameSizes(source, wanted) && SameOrder(source, wanted) &&
                     KeepsElementType(module_, id)
                 ? Role::kReshape
                 : Role::kNone;
    }
    case Opcode::kBroadcast:
      if (!IsPlainArray(module_.shape(module_.operand(id, 0)))) return Role::kNone;
      [[fallthrough]];
    case Opcode::kIota:
      return editor_.HasControlSuccessors(id) ? Role::kNone : Role::kSource;
    case Opcode::kConstant:
      return module_.instruction(id).literal.has_value() && !module_.literal(id).IsElided() &&
                     !editor_.HasControlSuccessors(id)
                 ? Role::kSource
                 : Role::kNone;
    default:
      return IsElementwiseArray(module_, id) && !editor_.HasControlSuccessors(id) && !editor_.HasSideEffect(id)
                 ? Role::kInner
                 : Role::kNone;
  }
}

std::string TreeRebuilder::WhyNone(InstructionId id, const Shape& wanted) {
  const Shape& shape = module_.shape(id);
  const std::string name = absl::StrCat(OpcodeName(module_.opcode(id)), " ", module_.InstructionName(id));
  const std::string sizes = absl::StrCat("{", absl::StrJoin(wanted.dimensions(), ","), "}");
  if (!IsPlainArray(shape)) {
    return absl::StrCat(name, " is ", shape.ToString(), ", no array of static sizes in a plain layout");
  }
  if (!HasUniformSharding(module_, id)) return absl::StrCat(name, " has a sharding that speaks of its dimensions");
  if (editor_.HasControlSuccessors(id)) return absl::StrCat("others wait for ", name, " by control dependencies");
  if (editor_.HasSideEffect(id)) return absl::StrCat(name, " has side effects");
  switch (module_.opcode(id)) {
    case Opcode::kReshape: {
      const Shape& source = module_.shape(module_.operand(id, 0));
      if (!KeepsElementType(module_, id)) return absl::StrCat(name, " also converts its operand");
      if (SameSizes(source, wanted)) return absl::StrCat(name, " is a reshape of an array in another layout");
      return absl::StrCat(name, " is a reshape of ", source.ToString(false), ", which does not have the sizes ", sizes);
    }
    case Opcode::kBroadcast:
      return absl::StrCat(name, " is a broadcast of an array without static sizes or a plain layout");
    case Opcode::kConstant:
      return absl::StrCat("the value of ", name, " is not in the text");
    default:
      return absl::StrCat("leaf ", name, " of the elementwise tree can neither be made with the sizes ", sizes,
                          " nor is it a reshape of what has them");
  }
}

std::optional<ElementwiseTree> TreeRebuilder::Find(InstructionId root, const Shape& wanted, size_t* work,
                                                   std::string* why_not) {
  ElementwiseTree tree;
  tree.wanted = wanted;
  tree.wanted_key = editor_.mutable_module().InternShape(ShapeOf(ElementType::kPred, tree.wanted));
  bool has_reshape = false;
  struct Visit {
    InstructionId id;
    size_t next_operand;
  };
  std::vector<Visit> path;
  absl::flat_hash_set<InstructionId> seen;
  // False if the instruction cannot be part of the tree.
  const auto enter = [&](InstructionId id) {
    if (!seen.insert(id).second) return true;
    ++*work;
    const Role role = hopeless_.contains(Key(id, tree.wanted_key)) ? Role::kNone : RoleOf(id, tree.wanted);
    if (role == Role::kNone) {
      if (why_not != nullptr) *why_not = WhyNone(id, wanted);
      hopeless_.insert(Key(id, tree.wanted_key));
      return false;
    }
    has_reshape = has_reshape || role == Role::kReshape;
    if (role == Role::kInner) {
      path.push_back({id, 0});
    } else {
      tree.nodes.push_back(id);
    }
    return true;
  };
  bool good = enter(root);
  while (good && !path.empty()) {
    Visit& top = path.back();
    const absl::Span<const InstructionId> operands = module_.operands(top.id);
    if (top.next_operand == operands.size()) {
      tree.nodes.push_back(top.id);
      path.pop_back();
      continue;
    }
    const InstructionId operand = operands[top.next_operand++];
    if (!IsScalarOperand(top.id, operand)) good = enter(operand);
  }
  if (!good) {
    // What led to the failure fails the next time too.
    for (const Visit& visit : path) hopeless_.insert(Key(visit.id, tree.wanted_key));
    return std::nullopt;
  }
  if (!has_reshape) {
    if (why_not != nullptr) *why_not = "no leaf of the elementwise tree is a reshape";
    return std::nullopt;
  }
  tree.groups = FactorGroups(module_.shape(root).dimensions(), tree.wanted.dimensions());
  return tree;
}

const Shape* TreeRebuilder::FirstSource(InstructionId root, size_t* work) {
  std::vector<InstructionId> open = {root};
  absl::flat_hash_set<InstructionId> seen = {root};
  while (!open.empty()) {
    const InstructionId id = open.back();
    open.pop_back();
    if (sourceless_.contains(id)) continue;
    ++*work;
    if (module_.opcode(id) == Opcode::kReshape) {
      const Shape& source = module_.shape(module_.operand(id, 0));
      if (IsPlainArray(source)) return &source;
    }
    if (!IsElementwiseArray(module_, id)) continue;
    for (InstructionId operand : module_.operands(id)) {
      if (!IsScalarOperand(id, operand) && seen.insert(operand).second) open.push_back(operand);
    }
  }
  // Long chains of reduces over each other's elementwise trees would be searched again and again.
  sourceless_.insert(seen.begin(), seen.end());
  return nullptr;
}

InstructionId TreeRebuilder::Build(const ElementwiseTree& tree, InstructionId before, InstructionId replaced) {
  InstructionId result;
  for (InstructionId id : tree.nodes) {
    const bool is_root = id == tree.nodes.back();
    const Key key(id, tree.wanted_key);
    const auto it = built_.find(key);
    const bool is_exact = is_root && replaced.has_value();
    if (it != built_.end() && editor_.IsAlive(it->second) && !is_exact) {
      result = it->second;
      continue;
    }
    if (module_.opcode(id) == Opcode::kReshape) {
      result = module_.operand(id, 0);
    } else if (!IsElementwiseArray(module_, id)) {
      result = BuildSource(tree, id, before);
    } else {
      absl::InlinedVector<InstructionId, 4> operands;
      for (InstructionId operand : module_.operands(id)) {
        operands.push_back(IsScalarOperand(id, operand) ? operand : built_.at(Key(operand, tree.wanted_key)));
      }
      const Shape shape = is_exact ? module_.shape(replaced) : ShapeOf(module_.shape(id).element_type(), tree.wanted);
      result = editor_.AddCopy(before, id, shape, operands, [&](AttributeKind kind) {
        if (kind == AttributeKind::kControlPredecessors) return true;
        return is_exact ? !IsCommon(kind) : IsAboutElements(kind);
      });
      if (is_exact) editor_.CopyCommonAttributes(replaced, result, /*sharding=*/true, /*origin=*/true);
      copies_.emplace_back(id, result);
    }
    // The exact result is not what another tree needs.
    if (!is_exact) built_[key] = result;
  }
  return result;
}

InstructionId TreeRebuilder::BuildSource(const ElementwiseTree& tree, InstructionId id, InstructionId before) {
  const Shape shape = ShapeOf(module_.shape(id).element_type(), tree.wanted);
  if (module_.opcode(id) == Opcode::kBroadcast) {
    const absl::Span<const int64_t> list = module_.IntsAttribute(id, AttributeKind::kDimensions);
    const std::vector<int64_t> dimensions(list.begin(), list.end());
    return BuildBroadcast(tree, id, module_.operand(id, 0), dimensions, before);
  }
  if (module_.opcode(id) == Opcode::kIota) {
    // The numbers along one dimension, broadcast along the others.
    const int64_t dimension = module_.IntAttribute(id, AttributeKind::kIotaDimension);
    const Shape line = Shape::Array(shape.element_type(), {module_.shape(id).dimension(dimension)});
    const InstructionId numbers = editor_.Add(before, Opcode::kIota, module_.InstructionName(id), line, {});
    editor_.mutable_module().AddInt(numbers, AttributeKind::kIotaDimension, 0);
    editor_.CopyCommonAttributes(id, numbers, /*sharding=*/false, /*origin=*/false);
    return BuildBroadcast(tree, id, numbers, {dimension}, before);
  }
  // A constant: its elements are in row-major order, which reshapes keep.
  Literal literal = module_.literal(id);
  literal.mutable_shape() = Shape::Array(shape.element_type(), shape.dimensions());
  const InstructionId copy = editor_.AddCopy(before, id, shape, {}, IsAboutElements);
  editor_.mutable_module().SetLiteral(copy, std::move(literal));
  copies_.emplace_back(id, copy);
  return copy;
}

InstructionId TreeRebuilder::BuildBroadcast(const ElementwiseTree& tree, InstructionId like, InstructionId operand,
                                            absl::Span<const int64_t> dimensions, InstructionId before) {
  const ElementType type = module_.shape(like).element_type();
  // Copied: shapes are added below.
  const Shape inside = module_.shape(like);
  const auto add_broadcast = [&](const Shape& shape, InstructionId of, absl::Span<const int64_t> dims) {
    // A broadcast that maps every dimension to itself is none.
    bool is_identity = module_.shape(of).dimensions() == shape.dimensions();
    for (size_t k = 0; k < dims.size(); ++k) is_identity = is_identity && dims[k] == static_cast<int64_t>(k);
    if (is_identity) return of;
    const InstructionId id = editor_.Add(before, Opcode::kBroadcast, module_.InstructionName(like), shape, {of});
    editor_.mutable_module().AddInts(id, AttributeKind::kDimensions, dims);
    editor_.CopyCommonAttributes(like, id, /*sharding=*/false, /*origin=*/false);
    return id;
  };
  std::vector<int64_t> inner, outer;  // dimensions of the needed groups inside and outside the reshape
  std::vector<int64_t> position(static_cast<size_t>(inside.rank()), -1);  // in `inner`
  std::vector<int64_t> image(static_cast<size_t>(inside.rank()), -1);     // of dimensions that are left alone
  bool all_unmodified = true;
  for (const FactorGroup& group : tree.groups) {
    const bool needed = std::any_of(dimensions.begin(), dimensions.end(),
                                    [&](int64_t d) { return d >= group.input_begin && d < group.input_end; });
    if (!needed) continue;
    const bool unmodified = group.input_end - group.input_begin == 1 && group.output_end - group.output_begin == 1;
    all_unmodified = all_unmodified && unmodified;
    if (unmodified) image[static_cast<size_t>(group.input_begin)] = group.output_begin;
    for (int64_t d = group.input_begin; d < group.input_end; ++d) {
      position[static_cast<size_t>(d)] = static_cast<int64_t>(inner.size());
      inner.push_back(d);
    }
    for (int64_t d = group.output_begin; d < group.output_end; ++d) outer.push_back(d);
  }
  const Shape result = ShapeOf(type, tree.wanted);
  const auto look_up = [&](const std::vector<int64_t>& table) {
    std::vector<int64_t> found;
    for (int64_t d : dimensions) found.push_back(table[static_cast<size_t>(d)]);
    return found;
  };
  const auto sizes = [](const Shape& shape, const std::vector<int64_t>& list) {
    std::vector<int64_t> found;
    for (int64_t d : list) found.push_back(shape.dimension(d));
    return found;
  };
  if (all_unmodified) return add_broadcast(result, operand, look_up(image));
  const InstructionId grown = add_broadcast(Shape::Array(type, sizes(inside, inner)), operand, look_up(position));
  const Shape regrouped = Shape::Array(type, sizes(tree.wanted, outer));
  InstructionId reshaped = grown;
  if (module_.shape(grown).dimensions() != regrouped.dimensions()) {
    // In the wanted order if it is the whole result.
    const bool is_result = regrouped.dimensions() == result.dimensions();
    reshaped = editor_.Add(before, Opcode::kReshape, "reshape", is_result ? result : regrouped, {grown});
    editor_.CopyCommonAttributes(like, reshaped, /*sharding=*/false, /*origin=*/false);
  }
  return add_broadcast(result, reshaped, outer);
}

std::string GroupsText(absl::Span<const FactorGroup> groups, absl::Span<const int64_t> from,
                       absl::Span<const int64_t> to) {
  std::string text;
  for (const FactorGroup& group : groups) {
    const auto part = [](absl::Span<const int64_t> sizes, int64_t begin, int64_t end) {
      return absl::StrJoin(sizes.subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin)), ",");
    };
    absl::StrAppend(&text, text.empty() ? "" : " ", part(from, group.input_begin, group.input_end), "|",
                    part(to, group.output_begin, group.output_end));
  }
  return text;
}

}  // namespace hloscope
