// SPDX-License-Identifier: Apache-2.0
#include "numerics/parallel/cpu_level.h"

#include <cstdlib>
#include <string_view>

namespace hloscope::numerics {
namespace {

// What HLOSCOPE_CPU asks for; empty if nothing.
std::string_view Limit() {
  const char* const wish = std::getenv("HLOSCOPE_CPU");
  return wish != nullptr ? wish : "";
}

CpuLevel Detect() {
  const std::string_view limit = Limit();
  if (limit == "baseline") return CpuLevel::kBaseline;
  if (limit != "avx2" && HasCpuLevel(CpuLevel::kAvx512)) return CpuLevel::kAvx512;
  return HasCpuLevel(CpuLevel::kAvx2) ? CpuLevel::kAvx2 : CpuLevel::kBaseline;
}

bool DetectPairs() {
#if defined(__x86_64__)
  if (BestCpuLevel() != CpuLevel::kAvx512 || __builtin_cpu_supports("avx512bf16") == 0) return false;
  const std::string_view limit = Limit();
  if (limit == "avx512" || limit == "avx512bf16") return limit == "avx512bf16";
  return __builtin_cpu_is("intel") == 0 || __builtin_cpu_is("cooperlake") != 0;
#else
  return false;
#endif
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

bool MultipliesPairs() {
  static const bool pays = DetectPairs();
  return pays;
}

}  // namespace hloscope::numerics
