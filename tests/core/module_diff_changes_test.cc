// SPDX-License-Identifier: Apache-2.0
// Any single change of a module is found by DiffModules: every token of attributes, shapes, operands and values is
// replaced by another one that can be read, and modules that differ by FirstDifference differ by DiffModules too.
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/module_compare.h"
#include "core/analysis/module_diff.h"
#include "core/document/document.h"
#include "gtest/gtest.h"
#include "tests/support/module_generator.h"
#include "tests/support/read_document.h"

namespace hloscope {
namespace {

// A called computation and an equal copy of it that nothing else calls are the same.
constexpr ModuleComparison kNamesAside = {.ignore_names = true, .ignore_metadata = true, .ignore_uncalled = true};

// What modules of the generator lack.
constexpr const char* kRareAttributes[] = {
    R"(HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }, replica_count=2, frontend_attributes={a="b"}, allow_spmd_sharding_propagation_to_parameters={true,false}, allow_spmd_sharding_propagation_to_output={true,true}, entry_computation_layout={(f32[4,4]{1,0}, f32[4,4]{0,1})->(f32[4,4]{1,0}, f32[4,4]{1,0})}
sum { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }
max { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] maximum(x, y) }
ENTRY e {
  p = f32[4,4] parameter(0), sharding={devices=[2,1]<=[2]}, frontend_attributes={k="v"}, parameter_replication={true}
  q = f32[4,4] parameter(1), statistics={visualizing_index=1,nan_count=0,abs_max=3.5}, origin={{"o" {1}}}
  z = f32[] constant(0), backend_config={"a":1}
  r = f32[4] reduce(p, z), dimensions={1}, to_apply=sum
  t = f32[4] reduce(q, z), dimensions={1}, to_apply=max
  c = f32[4] custom-call(r, t), custom_call_target="t", operand_layout_constraints={f32[4]{0}, f32[4]{0}}, custom_call_has_side_effect=true, called_computations={sum, max}, schedule=SCHEDULE_LATEST, api_version=API_VERSION_TYPED_FFI, output_to_operand_aliasing={{}: (0, {})}, padding_type=PADDING_VALID, literal=f32[2]{0} {1, 2}
  e1 = f32[4,4] exponential(p), result_accuracy={tolerance={atol=0.5,rtol=0.25,ulps=2}}, control-predecessors={c}
  g = f32[4,4] all-reduce(e1), replica_groups={{0},{1}}, channel_id=3, to_apply=sum, constrain_layout=true
  d = f32[4,4] domain(g), domain={kind="sharding", entry={maximal device=0}, exit={maximal device=1}}
  f = f32[4,4] dot(d, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={high,highest}
  b = f32[2,2,3] broadcast(z), dimensions={}
  bd = f32[2,2,2] dot(b, b), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={2}
  cp = f32[4,4] collective-permute(f), source_target_pairs={{0,1},{1,0}}
  cs = (f32[4,4], f32[4,4], u32[]) copy-start(cp), cross_program_prefetch_index=1
  co = f32[4,4] copy-done(cs)
  ROOT o = (f32[4,4], f32[4,4]) tuple(co, q)
})",
    R"(HloModule m
add_floats { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }
max_floats { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] maximum(x, y) }
ge { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = pred[] compare(x, y), direction=GE, type=TOTALORDER }
le { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = pred[] compare(x, y), direction=LE }
up { s = (s32[], f32[4]) parameter(0) i = s32[] get-tuple-element(s), index=0 o = s32[] constant(1) j = s32[] add(i, o) v = f32[4] get-tuple-element(s), index=1 ROOT r = (s32[], f32[4]) tuple(j, v) }
down { s = (s32[], f32[4]) parameter(0) i = s32[] get-tuple-element(s), index=0 o = s32[] constant(1) j = s32[] subtract(i, o) v = f32[4] get-tuple-element(s), index=1 ROOT r = (s32[], f32[4]) tuple(j, v) }
less { s = (s32[], f32[4]) parameter(0) i = s32[] get-tuple-element(s), index=0 o = s32[] constant(3) ROOT r = pred[] compare(i, o), direction=LT }
more { s = (s32[], f32[4]) parameter(0) i = s32[] get-tuple-element(s), index=0 o = s32[] constant(3) ROOT r = pred[] compare(i, o), direction=GT }
neg { x = f32[4] parameter(0) ROOT n = f32[4] negate(x) }
abs { x = f32[4] parameter(0) ROOT n = f32[4] abs(x) }
f1 { x = f32[4] parameter(0) ROOT n = f32[4] exponential(x) }
f2 { x = f32[4] parameter(0) ROOT n = f32[4] log(x) }
ENTRY e {
  p = f32[4] parameter(0)
  i = s32[] parameter(1)
  b = pred[] parameter(2)
  q4 = f32[2,2] parameter(3)
  sc = f32[2] parameter(4)
  gi = s32[2,1] parameter(5)
  im = f32[1,4,4,1] parameter(6)
  ke = f32[2,2,1,1] parameter(7)
  z = f32[] constant(0)
  w = f32[4] constant({1, 2, 3, 4})
  r = f32[] reduce(p, z), dimensions={0}, to_apply=add_floats
  r2 = f32[] reduce(p, z), dimensions={0}, to_apply=max_floats
  rw = f32[3] reduce-window(p, z), window={size=2 stride=1 pad=0_0}, to_apply=add_floats
  sw = f32[4] select-and-scatter(p, rw, z), window={size=2}, select=ge, scatter=add_floats
  sx = f32[4] select-and-scatter(p, rw, z), window={size=2}, select=le, scatter=max_floats
  st = (s32[], f32[4]) tuple(i, p)
  l = (s32[], f32[4]) while(st), condition=less, body=up
  m = (s32[], f32[4]) while(l), condition=more, body=down
  c1 = f32[4] conditional(i, p, p), branch_computations={neg, abs}
  c2 = f32[4] conditional(b, p, p), true_computation=neg, false_computation=abs
  ca = f32[4] call(p), to_apply=neg
  fu = f32[4] fusion(ca), kind=kLoop, calls=f1
  fv = f32[4] fusion(w), kind=kInput, calls=f2
  bn = (f32[2,2], f32[2], f32[2]) batch-norm-training(q4, sc, sc), epsilon=0.001, feature_index=1
  ga = f32[2,1] gather(q4, gi), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,1}, indices_are_sorted=true
  ch = f32[2,2] cholesky(q4), lower=true
  tr = f32[2,2] triangular-solve(ch, q4), left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE
  cv = f32[1,3,3,1] convolution(im, ke), window={size=2x2}, dim_labels=b01f_01io->b01f, feature_group_count=1
  pa = f32[7] pad(p, z), padding=1_2_0
  sl = f32[2] slice(p), slice={[0:4:2]}
  rp = f32[4] reduce-precision(p), exponent_bits=5, mantissa_bits=7
  ff = c64[4] fft(p), fft_type=RFFT, fft_length={6}
  io = f32[2,2] iota(), iota_dimension=1
  ROOT o = (f32[], f32[], f32[4], f32[4], (s32[], f32[4]), f32[4], f32[4], f32[4], f32[4]) tuple(r, r2, sw, sx, m, c1, c2, fu, fv)
})",
    R"(HloModule m
