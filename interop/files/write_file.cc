// SPDX-License-Identifier: Apache-2.0
#include "interop/files/write_file.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/print/printer.h"
#include "google/protobuf/arena.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/text_format.h"
#include "interop/files/assignment_ids.h"
#include "interop/files/unknown_fields.h"
#include "interop/hlo_proto/literals.h"
#include "interop/hlo_proto/module_writer.h"

namespace hloscope::interop {
namespace {

absl::StatusOr<std::string> Serialized(const google::protobuf::Message& message) {
  const size_t size = message.ByteSizeLong();
  if (size > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return absl::ResourceExhaustedError(absl::StrCat("a message holds at most 2 GiB, this one takes ", size, " bytes"));
  }
  std::string bytes;
  bytes.reserve(size);
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializeWithCachedSizes(&coded);
  coded.Trim();
  return bytes;
}

absl::StatusOr<std::string> Printed(const google::protobuf::Message& message) {
  std::string text;
  google::protobuf::TextFormat::Printer printer;
  if (!printer.PrintToString(message, &text)) return absl::InternalError("the message cannot be printed");
  return text;
}

// Sums that end at the largest number.
int64_t Plus(int64_t a, int64_t b) {
  return a > std::numeric_limits<int64_t>::max() - b ? std::numeric_limits<int64_t>::max() : a + b;
}

int64_t Times(int64_t a, int64_t factor) {
  return a > std::numeric_limits<int64_t>::max() / factor ? std::numeric_limits<int64_t>::max() : a * factor;
}

// What literals and shapes take beside the elements, as they are and as messages: measured.
constexpr int64_t kBytesOfLiteral = 1200, kBytesOfShape = 450;

struct ValueSize {
  int64_t elements = 0, bytes = 0;
  // Of tuples and arrays. Each literal has its whole shape, so that those of nested ones are there again and again.
  int64_t literals = 0, shapes = 0;

  int64_t Overhead() const { return Plus(Times(literals, kBytesOfLiteral), Times(shapes, kBytesOfShape)); }
};

// Returns how many shapes there are in `shape`, and adds what a literal of it has.
int64_t AddSize(const Shape& shape, ValueSize* size) {
  int64_t within = 1;
  for (const Shape& element : shape.elements()) within = Plus(within, AddSize(element, size));
  size->literals = Plus(size->literals, 1);
  size->shapes = Plus(size->shapes, within);
  if (!shape.IsArray()) return within;
  const int64_t count = shape.ElementCount();
  size->elements = Plus(size->elements, count);
  size->bytes = Plus(size->bytes, Times(count, std::max(StorageBytes(shape.element_type()), 1)));
  return within;
}

void AddSize(const Literal& literal, ValueSize* size) {
  for (const Literal& element : literal.elements()) AddSize(element, size);
  if (literal.elements().empty() && !literal.IsElided()) AddSize(literal.shape(), size);
}

}  // namespace

std::optional<OutputForm> OutputFormOf(absl::string_view path) {
  static constexpr struct {
    absl::string_view suffix;
    OutputForm form;
  } kSuffixes[] = {{".hlo_snapshot.pb", OutputForm::kSnapshot},
                   {".pb", OutputForm::kProto},
                   {".pbtxt", OutputForm::kTextProto},
                   {".textproto", OutputForm::kTextProto},
                   {".txtpb", OutputForm::kTextProto},
                   {".hlo", OutputForm::kText},
                   {".txt", OutputForm::kText}};
  absl::ConsumeSuffix(&path, ".gz");
  for (const auto& row : kSuffixes) {
    if (absl::EndsWith(path, row.suffix)) return row.form;
  }
  return std::nullopt;
}

bool IsCompressedName(absl::string_view path) { return absl::EndsWith(path, ".gz"); }

PrintOptions MadeTextStyle() {
  PrintOptions options = PrintOptions::Dump();
  options.large_constants = options.keep_written_digits = true;
  options.keep_written_tuple_access = true;
  options.keep_written_async_sugar = true;
  return options;
}

int64_t BytesToEncode(const Module& module, OutputForm form) {
  if (form == OutputForm::kText) return 0;
  ValueSize constants, recorded;
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    if (module.instruction(id).literal.has_value()) AddSize(module.literal(id), &constants);
  }
  if (form == OutputForm::kTextProto) {
    // Each element is a line with its name and indentation.
    constexpr int64_t kLine = 24;
    return Plus(constants.bytes, Times(constants.elements, kLine));
  }
  if (form == OutputForm::kSnapshot && module.entry().has_value()) {
    const Computation& entry = module.computation(module.entry());
    for (InstructionId parameter : entry.parameters) {
      if (parameter.has_value()) AddSize(module.shape(parameter), &recorded);
    }
    if (entry.root.has_value()) AddSize(module.shape(entry.root), &recorded);
  }
  // As a message and as bytes; what is recorded is a literal before, which is gone when there are bytes.
  return Plus(Plus(Times(constants.bytes, 2), Times(recorded.bytes, 2)), recorded.Overhead());
}

absl::StatusOr<std::string> EncodeModule(const Module& module, OutputForm form, RecordedValues values,
                                         ReadProto* read_from) {
  if (form == OutputForm::kText) return PrintModule(module, MadeTextStyle());
  google::protobuf::Arena arena;
  auto* snapshot = google::protobuf::Arena::CreateMessage<proto::HloSnapshot>(&arena);
  proto::HloProto* hlo = snapshot->mutable_hlo();
  if (const absl::Status status = WriteHloModule(module, hlo->mutable_hlo_module()); !status.ok()) return status;
  if (read_from != nullptr) {
    if (read_from->buffer_assignment != nullptr) {
      read_from->lost_assignment = PutAssignment(*read_from->buffer_assignment, *read_from->instruction_names, hlo);
    }
    read_from->lost_fields = CopyUnknownFields(read_from->bytes, snapshot);
  }
  if (form == OutputForm::kProto) return Serialized(*hlo);
  if (form == OutputForm::kTextProto) return Printed(*hlo);
  // Each value is given back when the message has it.
  for (Literal& argument : values.arguments) {
    const Literal taken = std::move(argument);
    if (const absl::Status s = LiteralToProto(taken, snapshot->add_arguments()); !s.ok()) return s;
  }
  if (values.result) {
    if (const absl::Status s = LiteralToProto(*values.result, snapshot->mutable_result()); !s.ok()) return s;
    values.result.reset();
  }
  return Serialized(*snapshot);
}

}  // namespace hloscope::interop
