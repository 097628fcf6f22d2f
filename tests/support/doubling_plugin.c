// SPDX-License-Identifier: Apache-2.0
/* A plug-in for custom calls as a user would write it: "double_it" doubles an f32 array, "refuse" fails. */
#include <stdio.h>
#include <string.h>

#include "evaluator/plugins/hloscope_custom_call.h"

int32_t hloscope_custom_call_version(void) { return HLOSCOPE_CUSTOM_CALL_VERSION; }

int32_t hloscope_custom_call(HloscopeCustomCall* call) {
  if (strcmp(call->target, "refuse") == 0) {
    snprintf(call->error, sizeof(call->error), "%s will not", call->instruction);
    return HLOSCOPE_FAILED;
  }
  if (strcmp(call->target, "double_it") != 0 || call->operand_count != 1 || call->result_count < 1 ||
      strcmp(call->operands[0].element_type, "f32") != 0) {
    return HLOSCOPE_NOT_MINE;
  }
  const float* x = call->operands[0].data;
  float* y = call->results[0].data;
  for (int64_t i = 0; i < call->operands[0].byte_size / 4; ++i) y[i] = 2 * x[i];
  return HLOSCOPE_COMPUTED;
}
