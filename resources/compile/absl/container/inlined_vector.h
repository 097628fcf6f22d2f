// Stands for Abseil's header in compiled programs, which need nothing but the standard library.
#ifndef ABSL_CONTAINER_INLINED_VECTOR_H_
#define ABSL_CONTAINER_INLINED_VECTOR_H_
#include <vector>
namespace absl {
template <typename T, int kInline>
using InlinedVector = std::vector<T>;
}
#endif
