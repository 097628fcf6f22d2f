// SPDX-License-Identifier: Apache-2.0
// The rewrites of docs/rewrites.md 3 (reduce of a reshape) and 4 (reshape of an elementwise tree), and their search
// (5).
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/transform/monoid.h"
#include "core/transform/pass.h"
#include "core/transform/tree_rebuilder.h"

namespace hloscope {
namespace {

constexpr absl::string_view kReducePass = "reshape-reduce", kElementwisePass = "reshape-elementwise";

std::string Braces(absl::Span<const int64_t> list) { return absl::StrCat("{", absl::StrJoin(list, ","), "}"); }

std::vector<int64_t> Sizes(const Shape& shape) { return {shape.dimensions().begin(), shape.dimensions().end()}; }

std::vector<int64_t> Without(absl::Span<const int64_t> list, const std::vector<bool>& gone) {
  std::vector<int64_t> kept;
  for (size_t i = 0; i < list.size(); ++i) {
    if (!gone[i]) kept.push_back(list[i]);
  }
  return kept;
}

class ReshapeRewriter {
 public:
  ReshapeRewriter(PassContext& context, bool reduce, bool elementwise)
      : context_(context),
        editor_(context.editor),
        module_(context.module),
        trees_(context.editor),
        reduce_(reduce),
        elementwise_(elementwise) {}

  void Run() {
    for (uint32_t c = 0; c < module_.computations().size(); ++c) {
      if (!editor_.IsRewritable(ComputationId(c))) continue;
      RewriteComputation(ComputationId(c));
    }
  }

 private:
  void RewriteComputation(ComputationId computation) {
    while (context_.HasWorkLeft()) {
      const uint64_t version = editor_.version();
      trees_.Forget();
      for (InstructionId id = editor_.first(computation); id.has_value() && context_.HasWorkLeft();) {
        const InstructionId next = editor_.next(id);
        while (id.has_value() && context_.HasWorkLeft()) id = RewriteOne(id);
        id = next;
      }
      if (context_.dry_run) return;
      if (editor_.version() == version) RewriteTogether(computation);
      if (editor_.version() == version) return;
      CleanUp(context_, computation);
    }
  }

  bool IsCandidate(InstructionId id) const {
    const Opcode opcode = module_.opcode(id);
    return ((opcode == Opcode::kReduce && reduce_) || (opcode == Opcode::kReshape && elementwise_)) &&
           context_.IsWanted(id);
  }

  // What takes the place of the instruction if it was rewritten, to go on with; none if it was not.
  InstructionId RewriteOne(InstructionId id) {
    if (!IsCandidate(id)) return InstructionId::None();
    InstructionId result;
    const bool is_reduce = module_.opcode(id) == Opcode::kReduce;
    const bool kept = context_.Attempt(is_reduce ? kReducePass : kElementwisePass, id, [&](Application* application) {
      result = Apply(id, application);
      return result.has_value();
    });
    if (!kept && !result.has_value() && context_.explains_refusals) Explain(id);
    return kept ? result : InstructionId::None();
  }

  // Why a candidate that has something to do with a reshape matches nothing.
  void Explain(InstructionId id) {
    trees_.Forget();  // what is known to be hopeless has no reason any more
    size_t work = 0;
    std::string reason;
    if (module_.opcode(id) == Opcode::kReshape) {
      if (!MatchReshape(id, &work, &reason) && !reason.empty()) context_.Refuse(kElementwisePass, id, reason);
    } else if (HasReshape(id, &work)) {
      if (!MatchReduce(id, &work, &reason) && !reason.empty()) context_.Refuse(kReducePass, id, reason);
    }
    context_.Work(work);
  }
  // Whether something that is reduced was reshaped before.
  bool HasReshape(InstructionId reduce, size_t* work) {
    const absl::Span<const InstructionId> operands = module_.operands(reduce);
    const absl::Span<const InstructionId> data = operands.first(operands.size() / 2);
    return std::any_of(data.begin(), data.end(), [&](InstructionId id) {
      return module_.opcode(id) == Opcode::kReshape || trees_.FirstSource(id, work) != nullptr;
    });
  }

