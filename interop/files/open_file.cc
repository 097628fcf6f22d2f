// SPDX-License-Identifier: Apache-2.0
#include "interop/files/open_file.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/document/module_text.h"
#include "core/print/printer.h"
#include "core/source/file_reader.h"
#include "google/protobuf/arena.h"
#include "interop/files/assignment_ids.h"
#include "interop/files/gzip.h"
#include "interop/files/joined_files.h"
#include "interop/files/mapped_file.h"
#include "interop/files/parse_message.h"
#include "interop/files/split_modules.h"
#include "interop/files/write_file.h"
#include "interop/hlo_proto/ids.h"
#include "interop/hlo_proto/module_reader.h"
#include "interop/proto/containers.pb.h"
#include "interop/wire/take_apart.h"
#include "interop/wire/wire.h"

namespace hloscope::interop {
namespace {

// The number of the module in the messages that hold one, all of them the same.
constexpr int kModuleField = 1;

// With instructions whose opcodes are words that nobody knows.
std::string PrintRead(const ReadModule& read) {
  const PrintedModule printed = PrintModuleWithPositions(read.module, MadeTextStyle());
  std::string text;
  size_t at = 0;
  for (const PrintedModule::Part& part : printed.parts) {
    if (part.kind != PrintedModule::Part::Kind::kInstruction) continue;
    const auto unknown = std::find_if(read.unknown_opcodes.begin(), read.unknown_opcodes.end(),
                                      [&](const auto& entry) { return entry.first == part.instruction; });
    if (unknown == read.unknown_opcodes.end()) continue;
    const std::string before = absl::StrCat(read.module.shape(part.instruction).ToStringWithDefaultLayouts(), " ");
    const std::string opcode(OpcodeName(Opcode::kInvalid));
    const size_t found = printed.text.find(absl::StrCat(before, opcode, "("), part.begin);
    if (found == std::string::npos || found >= part.end) continue;
    text.append(printed.text, at, found + before.size() - at).append(unknown->second);
    at = found + before.size() + opcode.size();
  }
  return text.append(printed.text, at);
}

// Nothing is printed and read again where the module says it all. The text has the module of `read` then.
std::shared_ptr<const SourceText> TextOf(const std::string& name, ReadModule* read) {
  if (read->unknown_opcodes.empty()) {
    if (auto made = ModuleText::Of(&read->module, MadeTextStyle())) return SourceText::Later(name, std::move(made));
  }
  return SourceText::FromString(name, PrintRead(*read));
}

// Of the text of a module, at least: protos name instructions by numbers, texts by names, which may be long.
uint64_t BytesOfNames(const Module& module) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    bytes += module.InstructionName(id).size();
    for (InstructionId operand : module.operands(id)) {
      if (operand.has_value()) bytes += module.InstructionName(operand).size();
    }
    for (InstructionId before : module.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) {
      if (before.has_value()) bytes += module.InstructionName(before).size();
    }
    module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
      if (callee.has_value()) bytes += module.ComputationName(callee).size();
    });
  }
  return bytes;
}

// Of binary files that hold a module.
const google::protobuf::Descriptor* MessageType(FileKind kind) {
  switch (kind) {
    case FileKind::kModule:
      return proto::HloModuleProto::descriptor();
    case FileKind::kHloProto:
      return proto::HloProto::descriptor();
    case FileKind::kModuleWithConfig:
      return proto::HloModuleProtoWithConfig::descriptor();
    case FileKind::kSnapshot:
      return proto::HloSnapshot::descriptor();
    case FileKind::kUnoptimizedSnapshot:
    case FileKind::kDelimitedSnapshot:
      return proto::HloUnoptimizedSnapshot::descriptor();
    case FileKind::kHloText:
    case FileKind::kExecutable:
    case FileKind::kLiterals:
    case FileKind::kLiteralsList:
    case FileKind::kAutotuneResults:
    case FileKind::kPassMetadata:
    case FileKind::kMemoryReport:
    case FileKind::kProfile:
    case FileKind::kUnknown:
      break;
  }
  return nullptr;
}

