// The reshape rewrites on a module of 30 000 instructions: group normalisations one behind the other.
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/document/document.h"
#include "core/transform/data_movement.h"
#include "core/transform/transform.h"
#include "tests/bench/bench.h"

namespace hloscope::bench {
namespace {

constexpr absl::string_view kLayer = R"(
  grouped.N = f32[8,56,56,8,32] reshape(image.N)
  sum.N = f32[8,32] reduce(grouped.N, zero), dimensions={1,2,3}, to_apply=add
  mean.N = f32[8,32] divide(sum.N, counts)
  mean_b.N = f32[8,56,56,8,32] broadcast(mean.N), dimensions={0,4}
  centered.N = f32[8,56,56,8,32] subtract(grouped.N, mean_b.N)
  square.N = f32[8,56,56,8,32] multiply(centered.N, centered.N)
  square_sum.N = f32[8,32] reduce(square.N, zero), dimensions={1,2,3}, to_apply=add
  inverse.N = f32[8,32] rsqrt(square_sum.N)
  inverse_b.N = f32[8,56,56,8,32] broadcast(inverse.N), dimensions={0,4}
  normalised.N = f32[8,56,56,8,32] multiply(centered.N, inverse_b.N)
  flat.N = f32[8,56,56,256] reshape(normalised.N)
  image.M = f32[8,56,56,256] add(flat.N, image.N)
)";

std::string Chain(int layers) {
  std::string text = R"(HloModule chain
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  image.0 = f32[8,56,56,256] parameter(0)
  zero = f32[] constant(0)
  count = f32[] constant(25088)
  counts = f32[8,32] broadcast(count), dimensions={}
)";
  for (int i = 0; i < layers; ++i) {
    absl::StrAppend(&text,
                    absl::StrReplaceAll(kLayer, {{".N", absl::StrCat(".", i)}, {".M", absl::StrCat(".", i + 1)}}));
  }
  return absl::StrCat(text, "  ROOT r = f32[8,56,56,256] negate(image.", layers, ")\n}\n");
}

}  // namespace

void BenchTransforms(Report& report) {
  const auto document = Document::Parse(SourceText::FromString("chain", Chain(2500)));
  const Module& module = document->module();
  report.Section(absl::StrCat("rewrites of a module of ", module.instruction_count(), " instructions, medians of 5"));
  size_t applications = 0;
  const double rewrite =
      MedianSeconds(5, [&] { applications = TransformModule(module, DefaultPasses(), {})->applications.size(); });
  report.Figure(absl::StrCat("reshape-reduce,reshape-elementwise (", applications, " rewrites)"), rewrite, "s", 1,
                false);
  report.Info("every pass",
              MedianSeconds(5,
                            [&] {
                              std::vector<std::string> names;
                              for (const PassInfo& pass : AllPasses()) names.emplace_back(pass.name);
                              (void)TransformModule(module, names, {});
                            }),
              "s");
  report.Info("why each movement of data happens",
              MedianSeconds(5, [&] { (void)ExplainDataMovement(module, CostTarget::Tpu()); }), "s");
}

}  // namespace hloscope::bench