  // Where several rewrites share what they make or leave unused, each may cost more than it saves while all of them
  // together save: groups of them are tried as one.
  void RewriteTogether(ComputationId computation) {
    trees_.Forget();
    std::vector<InstructionId> candidates;
    std::vector<size_t> group;                          // by candidate, as disjoint sets
    absl::flat_hash_map<InstructionId, size_t> member;  // instruction of a tree to a candidate that has it
    const auto find = [&](size_t i) {
      while (group[i] != i) i = group[i] = group[group[i]];
      return i;
    };
    for (InstructionId id = editor_.first(computation); id.has_value(); id = editor_.next(id)) {
      if (!IsCandidate(id) || !context_.HasWorkLeft()) continue;
      const std::vector<InstructionId> nodes = TreeOf(id);
      if (nodes.empty()) continue;
      const size_t index = candidates.size();
      candidates.push_back(id);
      group.push_back(index);
      for (InstructionId node : nodes) {
        const auto [it, inserted] = member.try_emplace(node, index);
        if (!inserted) group[find(index)] = find(it->second);
      }
    }
    std::vector<std::vector<InstructionId>> groups(candidates.size());
    for (size_t i = 0; i < candidates.size(); ++i) groups[find(i)].push_back(candidates[i]);
    for (const std::vector<InstructionId>& together : groups) {
      if (together.size() < 2 || !context_.HasWorkLeft()) continue;
      trees_.Forget();
      const bool any_reduce = std::any_of(together.begin(), together.end(),
                                          [&](InstructionId id) { return module_.opcode(id) == Opcode::kReduce; });
      context_.Attempt(any_reduce ? kReducePass : kElementwisePass, together.back(), [&](Application* application) {
        int applied = 0;
        std::vector<std::string> patterns;
        for (InstructionId id : together) {
          if (!editor_.IsAlive(id)) continue;
          application->pattern.clear();
          while (id.has_value()) {
            id = IsCandidate(id) ? Apply(id, application) : InstructionId::None();
            if (!id.has_value()) break;
            ++applied;
            patterns.push_back(std::move(application->pattern));
            application->pattern.clear();
          }
        }
        application->pattern = absl::StrCat("together: ", absl::StrJoin(patterns, "; "));
        return applied >= 2;
      });
    }
  }

  // The instructions that a rewrite of this candidate would build again or leave; empty if it matches nothing.
  std::vector<InstructionId> TreeOf(InstructionId id) {
    size_t work = 0;
    std::vector<InstructionId> nodes;
    if (module_.opcode(id) == Opcode::kReshape) {
      if (std::optional<ElementwiseTree> tree = MatchReshape(id, &work)) nodes = std::move(tree->nodes);
    } else if (std::optional<ReduceMatch> match = MatchReduce(id, &work)) {
      for (const Data& data : match->data) {
        if (data.reshape.has_value()) nodes.push_back(data.reshape);
        if (data.tree) nodes.insert(nodes.end(), data.tree->nodes.begin(), data.tree->nodes.end());
      }
    }
    context_.Work(work);
    return nodes;
  }

  InstructionId Apply(InstructionId id, Application* application) {
    return module_.opcode(id) == Opcode::kReduce ? ApplyReduce(id, application) : ApplyReshape(id, application);
  }

  // Ends a rewrite: rebuilt instructions take the names of those that went.
  void Finish(InstructionId old_root, InstructionId new_root) {
    editor_.Replace(old_root, new_root);
    editor_.EraseIfUnused(old_root);
    for (const auto& [old_id, new_id] : trees_.TakeCopies()) {
      if (!editor_.IsAlive(old_id) && editor_.IsAlive(new_id)) TakeName(old_id, new_id);
    }
  }
  void TakeName(InstructionId old_id, InstructionId new_id) {
    editor_.SetName(new_id, module_.instruction(old_id).name);
  }

