// Stands for Abseil's header in compiled programs, which need nothing but the standard library.
#ifndef ABSL_STATUS_STATUS_H_
#define ABSL_STATUS_STATUS_H_
namespace absl {

// Good, or a message that lives as long as the program.
class Status {
 public:
  Status() = default;
  explicit Status(const char* message) : message_(message) {}
  bool ok() const { return message_ == nullptr; }
  void IgnoreError() const {}
  const char* message() const { return ok() ? "" : message_; }

 private:
  const char* message_ = nullptr;
};
inline Status OkStatus() { return Status(); }
inline Status CancelledError(const char* message) { return Status(message); }
inline Status ResourceExhaustedError(const char* message) { return Status(message); }

}  // namespace absl
#endif
