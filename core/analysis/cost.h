// SPDX-License-Identifier: Apache-2.0
// What an instruction computes and how much memory it touches.
//
// Operations (FLOP; integer and logical ones count alike), n being the elements of the result:
//   elementwise, convert, iota, rng                      n
//   dot                                                  2 * n * product of the contracted sizes
//   ragged-dot, scaled-dot                               as dot
//   convolution                                          2 * multiplications with elements, which are neither padding
//                                                        nor between the elements of a dilated base
//   custom-call of a library (target "__...")            as convolution if it has dim_labels, as dot if its
//                                                        backend_config names lhs_contracting_dimensions
//   reduce, all-reduce, reduce-scatter                   applications of the reducer * its operations:
//                                                        elements that go in - elements that come out; for collectives
//                                                        one per element of the operand, whatever the group
//   reduce-window, select-and-scatter                    (window - 1) applications per window; select-and-scatter
//                                                        also one application of scatter per source element
//   scatter                                              one application per update
//   map, scan                                            one application per element of the first operand
//   sort, topk                                           m log2(m) comparisons for each line of m elements
//   fft                                                  5 m log2(m) for each transform of m elements, half for real
//                                                        ones
//   cholesky                                             k^3 / 3 per matrix
//   triangular-solve                                     k * k per right-hand side
//   batch-norm-inference, -training, -grad               4, 7, 11 per element of the operand
//   fusion, call, async-start                            those of the called computation
//   while                                                those of condition and body, as often as known_trip_count in
//                                                        backend_config or the loop's counter says (trip_count.h), once
//                                                        if neither does
//   conditional                                          those of the most expensive branch
//   everything else                                      0
// Transcendental functions (exponential, sine, tanh, power, divide is none of them) are counted again by themselves.
//
// Bytes: arrays are read and written whole, as their layouts store them (PhysicalBytes). Nothing is moved by what
// shares its operand's memory (buffers.h) and by reshapes, transposes and copies whose layouts agree
// (core/layout/relayout.h). Of operands that are only looked into, a slice, gather or update touches what it takes. A
// fusion reads its operands and writes its outputs; other callers count what they call.
#ifndef HLOSCOPE_CORE_ANALYSIS_COST_H_
#define HLOSCOPE_CORE_ANALYSIS_COST_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/call_graph.h"
#include "core/analysis/trip_count.h"
#include "core/ir/module.h"

namespace hloscope {

// Saturating.
struct Cost {
  int64_t flops = 0;
  int64_t transcendentals = 0;
  int64_t bytes_read = 0, bytes_written = 0;

  int64_t bytes() const;
  Cost& operator+=(const Cost& other);
  Cost Times(int64_t n) const;
  friend bool operator==(const Cost&, const Cost&) = default;
};

class CostAnalysis {
 public:
  // O(instructions + operands). The module must outlive the object.
  CostAnalysis(const Module& module, const CallGraph& calls);

  // What Of(id) would say, without analysing the module: in time linear in the computations that the instruction calls.
  // Nothing if those hold more than `limit` instructions.
  static std::optional<Cost> OfOne(const Module& module, InstructionId id, size_t limit);

  // Of one execution, what it calls included.
  const Cost& Of(InstructionId id) const { return instructions_[id.index()]; }
  // Of one execution of the whole computation.
  const Cost& Of(ComputationId id) const { return computations_[id.index()]; }
  // How often the instruction runs in one run of the entry computation, as far as trip counts are known: the product of
  // the trip counts around it, for every call that leads to it. 0 if nothing calls its computation; 1 for what is
  // called element by element or is part of a fusion, since the caller counts it.
  int64_t Runs(ComputationId id) const { return runs_[id.index()]; }
  // Loops without a known trip count, which are counted once.
  int64_t unknown_trip_counts() const { return unknown_trip_counts_; }

 private:
  // Knows nothing yet.
  explicit CostAnalysis(const Module& module) : module_(module), computations_(module.computations().size()) {}

  Cost OwnCost(InstructionId id) const;
  int64_t ShapeBytes(ShapeId id) const;
  int64_t BytesOf(InstructionId id) const;
  // Operations of one application of the computation that the attribute names; 1 if it does nothing.
  int64_t Applied(InstructionId id, AttributeKind attribute) const;

  const Module& module_;
  std::vector<int64_t> shape_bytes_;  // empty: computed when they are needed
  std::vector<Cost> instructions_, computations_;
  std::vector<int64_t> runs_;
  int64_t unknown_trip_counts_ = 0;
};

// True for elementwise opcodes that take a function of the libm kind.
bool IsTranscendental(Opcode opcode);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_COST_H_