add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }
cum { x = f32[] parameter(0) y = f32[] parameter(1) s = f32[] add(x, y) ROOT t = (f32[], f32[]) tuple(s, s) }
less { x = f32[] parameter(0) y = f32[] parameter(1) ROOT c = pred[] compare(x, y), direction=LT }
neg { x = f32[8] parameter(0) ROOT n = f32[8] negate(x) }
wrapped { x = f32[8] parameter(0) ROOT n = f32[8] negate(x) }
ENTRY e {
  p = f32[8] parameter(0), sharding={maximal device=1}
  m = f32[8,8] parameter(1), sharding={devices=[2,1]0,1}
  z = f32[] constant(0)
  i = s32[1] constant({2})
  g = s32[2] constant({4, 4})
  k3 = f32[2,8,8] parameter(2)
  im = f32[1,4,4,2] parameter(3)
  ke = f32[2,2,1,2] parameter(4)
  tok = token[] after-all()
  cv = f32[1,3,3,2] convolution(im, ke), window={size=2x2}, dim_labels=b01f_01io->b01f, feature_group_count=2, convolution_kind=fprop
  cw = f32[1,3,3,2] convolution(im, ke), window={size=2x2}, dim_labels=b01f_01io->b01f, feature_group_count=2, batch_group_count=1
  d = f32[8,8] dot(m, m), lhs_contracting_dims={1}, rhs_contracting_dims={0}, algorithm=dot_f32_f32_f32
  rd = f32[8,8] ragged-dot(m, k3, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}
  sc = f32[8,8] scatter(m, i, p), to_apply=add, update_window_dims={0}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=0, unique_indices=true, indices_are_sorted=true
  bi = s32[8,1] constant({{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}})
  sb = f32[8,8] scatter(m, bi, p), to_apply=add, update_window_dims={}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, index_vector_dim=1, input_batching_dims={0}, scatter_indices_batching_dims={0}
  gb = f32[8] gather(m, bi), offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, index_vector_dim=1, slice_sizes={1,1}, operand_batching_dims={0}, start_indices_batching_dims={0}
  s = s32[] constant(1)
  ds = f32[4] dynamic-slice(p, s), dynamic_slice_sizes={4}
  tk = (f32[2], s32[2]) topk(p), k=2, largest=true
  so = f32[8] sort(p), dimensions={0}, is_stable=true, to_apply=less
  st = u64[2] constant({1, 2})
  ra = u64[2] rng-get-and-update-state(), delta=3
  rb = (u64[2], u32[4]) rng-bit-generator(st), algorithm=rng_default
  rn = f32[4] rng(z, z), distribution=rng_uniform
  sn = (f32[8], f32[]) scan(p, z), dimensions={0}, to_apply=cum, num_carries=1, is_reverse=true, is_associative=true
  ca = f32[8] call(p), to_apply=neg, is_composite=true, frontend_attributes={composite.name="foo.bar",composite.attributes={n = 1 : i32},composite.version="1"}
  rs = f32[2,4] reshape(p), inferred_dimension=1
  ag = f32[16] all-gather(p), replica_groups={{0,1}}, dimensions={0}, channel_id=1, use_global_device_ids=true
  cb = f32[8] collective-broadcast(p, s), replica_groups={{0,1}}, has_dynamic_root=true
  in = (f32[8], token[]) infeed(tok), infeed_config="a"
  ou = token[] outfeed(p, tok), outfeed_shape=f32[8]{0}, outfeed_config="b"
  se = (f32[8], u32[], token[]) send(p, tok), channel_id=2, is_host_transfer=true
  sd = token[] send-done(se), channel_id=2, is_host_transfer=true
  as = ((f32[8]), f32[8], u32[]) async-start(p), calls=wrapped, async_execution_thread="thread"
  ad = f32[8] async-done(as)
  ROOT o = (f32[8,8], f32[8]) tuple(d, p)
})"};

