// Stands for Abseil's header in compiled programs, which need nothing but the standard library.
#ifndef ABSL_FUNCTIONAL_FUNCTION_REF_H_
#define ABSL_FUNCTIONAL_FUNCTION_REF_H_
#include <type_traits>
#include <utility>
namespace absl {

template <typename Signature>
class FunctionRef;

// A function that somebody else owns.
template <typename Result, typename... Args>
class FunctionRef<Result(Args...)> {
 public:
  template <typename F, typename = std::enable_if_t<!std::is_same_v<std::decay_t<F>, FunctionRef>>>
  FunctionRef(F&& function)  // NOLINT: meant to convert
      : object_(const_cast<void*>(static_cast<const void*>(&function))),
        call_([](void* object, Args... args) -> Result {
          return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<Args>(args)...);
        }) {}
  Result operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  Result (*call_)(void*, Args...);
};

}  // namespace absl
#endif