class FileOpener {
 public:
  FileOpener(std::string name, absl::string_view bytes, std::shared_ptr<const void> owner, const DetectedFile& detected,
             const OpenFileOptions& options)
      : name_(std::move(name)), bytes_(bytes), owner_(std::move(owner)), detected_(detected), options_(options) {
    file_.kind = detected.kind;
    file_.is_proto = true;
  }

  absl::StatusOr<OpenedFile> Open() {
    const absl::Status status = OpenKind();
    if (!status.ok()) return status;
    return std::move(file_);
  }

 private:
  // A message and the bytes of the module in it, which the message does not have.
  template <typename Message>
  struct WithModule {
    Message* message;
    absl::string_view module;
  };

  absl::Status OfKind(const absl::Status& status) const {
    return absl::Status(status.code(), absl::StrCat(FileKindName(detected_.kind), ": ", status.message()));
  }

  // Messages are read whole where they are small, or texts.
  template <typename Message>
  absl::StatusOr<Message*> Parse(absl::string_view bytes) {
    Message* message = google::protobuf::Arena::CreateMessage<Message>(&arena_);
    std::vector<std::string> unknown;
    const absl::Status status = ParseMessage(bytes, detected_.is_text, message, &unknown);
    if (!status.ok()) return OfKind(status);
    if (options_.list_unknown_fields) ListUnknown(bytes, *message, std::move(unknown));
    return message;
  }

  // The module may be most of the message: it is left for the reader of modules.
  template <typename Message>
  absl::StatusOr<WithModule<Message>> ParseAround(absl::string_view bytes) {
    if (detected_.is_text) {
      const absl::StatusOr<Message*> message = Parse<Message>(bytes);
      if (!message.ok()) return message.status();
      const absl::string_view module = Own((*message)->hlo_module().SerializeAsString());
      (*message)->clear_hlo_module();
      return WithModule<Message>{*message, module};
    }
    Message* message = google::protobuf::Arena::CreateMessage<Message>(&arena_);
    absl::string_view module;
    const auto is_module = [](uint32_t number) { return number == kModuleField; };
    const auto take = [&](const WireField& field) {
      module = module.empty() ? field.bytes : Joined(module, field.bytes);
      return true;
    };
    if (!TakeApart(bytes, message, is_module, take) && !TakeUncut(bytes, message, &module)) {
      // Some of what XLA never writes is good for the library of protocol buffers all the same.
      const absl::Status status = ParseBinary(bytes, message);
      if (!status.ok()) return OfKind(status);
      module = Own(message->hlo_module().SerializeAsString());
    }
    if (options_.list_unknown_fields) ListUnknown(bytes, *message, {});
    return WithModule<Message>{message, module};
  }

  // Of a message that is cut off after its module: the module, and the fields that are whole. False if this is none, or
  // if it has other damage; `message` is changed all the same.
  bool TakeUncut(absl::string_view bytes, google::protobuf::Message* message, absl::string_view* module) {
    message->Clear();
    *module = {};
    WireReader reader(bytes, /*lenient=*/true);
    WireField field;
    while (reader.Next(&field) && !reader.was_cut()) {
      if (field.number == kModuleField && field.type == WireType::kBytes) {
        *module = module->empty() ? field.bytes : Joined(*module, field.bytes);
      } else if (!MergeBytes(bytes.substr(field.offset, reader.end() - field.offset), message)) {
        return false;
      }
    }
    if (module->empty() || !reader.was_cut() || field.number == kModuleField) return false;
    NoteCut(*message->GetDescriptor(), field.number);
    return true;
  }

  void NoteCut(const google::protobuf::Descriptor& type, uint32_t number) {
    const google::protobuf::FieldDescriptor* field = type.FindFieldByNumber(static_cast<int>(number));
    file_.notes.push_back(absl::StrCat(
        "the file is cut off: ", field != nullptr ? std::string(field->name()) : absl::StrCat("field ", number),
        " is not complete and is left out"));
  }

