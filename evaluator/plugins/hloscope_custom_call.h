// SPDX-License-Identifier: Apache-2.0
/* The interface of plug-ins that compute custom calls (docs/ops/control.md 3.1, step 4). C, so that a
 * plug-in can be written in any language and needs nothing of HLOscope but this file:
 *
 *   int32_t hloscope_custom_call_version(void) { return HLOSCOPE_CUSTOM_CALL_VERSION; }
 *   int32_t hloscope_custom_call(HloscopeCustomCall* call) {
 *     if (strcmp(call->target, "my_target") != 0) return HLOSCOPE_NOT_MINE;
 *     const float* x = call->operands[0].data;
 *     float* y = call->results[0].data;
 *     ...
 *     return HLOSCOPE_COMPUTED;
 *   }
 *
 * Build it as a shared library and name it: hloscope run model.hlo --custom-calls=./my_calls.so */
#ifndef HLOSCOPE_EVALUATOR_PLUGINS_HLOSCOPE_CUSTOM_CALL_H_
#define HLOSCOPE_EVALUATOR_PLUGINS_HLOSCOPE_CUSTOM_CALL_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HLOSCOPE_CUSTOM_CALL_VERSION 1

/* An array, dense and row-major. Elements narrower than a byte take one byte each: integers sign- or zero-extended,
 * floats as bits in the low end, pred as 0 or 1. bf16 and the 8-bit floats are their bits. */
typedef struct HloscopeArray {
  const char* element_type; /* as in HLO text: "f32", "s4", "pred" */
  int64_t rank;
  const int64_t* dimensions; /* bounds of dynamic dimensions */
  void* data;
  int64_t byte_size;
} HloscopeArray;

typedef struct HloscopeCustomCall {
  int32_t version;               /* HLOSCOPE_CUSTOM_CALL_VERSION of the caller */
  const char* target;            /* custom_call_target */
  const char* instruction;       /* name of the instruction */
  const char* backend_config;    /* as in the text; "" if there is none */
  int64_t replica, partition;    /* the device that evaluates */
  int64_t operand_count;         /* arrays; those of tuples in depth-first order, tokens left out */
  const HloscopeArray* operands; /* not to be written */
  int64_t result_count;          /* arrays of the result, in the same order */
  HloscopeArray* results;        /* all zero bits when called */
  char error[256];               /* a message for the user, if the call fails */
} HloscopeCustomCall;

enum {
  HLOSCOPE_COMPUTED = 0, /* the results are filled in */
  HLOSCOPE_NOT_MINE = 1, /* the plug-in does not know the target; the next one is asked */
  HLOSCOPE_FAILED = 2    /* `error` says why; the run stops */
};

/* What a plug-in exports. Calls come one at a time from one thread. */
int32_t hloscope_custom_call_version(void);
int32_t hloscope_custom_call(HloscopeCustomCall* call);

#ifdef __cplusplus
}
#endif

#endif /* HLOSCOPE_EVALUATOR_PLUGINS_HLOSCOPE_CUSTOM_CALL_H_ */
