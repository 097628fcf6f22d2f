// SPDX-License-Identifier: Apache-2.0
// Options and arguments of the commands that evaluate modules.
#ifndef HLOSCOPE_CLI_RUN_OPTIONS_H_
#define HLOSCOPE_CLI_RUN_OPTIONS_H_

#include "absl/status/statusor.h"
#include "cli/arguments.h"
#include "evaluator/inputs/run_inputs.h"

namespace hloscope::cli {

// The rows of these options, for a command's array of OptionSpec.
#define HLOSCOPE_RUN_OPTIONS                                                                                         \
  {"arg", OptionKind::kValue, "N=PATH.npy", "value of parameter N, or N.I.J of a leaf of a tuple; repeatable"},      \
      {"args-dir", OptionKind::kValue, "DIR", "take arg0.npy, arg1.npy, ... from DIR or DIR.npz"},                   \
      {"infeed", OptionKind::kValue, "DIR", "take what the host sends from infeedN.npy and recvC.N.npy in DIR"},     \
      {"fill", OptionKind::kValue, "[N=]RULE",                                                                       \
       "make up the parameters that are not given, or parameter N: zeros, ones, iota, random, normal, positive or "  \
       "uniform:LO:HI; repeatable"},                                                                                 \
      {"seed", OptionKind::kValue, "S", "of --fill=random and of rng instructions (0)"},                             \
      {"replicas", OptionKind::kValue, "N", "number of replicas (from the header)"},                                 \
      {"partitions", OptionKind::kValue, "M", "number of partitions (from the header)"},                             \
      {"custom-calls", OptionKind::kValue, "LIB.so", "plug-in that computes custom calls; repeatable"},              \
      {"custom-call", OptionKind::kValue, "NAME=zeros|PATH.npy",                                                     \
       "what custom calls of an unknown target NAME (or the one named so) return; NAME{I,J} for a leaf, * for all"}, \
      {"threads", OptionKind::kValue, "N", "threads (one per core)"},                                                \
      {"memory-limit", OptionKind::kValue, "BYTES",                                                                  \
       "fail beyond this many bytes of values; K, M, G, T (half of the machine's; 0: no limit)"},                    \
      {"step-limit", OptionKind::kValue, "N", "fail beyond this many executed instructions (0: no limit)"}, {        \
    "time-limit", OptionKind::kValue, "SECONDS", "fail after this time (0: no limit)"                                \
  }

// Those that say where the devices are.
#define HLOSCOPE_RANK_OPTIONS                                                                 \
  {"devices-per-rank", OptionKind::kValue, "N[,N...]",                                        \
   "under mpirun: how many devices each process has, in their order (equal shares)"},         \
  {                                                                                           \
    "device-ranks", OptionKind::kValue, "R,R,...", "under mpirun: the process of each device" \
  }

// Sets replicas and partitions for so many devices in all: what --replicas or --partitions leaves open, else as many
// partitions as fit the header's replicas if the module has partitions or ids of devices in its groups, else replicas.
// Error InvalidArgument if they do not divide.
absl::Status SetDevices(int64_t devices, const Module& module, evaluator::RunOptions* options);

// Errors InvalidArgument, for the user: wrong usage.
absl::StatusOr<evaluator::RunOptions> ReadRunOptions(const Arguments& arguments);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_RUN_OPTIONS_H_