  absl::string_view Own(std::string bytes) { return owned_.emplace_back(std::move(bytes)); }

  // A message that comes in parts is that of all their bytes. What was joined before grows, as there may be many parts.
  absl::string_view Joined(absl::string_view begin, absl::string_view part) {
    if (owned_.empty() || begin.data() != owned_.back().data()) owned_.emplace_back(begin);
    return owned_.back().append(part.data(), part.size());
  }

  void ListUnknown(absl::string_view bytes, const google::protobuf::Message& message,
                   std::vector<std::string> of_text) {
    for (std::string& line : of_text) file_.unknown_fields.push_back(std::move(line));
    if (detected_.is_text) return;
    const size_t base = static_cast<size_t>(bytes.data() - bytes_.data());
    WalkMessage(bytes, *message.GetDescriptor(), [&](const WireProblem& problem) {
      std::string line = problem.message;
      if (base > 0) absl::StrAppend(&line, " of the part that begins at byte ", base);
      file_.unknown_fields.push_back(std::move(line));
      return true;
    });
  }

  absl::Status OpenKind() {
    switch (detected_.kind) {
      case FileKind::kModule:
        return OpenModule();
      case FileKind::kHloProto:
        return OpenAround<proto::HloProto>([&](const auto& m) { return TakeProto(m, {{kModuleField, 0}}); });
      case FileKind::kModuleWithConfig:
        return OpenAround<proto::HloModuleProtoWithConfig>([&](const auto& m) {
          return Take(m.module, {{kModuleField, 0}}, &m.message->config());
        });
      case FileKind::kSnapshot:
        return detected_.is_text ? OpenAs<proto::HloSnapshot>([&](const auto& m) { return TakeSnapshot(m); })
                                 : OpenBinarySnapshot();
      case FileKind::kUnoptimizedSnapshot:
        return OpenAround<proto::HloUnoptimizedSnapshot>([&](const auto& m) { return TakeUnoptimized(m); });
      case FileKind::kDelimitedSnapshot:
        return OpenDelimited();
      case FileKind::kExecutable:
        return OpenAs<proto::ExecutableText>([&](const auto& m) { return TakeExecutable(m); });
      case FileKind::kHloText:
      case FileKind::kLiterals:
      case FileKind::kLiteralsList:
      case FileKind::kAutotuneResults:
      case FileKind::kPassMetadata:
      case FileKind::kMemoryReport:
      case FileKind::kProfile:
      case FileKind::kUnknown:
        break;
    }
    return absl::InvalidArgumentError(absl::StrCat("this holds no module: its kind is ", FileKindName(detected_.kind)));
  }

  template <typename Message, typename TakeMessage>
  absl::Status OpenAs(TakeMessage take) {
    absl::StatusOr<Message*> message = Parse<Message>(bytes_);
    return message.ok() ? take(**message) : message.status();
  }

  template <typename Message, typename TakeMessage>
  absl::Status OpenAround(TakeMessage take) {
    absl::StatusOr<WithModule<Message>> message = ParseAround<Message>(bytes_);
    return message.ok() ? take(*message) : message.status();
  }

  absl::Status OpenModule() {
    if (detected_.is_text) {
      return OpenAs<proto::HloModuleProto>([&](const auto& m) { return Take(Own(m.SerializeAsString()), {}); });
    }
    if (options_.list_unknown_fields) ListUnknown(bytes_, proto::HloModuleProto::default_instance(), {});
    return Take(bytes_, {});
  }

  // --- Modules ---

  using Path = std::vector<std::pair<uint32_t, int>>;