  // --- Reshape of an elementwise tree (4) ---

  std::optional<ElementwiseTree> MatchReshape(InstructionId id, size_t* work, std::string* why_not = nullptr) {
    const InstructionId root = module_.operand(id, 0);
    if (!IsElementwiseArray(module_, root) || !IsPlainArray(module_.shape(id))) return std::nullopt;
    if (!KeepsElementType(module_, id)) return std::nullopt;
    // A reshape that keeps the sizes only changes the layout.
    if (module_.shape(id).dimensions() == module_.shape(root).dimensions()) return std::nullopt;
    return trees_.Find(root, module_.shape(id), work, why_not);
  }

  InstructionId ApplyReshape(InstructionId id, Application* application) {
    size_t work = 0;
    const std::optional<ElementwiseTree> tree = MatchReshape(id, &work);
    context_.Work(work);
    if (!tree) return InstructionId::None();
    const InstructionId top = tree->nodes.back();
    const std::vector<int64_t> inside = Sizes(module_.shape(top)), outside = Sizes(module_.shape(id));
    application->pattern =
        absl::StrCat("reshape of an elementwise tree: computed as ", Braces(outside), " instead of ", Braces(inside));
    if (context_.options.explain) {
      application->notes.push_back(
          absl::StrCat("groups of dimensions, inside|outside: ", GroupsText(tree->groups, inside, outside)));
      for (InstructionId node : tree->nodes) {
        if (module_.opcode(node) == Opcode::kReshape) {
          application->notes.push_back(absl::StrCat("leaf ", module_.InstructionName(node), " is a reshape of ",
                                                    module_.InstructionName(module_.operand(node, 0)),
                                                    ", which has the outer shape already"));
        } else if (!IsElementwiseArray(module_, node)) {
          application->notes.push_back(absl::StrCat("leaf ", module_.InstructionName(node), " is a ",
                                                    OpcodeName(module_.opcode(node)),
                                                    ", which can be made in any shape"));
        }
      }
    }
    const InstructionId result = trees_.Build(*tree, id, id);
    Finish(id, result);
    return result;
  }

  // --- Reduce of a reshape (3) ---

  // One array that is reduced: a reshape, or an elementwise tree with one among its leaves.
  struct Data {
    InstructionId reshape;
    std::optional<ElementwiseTree> tree;
  };
  struct ReduceMatch {
    std::vector<Data> data;
    std::vector<Monoid> monoids;
    std::vector<Literal> identities;
    absl::InlinedVector<FactorGroup, 6> groups;  // from the source to what is reduced
    std::vector<int64_t> source, reshaped;       // sizes
    std::vector<bool> first;                     // by dimension of the source: D_u
    std::vector<bool> first_image;               // by dimension of the reshape: its image
    std::vector<int64_t> rest;                   // D_r, renumbered
  };

