// SPDX-License-Identifier: Apache-2.0
// How elements of HLO types appear in generated C++: as they are stored, and as numbers that functions compute with.
#ifndef HLOSCOPE_CODEGEN_CPP_TYPES_H_
#define HLOSCOPE_CODEGEN_CPP_TYPES_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/ir/literal.h"

namespace hloscope::codegen {

// "ElementType::kF8E4M3FN".
std::string EnumeratorOf(ElementType type);
// The C++ type of one element in memory: "uint16_t" for bf16, "int8_t" for s4. Requires an array element type.
std::string StoredType(ElementType type);
// The C++ type that computes with it (docs/ops/elementwise.md 1.7): "float" for bf16.
std::string NumberType(ElementType type);
// Bytes of an element of such a type in memory. Requires StoredType's or BitsType's text.
int64_t BytesOfStored(absl::string_view stored_type);
// An unsigned type of as many bytes, for elements that are only moved.
std::string BitsType(int bytes);

// The number that a stored element stands for.
std::string Loaded(ElementType type, absl::string_view stored);
// The stored element of a number that the type can hold.
std::string Stored(ElementType type, absl::string_view number);
// A number of the type's number type (or a double, for floats narrower than f32), rounded or wrapped to the type.
std::string Rounded(ElementType type, absl::string_view number);
// `convert` from one type to another (9.1): number to number.
std::string Converted(ElementType from, ElementType to, absl::string_view number);

// The number of an element as C++ text; `element` points to its StorageBytes.
std::string NumberText(ElementType type, const uint8_t* element);

// As a C++ string literal.
std::string Quoted(absl::string_view text);
// Elements by position, in one form for all sizes: "{3, 4}".
std::string BracedList(absl::Span<const int64_t> values);
int64_t ProductOf(absl::Span<const int64_t> sizes);
std::vector<int64_t> RowMajorStridesOf(absl::Span<const int64_t> sizes);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_CPP_TYPES_H_