  // Makes the text of the module, which is at `path` in the file.
  absl::Status Take(absl::string_view module, const Path& path, const proto::HloModuleConfigProto* config = nullptr) {
    ProtoPlace place;
    absl::StatusOr<ReadModule> read = ReadHloModule(module, &place);
    if (absl::IsDataLoss(read.status())) return Damaged();
    if (!read.ok()) return Located(read.status(), path, place);
    const size_t most = options_.max_expanded_bytes > 0 ? options_.max_expanded_bytes : MaxExpandedBytes();
    const uint64_t bytes = read->most_name_bytes > most ? BytesOfNames(read->module) : 0;
    if (bytes > most) {
      return OfKind(absl::ResourceExhaustedError(
          absl::StrCat("the names of instructions alone, where the text repeats them, take ", bytes,
                       " bytes, and at most ", most, " are made")));
    }
    if (config != nullptr) ApplyConfig(*config, &read->module);
    std::move(read->notes.begin(), read->notes.end(), std::back_inserter(file_.notes));
    std::move(read->obstacles.begin(), read->obstacles.end(), std::back_inserter(file_.obstacles));
    if (file_.buffer_assignment != nullptr) {
      file_.instruction_names = InstructionNames(*file_.buffer_assignment, *read);
    }
    std::string name = read->module.header().name;
    file_.modules.push_back({std::move(name), TextOf(name_, &*read)});
    return absl::OkStatus();
  }

  // Which field is damaged, and at which byte.
  absl::Status Damaged() const {
    const google::protobuf::Descriptor* const type = MessageType(detected_.kind);
    if (detected_.is_text || type == nullptr) return OfKind(absl::InvalidArgumentError("the message is damaged"));
    const bool is_delimited = detected_.kind == FileKind::kDelimitedSnapshot;
    return OfKind(absl::InvalidArgumentError(FirstFault(is_delimited ? header_ : bytes_, *type, bytes_)));
  }

  absl::Status Located(const absl::Status& status, Path path, const ProtoPlace& place) const {
    if (place.computation >= 0) path.emplace_back(3, place.computation);
    if (place.instruction >= 0) path.emplace_back(2, place.instruction);
    const std::optional<size_t> offset = detected_.is_text ? std::nullopt : OffsetOf(bytes_, path);
    return absl::Status(status.code(),
                        offset ? absl::StrCat(status.message(), ", at byte ", *offset) : std::string(status.message()));
  }

  absl::Status TakeProto(const WithModule<proto::HloProto>& proto, const Path& path) {
    if (proto.message->has_buffer_assignment()) {
      file_.buffer_assignment =
          std::make_shared<const proto::BufferAssignmentProto>(std::move(*proto.message->mutable_buffer_assignment()));
    }
    return Take(proto.module, path);
  }

  absl::Status TakeExecutable(const proto::ExecutableText& message) {
    if (message.has_cpu_executable()) {
      const proto::CompilationResultProto& cpu = message.cpu_executable();
      file_.buffer_assignment = std::make_shared<const proto::BufferAssignmentProto>(cpu.buffer_assignment());
      return Take(Own(cpu.hlo_module().hlo_module().SerializeAsString()), {}, &cpu.hlo_module().config());
    }
    const proto::GpuExecutableProto& gpu = message.gpu_executable();
    file_.buffer_assignment = std::make_shared<const proto::BufferAssignmentProto>(gpu.buffer_assignment());
    return Take(Own(gpu.hlo_module_with_config().hlo_module().SerializeAsString()), {},
                &gpu.hlo_module_with_config().config());
  }

  // --- Snapshots ---

  LiteralData Keep(const proto::LiteralProto& literal) const {
    auto bytes = std::make_shared<const std::string>(literal.SerializeAsString());
    return LiteralData(LiteralData::Form::kMessage, *bytes, bytes);
  }

  absl::Status NoModule() const {
    return absl::InvalidArgumentError(
        absl::StrCat("this ", FileKindName(detected_.kind), " holds arguments, but no module"));
  }