  std::optional<ReduceMatch> MatchReduce(InstructionId id, size_t* work, std::string* why_not = nullptr) {
    // Parts of a reason that take time to put together are only asked for where somebody wants to know.
    const auto refuse = [&](absl::FunctionRef<std::string()> reason) {
      if (why_not != nullptr) *why_not = reason();
      return std::nullopt;
    };
    const absl::Span<const InstructionId> operands = module_.operands(id);
    const size_t n = operands.size() / 2;
    std::optional<std::vector<Monoid>> monoids = RecognizeMonoids(module_, id);
    if (!monoids) return refuse([&] { return WhyNoMonoid(id); });
    ReduceMatch match;
    for (const Monoid& monoid : *monoids) {
      const auto reducer = [&] {
        return absl::StrCat(OpcodeName(monoid.opcode), " on ", ElementTypeName(monoid.type));
      };
      std::optional<Literal> identity = monoid.Identity();
      if (!identity) return refuse([&] { return absl::StrCat(reducer(), " has no identity to start from"); });
      if (context_.options.exact_only && !monoid.IsExact()) {
        return refuse([&] { return absl::StrCat(reducer(), " would be grouped differently, which is not exact"); });
      }
      match.identities.push_back(*std::move(identity));
    }
    match.monoids = *std::move(monoids);
    std::optional<Shape> source;
    for (size_t k = 0; k < n; ++k) {
      const InstructionId data = operands[k];
      const auto is_not_plain = [&] {
        return absl::StrCat(module_.InstructionName(data), " or what it reshapes is no array of static sizes in a ",
                            "plain layout, or has a sharding that speaks of its dimensions");
      };
      const auto has_no_source = [&] {
        return absl::StrCat("operand ", k, ", ", module_.InstructionName(data), ", was not reshaped");
      };
      if (!IsPlainArray(module_.shape(data))) return refuse(is_not_plain);
      if (module_.opcode(data) == Opcode::kReshape) {
        const Shape& from = module_.shape(module_.operand(data, 0));
        if (!IsPlainArray(from) || !HasUniformSharding(module_, data)) return refuse(is_not_plain);
        if (!KeepsElementType(module_, data)) {
          return refuse([&] { return absl::StrCat(module_.InstructionName(data), " also converts its operand"); });
        }
        if (source && source->dimensions() != from.dimensions()) {
          return refuse([&] {
            return absl::StrCat("the operands are reshapes of ", Braces(source->dimensions()), " and of ",
                                Braces(from.dimensions()));
          });
        }
        if (!source) source = from;
        match.data.push_back({data, std::nullopt});
        continue;
      }
      if (!source) {
        const Shape* from = trees_.FirstSource(data, work);
        if (from == nullptr) return refuse(has_no_source);
        source = *from;
      }
      if (source->dimensions() == module_.shape(data).dimensions()) return refuse(has_no_source);
      std::optional<ElementwiseTree> tree = trees_.Find(data, *source, work, why_not);
      if (!tree) return std::nullopt;
      match.data.push_back({InstructionId::None(), std::move(tree)});
    }
    match.source = Sizes(*source);
    match.reshaped = Sizes(module_.shape(operands[0]));
    match.groups = FactorGroups(match.source, match.reshaped);
    const absl::Span<const int64_t> dimensions = module_.IntsAttribute(id, AttributeKind::kDimensions);
    std::vector<bool> reduced(match.reshaped.size(), false);
    for (int64_t d : dimensions) reduced[static_cast<size_t>(d)] = true;
    match.first.assign(match.source.size(), false);
    match.first_image.assign(match.reshaped.size(), false);
    int64_t factor = 1;
    for (const FactorGroup& group : match.groups) {
      // A group of which all is reduced needs no reshape either: its elements are summed where they are.
      const auto is_reduced = [&](int64_t d) { return reduced[static_cast<size_t>(d)]; };
      bool all = group.input_begin < group.input_end && group.output_begin < group.output_end;
      for (int64_t d = group.output_begin; d < group.output_end; ++d) all = all && is_reduced(d);
      if (!all) continue;
      for (int64_t d = group.input_begin; d < group.input_end; ++d) {
        match.first[static_cast<size_t>(d)] = true;
        factor *= match.source[static_cast<size_t>(d)];
      }
      for (int64_t d = group.output_begin; d < group.output_end; ++d) match.first_image[static_cast<size_t>(d)] = true;
    }
    // Without D_u there is no pattern, and dimensions of one element make nothing smaller.
    if (factor == 1) {
      return refuse([&] {
        return absl::StrCat("every group of dimensions that the reshape joins or splits has one that is not reduced: ",
                            "groups, source|reshape: ", GroupsText(match.groups, match.source, match.reshaped),
                            ", reduced dimensions ", Braces(dimensions), " of ", Braces(match.reshaped));
      });
    }
    int64_t position = 0;
    for (size_t d = 0; d < match.reshaped.size(); ++d) {
      if (match.first_image[d]) continue;
      if (reduced[d]) match.rest.push_back(position);
      ++position;
    }
    return match;
  }

