// SPDX-License-Identifier: Apache-2.0
// Element types of HLO arrays and their names (docs/text-format.md 4.1).
#ifndef HLOSCOPE_CORE_IR_ELEMENT_TYPE_H_
#define HLOSCOPE_CORE_IR_ELEMENT_TYPE_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "numerics/elements/element_type.h"

namespace hloscope {

using numerics::BitWidth;
using numerics::ComplexComponent;
using numerics::ComplexOf;
using numerics::ElementKind;
using numerics::ElementType;
using numerics::FloatFormat;
using numerics::FloatFormatOf;
using numerics::IsArrayElement;
using numerics::IsComplex;
using numerics::IsFloat;
using numerics::IsInteger;
using numerics::IsSigned;
using numerics::IsUnsigned;
using numerics::KindOf;
using numerics::StorageBytes;
using numerics::WiderType;

// The text name ("f32"); "tuple" and "buffer" for the two types without a spelling; "invalid" for kInvalid.
absl::string_view ElementTypeName(ElementType type);

// The type that `name` spells, if any. Case-sensitive.
std::optional<ElementType> ElementTypeFromName(absl::string_view name);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_ELEMENT_TYPE_H_