  absl::Status TakeSnapshot(const proto::HloSnapshot& message) {
    Snapshot snapshot;
    std::vector<LiteralData>& arguments = snapshot.arguments.emplace_back();
    for (const proto::LiteralProto& argument : message.arguments()) arguments.push_back(Keep(argument));
    if (message.has_result()) snapshot.result = Keep(message.result());
    snapshot.platform = message.execution_platform();
    file_.snapshot = std::move(snapshot);
    if (!message.has_hlo()) return NoModule();
    proto::HloProto hlo = message.hlo();
    const absl::string_view module = Own(hlo.hlo_module().SerializeAsString());
    return TakeProto({&hlo, module}, {});
  }

  // Only what holds the module is read: the rest may be much larger.
  absl::Status OpenBinarySnapshot() {
    WireReader reader(bytes_, /*lenient=*/true);
    WireField field;
    Snapshot snapshot;
    snapshot.arguments.emplace_back();
    std::optional<absl::string_view> hlo;
    while (reader.Next(&field)) {
      // Arguments that are there are good without those that are missing; of the module there must be all.
      if (reader.was_cut() && field.number != 1) {
        NoteCut(*proto::HloSnapshot::descriptor(), field.number);
        break;
      }
      const LiteralData literal(LiteralData::Form::kMessage, field.bytes, owner_);
      if (field.number == 1) hlo = field.bytes;
      if (field.number == 2) snapshot.arguments[0].push_back(literal);
      if (field.number == 3) snapshot.result = literal;
      if (field.number == 4) snapshot.platform = std::string(field.bytes);
    }
    if (reader.fault()) {
      return absl::InvalidArgumentError(absl::StrCat("HloSnapshot: ", *reader.fault(), ", at byte ", reader.offset()));
    }
    file_.snapshot = std::move(snapshot);
    if (!hlo) return NoModule();
    const absl::StatusOr<WithModule<proto::HloProto>> proto = ParseAround<proto::HloProto>(*hlo);
    return proto.ok() ? TakeProto(*proto, {{1, 0}, {kModuleField, 0}}) : proto.status();
  }

  absl::Status TakeUnoptimized(const WithModule<proto::HloUnoptimizedSnapshot>& whole) {
    const proto::HloUnoptimizedSnapshot& message = *whole.message;
    if (message.version() != 0) return UnknownVersion(message.version());
    Snapshot snapshot;
    snapshot.are_shards = true;
    for (const proto::HloInputs& partition : message.partitions()) {
      std::vector<LiteralData>& arguments = snapshot.arguments.emplace_back();
      for (const proto::LiteralProto& argument : partition.arguments()) arguments.push_back(Keep(argument));
    }
    if (snapshot.arguments.empty()) snapshot.arguments.emplace_back();
    file_.snapshot = std::move(snapshot);
    return Take(whole.module, {{kModuleField, 0}});
  }

  static absl::Status UnknownVersion(int64_t version) {
    return absl::InvalidArgumentError(
        absl::StrCat("HloUnoptimizedSnapshot: version ", version, " is not known, only 0"));
  }

