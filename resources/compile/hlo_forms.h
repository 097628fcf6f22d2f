// SPDX-License-Identifier: Apache-2.0
// Functions that have a branch-free form for most arguments, which loops compute in vectors; where an argument was not
// among those, the loop computes its lanes once more. Generated code calls `Of<Function>(form, x)`: `form` says which
// form is meant.
#ifndef HLO_FORMS_H_
#define HLO_FORMS_H_

#include <concepts>
#include <cstdint>

#include "numerics/elements/double_math.h"
#include "numerics/elements/elementwise_functions.h"
#include "numerics/elements/float_math.h"
#include "numerics/elements/float_remainder.h"

namespace hlo {

namespace numerics = hloscope::numerics;

// Every argument is served: what holds wherever a loop says nothing else.
struct EveryArgument {};
inline constexpr EveryArgument form;

// Some arguments may not be served, which is remembered.
class MostArguments {
 public:
  bool all_served() const { return (floats_ | doubles_) == 0; }
  // As wide as the numbers, so that a loop over both is one of whole vectors.
  void Note(float, bool is_served) { floats_ |= is_served ? 0 : 1; }
  void Note(double, bool is_served) { doubles_ |= is_served ? 0 : 1; }

 private:
  int32_t floats_ = 0;
  int64_t doubles_ = 0;
};

template <typename Function, typename... T>
inline auto Of(const EveryArgument&, T... x) {
  return Function()(x...);
}

#define HLO_FORM inline __attribute__((always_inline))

// An angle x: `Name##OfModerate` serves moderate ones.
#define HLO_ANGLE_FORM(Name)                                 \
  template <std::same_as<numerics::elementwise::Name>>       \
  HLO_FORM float Of(MostArguments& form, float x) {          \
    form.Note(x, numerics::float_math::IsModerateAngle(x));  \
    return numerics::float_math::Name##OfModerate(x);        \
  }                                                          \
  template <std::same_as<numerics::elementwise::Name>>       \
  HLO_FORM double Of(MostArguments& form, double x) {        \
    form.Note(x, numerics::double_math::IsModerateAngle(x)); \
    return numerics::double_math::Name##OfModerate(x);       \
  }
HLO_ANGLE_FORM(Sine)
HLO_ANGLE_FORM(Cosine)
HLO_ANGLE_FORM(Tan)
#undef HLO_ANGLE_FORM

#ifdef __FMA__
HLO_FORM float RemainderOfMost(float x, float y) { return numerics::float_math::FusedRemainderOfNear(x, y); }
#else
HLO_FORM float RemainderOfMost(float x, float y) { return numerics::float_math::RemainderOfNear(x, y); }
#endif
HLO_FORM double RemainderOfMost(double x, double y) { return numerics::float_math::RemainderOfNear(x, y); }
template <std::same_as<numerics::elementwise::Remainder>, std::floating_point T>
HLO_FORM T Of(MostArguments& form, T x, T y) {
  const T result = RemainderOfMost(x, y);
  form.Note(result, result == result);
  return result;
}

template <std::same_as<numerics::elementwise::Power>>
HLO_FORM float Of(MostArguments& form, float x, float y) {
  form.Note(x, numerics::float_math::IsRegularPower(x, y));
  return numerics::float_math::RegularPower(x, y);
}

#undef HLO_FORM

}  // namespace hlo

#endif  // HLO_FORMS_H_
