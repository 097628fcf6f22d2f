// SPDX-License-Identifier: Apache-2.0
// A run of a module that can be stepped: the only way to evaluate anything (`hloscope run` is a session that never
// stops).
#ifndef HLOSCOPE_EVALUATOR_ENGINE_SESSION_H_
#define HLOSCOPE_EVALUATOR_ENGINE_SESSION_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/ir/module.h"
#include "evaluator/engine/breakpoint_set.h"
#include "evaluator/engine/execution.h"
#include "evaluator/engine/inspection.h"
#include "evaluator/engine/intervention.h"
#include "evaluator/engine/session_options.h"
#include "evaluator/engine/time_travel.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

// To evaluate a module: Create, SetArgument for each parameter, Run, result. The other parts are for those who watch or
// steer the run; who needs only one of them takes only that one. They live as long as the session.
//
// Not thread-safe, but for RequestPause and Cancel.
class Session : public Execution {
 public:
  // Errors: InvalidArgument if the module has no readable entry computation.
  static absl::StatusOr<std::unique_ptr<Session>> Create(std::shared_ptr<const Module> module, SessionOptions options);

  virtual const Module& module() const = 0;

  // Value of entry parameter `number`. Error InvalidArgument, with both shapes, if it does not fit the parameter.
  virtual absl::Status SetArgument(int64_t number, Value value) = 0;

  // The same, made when something first reads it. A session that is repeated or restarted makes it once. What `make`
  // returns is checked then; its errors end the run.
  virtual absl::Status SetArgumentMaker(int64_t number, ValueMaker make) = 0;

  virtual const Inspection& inspection() const = 0;
  virtual BreakpointSet& breakpoints() = 0;
  virtual TimeTravel& time_travel() = 0;
  virtual Intervention& intervention() = 0;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_SESSION_H_