  absl::Status OpenDelimited() {
    absl::string_view rest = bytes_;
    const std::optional<uint64_t> size = TakeVarint(&rest);
    if (!size || *size > rest.size()) return absl::InvalidArgumentError("HloUnoptimizedSnapshot: truncated header");
    header_ = rest.substr(0, *size);
    rest.remove_prefix(*size);
    const auto whole = ParseAround<proto::HloUnoptimizedSnapshot>(header_);
    if (!whole.ok()) return whole.status();
    const proto::HloUnoptimizedSnapshot& message = *whole->message;
    if (message.version() != 0) return UnknownVersion(message.version());
    Snapshot snapshot;
    snapshot.are_shards = true;
    for (const proto::HloInputs& partition : message.partitions()) {
      std::vector<LiteralData>& arguments = snapshot.arguments.emplace_back();
      for (const auto& descriptor : partition.arguments_descriptors()) {
        if (descriptor.version() != 0) return UnknownVersion(descriptor.version());
        if (descriptor.argument_size_bytes() > rest.size()) {
          return absl::InvalidArgumentError(absl::StrCat("HloUnoptimizedSnapshot: argument ", arguments.size(),
                                                         " of partition ", snapshot.arguments.size() - 1, " has ",
                                                         descriptor.argument_size_bytes(), " bytes, but ", rest.size(),
                                                         " are left, at byte ", bytes_.size() - rest.size()));
        }
        arguments.emplace_back(LiteralData::Form::kRaw, rest.substr(0, descriptor.argument_size_bytes()), owner_);
        rest.remove_prefix(descriptor.argument_size_bytes());
      }
    }
    if (!rest.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("HloUnoptimizedSnapshot: ", rest.size(), " bytes are left over at the end"));
    }
    if (snapshot.arguments.empty()) snapshot.arguments.emplace_back();
    file_.snapshot = std::move(snapshot);
    return Take(whole->module, {{kModuleField, 0}});
  }

  const std::string name_;
  const absl::string_view bytes_;
  const std::shared_ptr<const void> owner_;  // of the bytes
  const DetectedFile detected_;
  const OpenFileOptions options_;
  google::protobuf::Arena arena_;
  std::deque<std::string> owned_;  // bytes of modules that are in no file
  absl::string_view header_;       // of a delimited snapshot
  OpenedFile file_;
};

// Each module of several has a text with as many lines in front of it as in the file.
absl::Status CheckModuleCount(const SourceText& source, const std::vector<ModulePart>& parts) {
  constexpr uint64_t kBytesOfLine = 5;  // of its end, and where it begins
  uint64_t bytes = 0;
  for (const ModulePart& part : parts) {
    bytes += kBytesOfLine * source.LineColumnAt(static_cast<uint32_t>(part.begin)).line;
  }
  if (bytes <= MostBytesOfStream()) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat(source.name(), ": ", parts.size(), " modules on ", source.line_count(),
                   " lines are too many to be opened at once: cut the file into several"));
}

absl::StatusOr<OpenedFile> OpenText(std::shared_ptr<const SourceText> source) {
  OpenedFile file;
  std::vector<ModulePart> parts = SplitModules(source->text());
  if (const absl::Status status = CheckModuleCount(*source, parts); !status.ok()) return status;
  if (parts.size() == 1) {
    file.modules.push_back({std::move(parts[0].name), std::move(source)});
    return file;
  }
  for (const ModulePart& part : parts) {
    const absl::string_view text = source->text().substr(part.begin, part.end - part.begin);
    const uint32_t line = source->LineColumnAt(static_cast<uint32_t>(part.begin)).line;
    file.modules.push_back(
        {part.name, SourceText::FromString(source->name(), absl::StrCat(std::string(line, '\n'), text))});
  }
  return file;
}

absl::Status NotKnown(const DetectedFile& detected, absl::string_view bytes) {
  if (!detected.explanation.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("this is ", detected.explanation));
  }
  // What a file expands to is not expanded again.
  if (IsGzip(bytes)) return absl::InvalidArgumentError("this is compressed twice: expand it once with gunzip");
  return absl::InvalidArgumentError(absl::StrCat("this is neither HLO text nor one of XLA's protos: ", bytes.size(),
                                                 " bytes that begin with ",
                                                 absl::BytesToHexString(bytes.substr(0, 16))));
}

absl::Status WithName(const absl::Status& status, const std::string& name) {
  return absl::Status(status.code(), absl::StrCat(name, ": ", status.message()));
}

// Binary files that may hold much more than a module.
bool HoldsValues(const DetectedFile& detected) {
  return !detected.is_text &&
         (detected.kind == FileKind::kSnapshot || detected.kind == FileKind::kUnoptimizedSnapshot ||
          detected.kind == FileKind::kDelimitedSnapshot);
}

