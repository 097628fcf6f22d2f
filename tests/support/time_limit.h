// SPDX-License-Identifier: Apache-2.0
// Limits of time in tests of what must be quick.
#ifndef HLOSCOPE_TESTS_SUPPORT_TIME_LIMIT_H_
#define HLOSCOPE_TESTS_SUPPORT_TIME_LIMIT_H_

namespace hloscope {

// Whether the program is built with a sanitizer, which makes everything slow.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif

// `seconds`, or many times as much under a sanitizer.
constexpr double TimeLimit(double seconds) { return kIsSanitized ? 20 * seconds : seconds; }

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_TIME_LIMIT_H_
