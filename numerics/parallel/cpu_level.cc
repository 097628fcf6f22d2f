// SPDX-License-Identifier: Apache-2.0
#include "numerics/parallel/cpu_level.h"

#include <cstdlib>
#include <string_view>

namespace hloscope::numerics {
namespace {

CpuLevel Detect() {
  const char* const wish = std::getenv("HLOSCOPE_CPU");
  const std::string_view limit = wish != nullptr ? wish : "";
  if (limit == "baseline") return CpuLevel::kBaseline;
  if (limit != "avx2" && HasCpuLevel(CpuLevel::kAvx512)) return CpuLevel::kAvx512;
  return HasCpuLevel(CpuLevel::kAvx2) ? CpuLevel::kAvx2 : CpuLevel::kBaseline;
}

}  // namespace

bool HasCpuLevel(CpuLevel level) {
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  const bool avx512 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
                      __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0;
  return level == CpuLevel::kBaseline || (avx2 && (level == CpuLevel::kAvx2 || avx512));
#else
  return level == CpuLevel::kBaseline;
#endif
}

CpuLevel BestCpuLevel() {
  static const CpuLevel level = Detect();
  return level;
}

}  // namespace hloscope::numerics
