// SPDX-License-Identifier: Apache-2.0
#include "interop/files/parse_message.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/text_format.h"
#include "interop/wire/wire.h"

namespace hloscope::interop {
namespace {

constexpr size_t kMaxNotes = 1000;

class Collector : public google::protobuf::io::ErrorCollector {
 public:
  explicit Collector(std::vector<std::string>* notes) : notes_(notes) {}
  void AddError(int line, google::protobuf::io::ColumnNumber column, const std::string& message) override {
    if (first_.empty()) first_ = absl::StrCat("line ", line + 1, ", column ", column + 1, ": ", message);
  }
  void AddWarning(int line, google::protobuf::io::ColumnNumber column, const std::string& message) override {
    if (notes_->size() < kMaxNotes) {
      notes_->push_back(absl::StrCat("line ", line + 1, ", column ", column + 1, ": ", message));
    }
  }
  const std::string& first() const { return first_; }

 private:
  std::vector<std::string>* notes_;
  std::string first_;
};

}  // namespace

absl::Status ParseBinary(absl::string_view bytes, google::protobuf::Message* message) {
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return absl::ResourceExhaustedError(
        absl::StrCat("a message holds at most 2 GiB, this one has ", bytes.size(), " bytes"));
  }
  if (message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return absl::OkStatus();
  return absl::InvalidArgumentError(FirstFault(bytes, *message->GetDescriptor(), bytes));
}

absl::Status ParseText(absl::string_view text, google::protobuf::Message* message, std::vector<std::string>* notes) {
  if (text.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return absl::ResourceExhaustedError("a text of more than 2 GiB");
  }
  google::protobuf::TextFormat::Parser parser;
  Collector collector(notes);
  parser.RecordErrorsTo(&collector);
  parser.AllowUnknownField(true);
  parser.AllowUnknownExtension(true);
  parser.AllowPartialMessage(true);
  parser.SetRecursionLimit(100);
  google::protobuf::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  if (parser.Parse(&stream, message)) return absl::OkStatus();
  return absl::InvalidArgumentError(collector.first().empty() ? "no text proto" : collector.first());
}

absl::Status ParseMessage(absl::string_view bytes, bool is_text, google::protobuf::Message* message,
                          std::vector<std::string>* notes) {
  return is_text ? ParseText(bytes, message, notes) : ParseBinary(bytes, message);
}

}  // namespace hloscope::interop