constexpr Enumeration kEnumerations[] = {
#define HLO_ENUMERATION(Name, ignore_case) Enumeration::k##Name,
#include "core/ir/words.def"
};
constexpr AttributeKind kAttributeKinds[] = {
#define HLO_ATTRIBUTE(Enum, spelling, Type, Enumeration, doc) AttributeKind::k##Enum,
#include "core/ir/attributes.def"
};

// Other texts of a token that may be read in its place.
std::vector<std::string> Replacements(const Document& document, TokenIndex token) {
  const std::string text(document.source().Slice(document.tokens().range(token)));
  std::vector<std::string> others;
  int64_t number = 0;
  switch (document.tokens().kind(token)) {
    case TokenKind::kInteger:
      if (absl::SimpleAtoi(text, &number)) others = {absl::StrCat(number + 1), absl::StrCat(number - 1)};
      break;
    case TokenKind::kDecimal:
      others = {absl::StrCat("1", text), "0.015625", "0.0010000001"};
      break;
    case TokenKind::kTrue:
      others = {"false"};
      break;
    case TokenKind::kFalse:
      others = {"true"};
      break;
    case TokenKind::kString:
      others = {absl::StrCat(text.substr(0, text.size() - 1), "x\"")};
      break;
    case TokenKind::kRawBlock:
      others = {"{\"other\":2}"};
      break;
    case TokenKind::kPrimitiveType:
      others = {"f64", "s16"};
      break;
    case TokenKind::kDimLabels:
      others.push_back(text);
      std::swap(others[0][text.find('0')], others[0][text.find('1')]);
      break;
    case TokenKind::kDxD:
    case TokenKind::kPad:
      for (size_t i = 0; i < text.size(); ++i) {
        if (!absl::ascii_isdigit(static_cast<unsigned char>(text[i]))) continue;
        others.push_back(text);
        others.back()[i] = text[i] == '0' ? '1' : text[i] == '1' ? '0' : '1';
      }
      break;
    case TokenKind::kName:
    case TokenKind::kIdentifier:
      for (Enumeration enumeration : kEnumerations) {
        const auto words = WordsOf(enumeration);
        if (std::find(words.begin(), words.end(), text) == words.end()) continue;
        for (absl::string_view word : words) others.emplace_back(word);
      }
      for (uint32_t c = 0; c < document.module().computations().size(); ++c) {
        others.emplace_back(document.module().ComputationName(ComputationId(c)));
      }
      for (const char* name : {"p", "q", "z"}) others.emplace_back(name);
      break;
    default:
      break;
  }
  return others;
}