  std::string WhyNoMonoid(InstructionId id) const {
    const ComputationId reducer = module_.ComputationAttribute(id, AttributeKind::kToApply);
    return absl::StrCat("the reducer ", reducer.has_value() ? module_.ComputationName(reducer) : "",
                        " is not one commutative and associative operation for each operand, in its type");
  }

  InstructionId ApplyReduce(InstructionId id, Application* application) {
    size_t work = 0;
    const std::optional<ReduceMatch> match = MatchReduce(id, &work);
    context_.Work(work);
    if (!match) return InstructionId::None();
    Describe(id, *match, application);
    const size_t n = match->data.size();
    const std::vector<InstructionId> old_operands(module_.operands(id).begin(), module_.operands(id).end());
    const bool is_last = match->rest.empty();  // one reduce does everything

    std::vector<InstructionId> operands;
    for (const Data& data : match->data) {
      operands.push_back(data.tree ? trees_.Build(*data.tree, id, InstructionId::None())
                                   : module_.operand(data.reshape, 0));
    }
    for (size_t k = 0; k < n; ++k) {
      operands.push_back(is_last ? old_operands[n + k] : Identity(old_operands[n + k], match->identities[k], id));
    }
    std::vector<int64_t> first;
    for (size_t d = 0; d < match->first.size(); ++d) {
      if (match->first[d]) first.push_back(static_cast<int64_t>(d));
    }
    const std::vector<int64_t> middle = Without(match->source, match->first);
    const std::vector<int64_t> regrouped = Without(match->reshaped, match->first_image);
    const bool reshapes = middle != regrouped;
    // The last instruction has exactly the old shape.
    const Shape old_shape = module_.shape(id);
    const auto array = [&](size_t k, const std::vector<int64_t>& sizes) {
      return Shape::Array(match->monoids[k].type, sizes);
    };
    std::vector<Shape> inner_shapes;
    for (size_t k = 0; k < n; ++k) inner_shapes.push_back(array(k, middle));
    const bool inner_is_root = is_last && !reshapes;
    const Shape inner_shape = inner_is_root ? old_shape : n == 1 ? inner_shapes[0] : Shape::Tuple(inner_shapes);
    const InstructionId inner = AddReduce(id, inner_shape, operands, first, inner_is_root);
    if (inner_is_root) {
      Finish(id, inner);
      TakeName(id, inner);
      return inner;
    }
    std::vector<InstructionId> results;
    for (size_t k = 0; k < n; ++k) {
      InstructionId result = inner;
      if (n > 1) {
        result = editor_.Add(id, Opcode::kGetTupleElement, "get-tuple-element", inner_shapes[k], {inner});
        editor_.mutable_module().AddInt(result, AttributeKind::kIndex, static_cast<int64_t>(k));
        editor_.CopyCommonAttributes(id, result, /*sharding=*/false, /*origin=*/false);
      }
      if (reshapes) {
        const bool is_root = is_last && n == 1;
        const Shape shape =
            is_last ? (n == 1 ? old_shape : old_shape.element(static_cast<int64_t>(k))) : array(k, regrouped);
        result = editor_.Add(id, Opcode::kReshape, "reshape", shape, {result});
        editor_.CopyCommonAttributes(id, result, is_root, is_root);
      }
      results.push_back(result);
    }
    InstructionId root;
    if (!is_last) {
      std::vector<InstructionId> outer = results;
      outer.insert(outer.end(), old_operands.begin() + static_cast<ptrdiff_t>(n), old_operands.end());
      root = AddReduce(id, old_shape, outer, match->rest, /*is_root=*/true);
    } else if (n == 1) {
      root = results[0];
    } else {
      root = editor_.Add(id, Opcode::kTuple, "tuple", old_shape, results);
      editor_.CopyCommonAttributes(id, root, /*sharding=*/true, /*origin=*/true);
    }
    Finish(id, root);
    TakeName(id, is_last ? inner : root);
    return root;
  }

