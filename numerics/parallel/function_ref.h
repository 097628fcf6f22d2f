// SPDX-License-Identifier: Apache-2.0
// A function that somebody else owns, as a parameter.
#ifndef HLOSCOPE_NUMERICS_PARALLEL_FUNCTION_REF_H_
#define HLOSCOPE_NUMERICS_PARALLEL_FUNCTION_REF_H_

#include <memory>
#include <type_traits>
#include <utility>

namespace hloscope::numerics {

template <typename Signature>
class FunctionRef;

// Refers to a function object, which must live as long as it is called through this. Never empty.
template <typename Result, typename... Args>
class FunctionRef<Result(Args...)> {
 public:
  template <typename F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> && std::is_invocable_r_v<Result, F&, Args...>)
      FunctionRef(F&& function)  // NOLINT: meant to convert
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(function)))),
        call_([](void* object, Args... args) -> Result {
          return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<Args>(args)...);
        }) {}

  Result operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  Result (*call_)(void*, Args...);
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_PARALLEL_FUNCTION_REF_H_
