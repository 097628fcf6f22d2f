// SPDX-License-Identifier: Apache-2.0
// Limits of time in tests of what must be quick.
#ifndef HLOSCOPE_TESTS_SUPPORT_TIME_LIMIT_H_
#define HLOSCOPE_TESTS_SUPPORT_TIME_LIMIT_H_

namespace hloscope {

// `seconds`, or many times as much under a sanitizer, which makes everything slow.
constexpr double TimeLimit(double seconds) {
#ifdef __SANITIZE_ADDRESS__
  return 20 * seconds;
#else
  return seconds;
#endif
}

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_TIME_LIMIT_H_