  InstructionId AddReduce(InstructionId old_id, const Shape& shape, absl::Span<const InstructionId> operands,
                          absl::Span<const int64_t> dimensions, bool is_root) {
    const ComputationId reducer = module_.ComputationAttribute(old_id, AttributeKind::kToApply);
    const InstructionId id = editor_.Add(old_id, Opcode::kReduce, module_.InstructionName(old_id), shape, operands);
    editor_.mutable_module().AddInts(id, AttributeKind::kDimensions, dimensions);
    editor_.mutable_module().AddComputations(id, AttributeKind::kToApply, {reducer});
    editor_.CopyCommonAttributes(old_id, id, /*sharding=*/is_root, /*origin=*/is_root);
    return id;
  }

  // The initial value itself if it is the identity.
  InstructionId Identity(InstructionId init, const Literal& identity, InstructionId before) {
    if (module_.opcode(init) == Opcode::kConstant && module_.instruction(init).literal.has_value()) {
      const Literal& literal = module_.literal(init);
      const size_t bytes = identity.bytes().size();
      if (!literal.IsElided() && literal.shape().IsScalar() &&
          std::equal(identity.bytes().begin(), identity.bytes().end(), literal.ElementBytes(0),
                     literal.ElementBytes(0) + bytes)) {
        return init;
      }
    }
    const InstructionId id = editor_.Add(before, Opcode::kConstant, "constant", identity.shape(), {});
    editor_.mutable_module().SetLiteral(id, identity);
    return id;
  }

  void Describe(InstructionId id, const ReduceMatch& match, Application* application) const {
    std::vector<int64_t> first;
    for (size_t d = 0; d < match.first.size(); ++d) {
      if (match.first[d]) first.push_back(static_cast<int64_t>(d));
    }
    const bool through_tree =
        std::any_of(match.data.begin(), match.data.end(), [](const Data& data) { return data.tree.has_value(); });
    application->pattern = absl::StrCat(
        through_tree ? "reduce of an elementwise tree of reshapes: " : "reduce of a reshape: ", Braces(first),
        " before the reshape, ", match.rest.empty() ? std::string("nothing") : Braces(match.rest), " after it");
    const bool exact =
        std::all_of(match.monoids.begin(), match.monoids.end(), [](const Monoid& m) { return m.IsExact(); });
    application->reassociates = application->reassociates || !exact;
    if (!context_.options.explain) return;
    std::vector<std::string>& notes = application->notes;
    notes.push_back(
        absl::StrCat("groups of dimensions, source|reshape: ", GroupsText(match.groups, match.source, match.reshaped)));
    notes.push_back(absl::StrCat("reduced dimensions ", Braces(module_.IntsAttribute(id, AttributeKind::kDimensions)),
                                 " of ", Braces(match.reshaped), "; of those, dimensions ", Braces(first), " of ",
                                 Braces(match.source), " share no group with dimensions that stay"));
    notes.push_back(absl::StrCat("the reshape works on ", Braces(Without(match.source, match.first)), " instead of ",
                                 Braces(match.source)));
    for (const Monoid& monoid : match.monoids) {
      notes.push_back(absl::StrCat("the reducer is ", OpcodeName(monoid.opcode), " on ", ElementTypeName(monoid.type),
                                   ", which is commutative and associative",
                                   monoid.IsExact() ? "" : " up to rounding: sums are grouped differently"));
    }
    if (match.rest.empty()) return;
    notes.emplace_back("the first reduce starts from the identity, the second from the old initial value");
  }

  PassContext& context_;
  ModuleEditor& editor_;
  const Module& module_;
  TreeRebuilder trees_;
  const bool reduce_, elementwise_;
};

}  // namespace

// Asked for both, they run as one search: what one makes is what the other looks for.
void RewriteReshapeReduce(PassContext& context) {
  ReshapeRewriter(context, /*reduce=*/true, context.elementwise_enabled).Run();
}

void RewriteReshapeElementwise(PassContext& context) {
  if (context.reduce_enabled) return;
  ReshapeRewriter(context, /*reduce=*/false, /*elementwise=*/true).Run();
}

}  // namespace hloscope
