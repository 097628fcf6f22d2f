// SPDX-License-Identifier: Apache-2.0
// Spelling of attribute values, and which attributes print (docs/text-format.md 7.4, 7.5).
#ifndef HLOSCOPE_CORE_PRINT_ATTRIBUTE_PRINTER_H_
#define HLOSCOPE_CORE_PRINT_ATTRIBUTE_PRINTER_H_

#include <string>

#include "core/ir/module.h"
#include "core/print/print_options.h"

namespace hloscope {

// True if the attribute prints: it is one that always does (bold in the table of 7.5), or it is present and differs
// from its default. Options of the printer are not considered. For an attribute of the instruction's opcode or a common
// one.
bool AttributePrints(const Module& module, InstructionId id, AttributeKind kind);

// The value after `name=`, for every attribute but those that name instructions or computations, which the printer of
// instructions spells. An absent attribute that prints nevertheless has its default.
void AppendAttributeValue(const Module& module, InstructionId id, AttributeKind kind, const PrintOptions& options,
                          std::string* out);

// `{key="value",other={...}}`.
void AppendFrontendAttributes(const FrontendAttributes& attributes, std::string* out);
// `b01f_01io->b01f`; as the labels are written, if they are, else from the positions.
void AppendDimLabels(const ConvolutionDimensionNumbers& numbers, std::string* out);
// `{0,1}`.
void AppendShapeIndex(const ShapeIndex& index, std::string* out);
// `{"name" {1}}` or `{}`.
void AppendOriginArray(const OriginArray& array, std::string* out);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_ATTRIBUTE_PRINTER_H_
