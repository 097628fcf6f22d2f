// Stands for Abseil's header in compiled programs, which need nothing but the standard library.
#ifndef ABSL_STRINGS_STRING_VIEW_H_
#define ABSL_STRINGS_STRING_VIEW_H_
#include <string_view>
namespace absl {
using string_view = std::string_view;
}
#endif