class Changes {
 public:
  // Tries every replacement in the module.
  void TryAll(const std::string& text) {
    const auto before = ParseDocument(text);
    ASSERT_FALSE(before->has_errors()) << text;
    const SyntaxTree& tree = before->syntax();
    for (uint32_t i = 0; i < tree.header_attribute_count; ++i) {
      TryAttribute(*before, tree.attributes[tree.first_header_attribute + i]);
    }
    for (const InstructionSyntax& instruction : tree.instructions) {
      TryTokens(*before, instruction.shape, "a shape");
      TryTokens(*before, instruction.arguments, "an argument");
      for (uint32_t i = 0; i < instruction.attribute_count; ++i) {
        TryAttribute(*before, tree.attributes[instruction.first_attribute + i]);
      }
    }
  }

  const std::set<std::string>& changed() const { return changed_; }
  int count() const { return count_; }

 private:
  void TryAttribute(const Document& before, const AttributeSyntax& attribute) {
    std::string name(before.source().Slice(before.tokens().range(attribute.name)));
    name.pop_back();  // the =
    if (name != "metadata") TryTokens(before, attribute.value, name);
  }

  void TryTokens(const Document& before, const TokenRange& range, const std::string& what) {
    for (TokenIndex token = range.begin; token < range.end; ++token) {
      for (const std::string& other : Replacements(before, token)) Try(before, token, other, what);
    }
  }

  void Try(const Document& before, TokenIndex token, const std::string& other, const std::string& what) {
    std::string text(before.source().text());
    const SourceRange range = before.tokens().range(token);
    text.replace(range.begin, range.end - range.begin, other);
    if (text == before.source().text()) return;
    const auto after = ParseDocument(text);
    if (after->has_errors()) return;
    // Prints hide digits and layouts of values that DiffModules may find, never the other way round.
    const std::string difference = FirstDifference(before.module(), after->module(), kNamesAside);
    if (difference.empty()) return;
    EXPECT_FALSE(DiffModules(before.module(), after->module()).IsEmpty())
        << what << ": " << before.source().Slice(range) << " became " << other << "\n"
        << difference << "\n"
        << before.source().text();
    changed_.insert(what);
    ++count_;
  }

  std::set<std::string> changed_;
  int count_ = 0;
};

TEST(ModuleDiffChangesTest, EveryChangeOfATokenIsFound) {
  Changes changes;
  for (const char* text : kRareAttributes) changes.TryAll(text);
  for (uint64_t seed = 0; seed < 10 && !HasFailure(); ++seed) changes.TryAll(RandomModule(seed));
  EXPECT_GT(changes.count(), 2000);
  EXPECT_TRUE(changes.changed().contains("a shape") && changes.changed().contains("an argument"));
  // The mode of collectives is read and ignored; a change of the sparsity or of the scales needs several at once.
  std::set<std::string> missing;
  for (AttributeKind kind : kAttributeKinds) {
    const std::string name(AttributeName(kind));
    if (!changes.changed().contains(name)) missing.insert(name);
  }
  EXPECT_EQ(missing, (std::set<std::string>{"block_scaling_config", "metadata", "mode", "sparsity_config"}));
}

}  // namespace
}  // namespace hloscope
