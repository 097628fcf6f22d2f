// SPDX-License-Identifier: Apache-2.0
// One folder of the shared vectors: a module, arguments, and what it should compute.
#ifndef HLOSCOPE_TESTS_SUPPORT_VECTOR_CASE_H_
#define HLOSCOPE_TESTS_SUPPORT_VECTOR_CASE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/ir/shape.h"
#include "tests/support/compare_values.h"

namespace hloscope {

struct VectorCase {
  struct Parameter {
    Shape shape;
    std::string path;
  };
  struct Result {
    Shape shape;
    std::string path;
    ComparisonRule rule;
  };
  std::string name;
  std::string directory;
  std::string module_path;
  std::vector<Parameter> parameters;
  std::vector<Result> results;
  std::vector<std::string> opcodes;
  int64_t replica_count = 1;
  int64_t num_partitions = 1;

  // The file of one device: `path` with the device's suffix if there are several and that file exists.
  std::string PathOf(const std::string& path, int64_t device) const;

  // Errors: InvalidArgument if case.json is not as its README says.
  static absl::StatusOr<VectorCase> Load(const std::string& directory);
};

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_VECTOR_CASE_H_
