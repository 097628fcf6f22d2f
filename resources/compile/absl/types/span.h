// Stands for Abseil's header in compiled programs, which need nothing but the standard library.
#ifndef ABSL_TYPES_SPAN_H_
#define ABSL_TYPES_SPAN_H_
#include <span>
namespace absl {
template <typename T>
using Span = std::span<T>;
}
#endif
