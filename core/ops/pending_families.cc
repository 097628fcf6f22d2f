// Families whose rules have not landed yet accept the declared shape.
#include "core/ops/shape_inference.h"

namespace hloscope {
#define HLO_FAMILY(Enum, file) \
  __attribute__((weak)) InferredShape Infer##Enum(RuleContext& context) { return context.declared_shape(); }
#include "core/ops/families.def"
}  // namespace hloscope