absl::StatusOr<std::string> Expanded(const std::string& name, absl::string_view bytes, size_t limit) {
  const auto check_start = [](absl::string_view start) {
    // Where the beginning is enough to say what it is not, the rest is not expanded.
    const DetectedFile detected = DetectFile(start);
    const bool is_refused = detected.kind == FileKind::kUnknown && !detected.explanation.empty();
    return is_refused ? NotKnown(detected, start) : absl::OkStatus();
  };
  absl::StatusOr<std::string> expanded = Gunzip(bytes, limit > 0 ? limit : MaxExpandedBytes(), check_start);
  return expanded.ok() ? std::move(expanded) : WithName(expanded.status(), name);
}

// Of bytes that are no plain HLO text, and what keeps them: values of snapshots stay where they are.
absl::StatusOr<OpenedFile> OpenProto(const std::string& name, absl::string_view bytes,
                                     std::shared_ptr<const void> owner, const OpenFileOptions& options) {
  const DetectedFile detected = DetectFile(bytes);
  if (detected.kind == FileKind::kUnknown) return WithName(NotKnown(detected, bytes), name);
  if (const absl::Status one = CheckIsOneFile(bytes, detected); !one.ok()) return WithName(one, name);
  absl::StatusOr<OpenedFile> file = FileOpener(name, bytes, std::move(owner), detected, options).Open();
  return file.ok() ? std::move(file) : WithName(file.status(), name);
}

absl::StatusOr<OpenedFile> OpenCompressed(const std::string& name, absl::string_view bytes,
                                          const OpenFileOptions& options) {
  absl::StatusOr<std::string> expanded = Expanded(name, bytes, options.max_expanded_bytes);
  if (!expanded.ok()) return expanded.status();
  absl::StatusOr<OpenedFile> file;
  if (DetectFile(*expanded).kind == FileKind::kHloText) {
    file = OpenText(SourceText::FromString(name, *std::move(expanded)));
  } else {
    const auto kept = std::make_shared<const std::string>(*std::move(expanded));
    file = OpenProto(name, *kept, kept, options);
  }
  if (file.ok()) file->is_compressed = true;
  return file;
}

}  // namespace

absl::StatusOr<OpenedFile> OpenBytes(const std::string& name, std::string bytes, const OpenFileOptions& options) {
  if (IsGzip(bytes)) return OpenCompressed(name, bytes, options);
  if (bytes.empty() || DetectFile(bytes).kind == FileKind::kHloText) {
    return OpenText(SourceText::FromString(name, std::move(bytes)));
  }
  const auto kept = std::make_shared<const std::string>(std::move(bytes));
  return OpenProto(name, *kept, kept, options);
}

absl::StatusOr<OpenedFile> OpenFile(const std::string& path, const OpenFileOptions& options) {
  // Of a snapshot only the module is looked at before somebody asks for the values.
  if (const std::shared_ptr<const MappedFile> mapped = MappedFile::Open(path)) {
    const absl::string_view bytes = mapped->bytes();
    if (!IsGzip(bytes) && HoldsValues(DetectFile(bytes))) {
      absl::StatusOr<OpenedFile> file = OpenProto(path, bytes, mapped, options);
      if (const absl::Status whole = mapped->CheckWhole(); !whole.ok()) return WithName(whole, path);
      if (file.ok() && file->snapshot) file->snapshot->mapped = mapped;
      return file;
    }
  }
  absl::StatusOr<std::string> bytes = ReadWholeFile(path);
  if (!bytes.ok()) return bytes.status();
  return OpenBytes(path == "-" ? "<stdin>" : path, *std::move(bytes), options);
}

absl::StatusOr<std::string> ReadFileBytes(const std::string& path, size_t max_expanded_bytes) {
  const absl::StatusOr<std::shared_ptr<const SourceText>> source = SourceText::FromFile(path);
  if (!source.ok()) return source.status();
  const absl::string_view bytes = (*source)->text();
  if (!IsGzip(bytes)) return std::string(bytes);
  absl::StatusOr<std::string> expanded =
      Gunzip(bytes, max_expanded_bytes > 0 ? max_expanded_bytes : MaxExpandedBytes());
  return expanded.ok() ? std::move(expanded) : WithName(expanded.status(), path);
}

}  // namespace hloscope::interop
