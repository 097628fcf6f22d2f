// SPDX-License-Identifier: Apache-2.0
// Shapes and lists of numbers given as words of the command line.
#ifndef HLOSCOPE_CLI_SHAPE_ARGUMENT_H_
#define HLOSCOPE_CLI_SHAPE_ARGUMENT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cli/arguments.h"
#include "core/diagnostics/diagnostic.h"
#include "core/ir/shape.h"
#include "core/source/source_text.h"

namespace hloscope::cli {

struct ShapeArgument {
  std::shared_ptr<const SourceText> source;
  Shape shape;

  // Where the array, token or opaque with this number is, in depth-first order from 0.
  SourceRange LeafRange(int64_t leaf) const;
  // Where size `d` of a shape that is one array is written.
  SourceRange DimensionRange(int64_t d) const;
};

// Reads one shape. After a diagnostic, which is printed on standard error with its position in `text`, nothing: the
// command then returns kExitBadInput. `name` is what diagnostics call the text. `arguments` must have a valid --color.
std::optional<ShapeArgument> ReadShapeArgument(const Arguments& arguments, absl::string_view name,
                                               const std::string& text);

// Prints what is wrong with a word of the command line on standard error: "LHS:1:5: error: MESSAGE", the word and
// carets.
void PrintArgumentError(const Arguments& arguments, const SourceText& source, SourceRange range,
                        absl::string_view message);

// The value of an option "0,2,1" (also empty, with braces around it, or with spaces); nullopt if it is not given. Error
// InvalidArgument, for the user.
absl::StatusOr<std::optional<std::vector<int64_t>>> IntListOption(const Arguments& arguments, absl::string_view option);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_SHAPE_ARGUMENT_H_
