// SPDX-License-Identifier: Apache-2.0
// `hloscope convert`: a module from one form of file to another, StableHLO included.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/last_file.h"
#include "cli/memory_limit.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "cli/replay.h"
#include "cli/run_options.h"
#include "evaluator/tensor/arena.h"
#include "interop/files/gzip.h"
#include "interop/files/mapped_file.h"
#include "interop/files/open_file.h"
#include "interop/files/write_file.h"

namespace hloscope::cli {
namespace {

constexpr OptionSpec kConvertOptions[] = {
    {"o", OptionKind::kValue, "OUT", "the file to write (-: standard output)"},
    {"to", OptionKind::kValue, "text|proto|textproto|snapshot", "the form (by the suffix of OUT)"},
    HLOSCOPE_RUN_OPTIONS,
};

absl::StatusOr<interop::OutputForm> FormFrom(const Arguments& arguments) {
  const std::string path = arguments.Value("o").value_or("-");
  if (arguments.Has("to")) {
    const absl::StatusOr<std::string> name = arguments.Choice("to", {"text", "proto", "textproto", "snapshot"});
    if (!name.ok()) return name.status();
    return *name == "text"        ? interop::OutputForm::kText
           : *name == "proto"     ? interop::OutputForm::kProto
           : *name == "textproto" ? interop::OutputForm::kTextProto
                                  : interop::OutputForm::kSnapshot;
  }
  if (path == "-") return interop::OutputForm::kText;
  const std::optional<interop::OutputForm> form = interop::OutputFormOf(path);
  if (form) return *form;
  return absl::InvalidArgumentError(absl::StrCat(
      "the name of ", OneLine(path), " does not say its form: .hlo, .txt, .hlo.pb, .pbtxt, .hlo_snapshot.pb (and .gz ",
      "after), or --to=text|proto|textproto|snapshot"));
}

// Runs the module and gives what it took and made.
absl::StatusOr<interop::RecordedValues> Record(const std::shared_ptr<const Document>& document,
                                               const evaluator::RunOptions& options, int* status) {
  interop::RecordedValues values;
  std::optional<evaluator::DeviceGrid> grid;
  {
    PreparedRun prepared(document, options, RenderOptions());
    *status = prepared.Prepare();
    if (*status != kExitGood) return values;
    evaluator::DeviceRun& run = prepared.run();
    if (run.device_count() > 1) {
      return absl::InvalidArgumentError("a snapshot holds the values of one device, but the module runs on several");
    }
    if (run.Run() != evaluator::StopReason::kFinished) {
      *status = prepared.ReportFailure();
      return values;
    }
    absl::StatusOr<Literal> result = evaluator::LiteralOf(run.device(0).result());
    if (!result.ok()) return result.status();
    values.result = *std::move(result);
    grid = prepared.grid();
  }
  // After the run is gone, which had arguments of its own.
  evaluator::ArgumentLoader loader(document->module(), options, *grid);
  absl::StatusOr<std::vector<evaluator::Value>> arguments = loader.Arguments(0);
  if (!arguments.ok()) return arguments.status();
  for (evaluator::Value& argument : *arguments) {
    const evaluator::Value taken = std::move(argument);
    absl::StatusOr<Literal> literal = evaluator::LiteralOf(taken);
    if (!literal.ok()) return literal.status();
    values.arguments.push_back(*std::move(literal));
  }
  return values;
}

int Write(const std::string& path, std::string bytes) {
  if (interop::IsCompressedName(path)) {
    absl::StatusOr<std::string> packed = interop::Gzip(bytes);
    if (!packed.ok()) return ReportStatus(packed.status());
    bytes = *std::move(packed);
  }
  if (path == "-") {
    WriteOutput(bytes);
    return kExitGood;
  }
  const absl::Status status = WriteLastFile(path, bytes);
  return status.ok() ? kExitGood : ReportStatus(status);
}

// What is written takes memory, too.
bool MayEncode(const Module& module, interop::OutputForm form, const evaluator::RunOptions& options) {
  return IsWithinMemoryLimit("a file of this form with all values", interop::BytesToEncode(module, form),
                             options.session.memory_limit_bytes);
}

// The bytes of a proto, expanded, which is read a second time: fields that are not known are written again.
class SourceProto {
 public:
  SourceProto(const std::string& path, const Arguments& arguments) : mapped_(interop::MappedFile::Open(path)) {
    std::error_code ignored;
    if (mapped_ == nullptr && std::filesystem::is_regular_file(path, ignored)) {
      own_ = interop::ReadFileBytes(path).value_or(std::string());  // smaller ones are not mapped
    }
    if (!interop::IsGzip(bytes())) return;
    const size_t limit = ExpandedLimit(arguments);
    own_ = interop::Gunzip(bytes(), limit > 0 ? limit : interop::MaxExpandedBytes()).value_or(std::string());
    mapped_ = nullptr;
  }
  // Nothing of what cannot be read twice, such as a pipe.
  absl::string_view bytes() const { return mapped_ == nullptr ? own_ : mapped_->bytes(); }

 private:
  std::shared_ptr<const interop::MappedFile> mapped_;
  std::string own_;
};

// Encodes, and says which fields of the source are not in the result.
absl::StatusOr<std::string> Encode(const Document& document, interop::OutputForm form, interop::RecordedValues values,
                                   const interop::OpenedFile& file, const Arguments& arguments) {
  const std::string& path = arguments.operands()[0];
  if (form == interop::OutputForm::kText) return interop::EncodeModule(document.module(), form);
  const SourceProto source(path, arguments);
  interop::ReadProto read_from{source.bytes(), file.buffer_assignment.get(), &file.instruction_names};
  absl::StatusOr<std::string> bytes = interop::EncodeModule(document.module(), form, std::move(values), &read_from);
  if (read_from.lost_fields > 0) {
    WriteError(absl::StrCat("hloscope: note: ", read_from.lost_fields,
                            read_from.lost_fields == 1 ? " field" : " fields", " of ", OneLine(path),
                            " that this version does not know are not written\n"));
  }
  if (!read_from.lost_assignment.ok()) {
    WriteError(absl::StrCat("hloscope: note: the buffer assignment of ", OneLine(path),
                            " is not written: ", read_from.lost_assignment.message(), "\n"));
  }
  return bytes;
}

int RunConvert(const Arguments& arguments) {
  const absl::StatusOr<interop::OutputForm> form = FormFrom(arguments);
  if (!form.ok()) return UsageError(arguments.command(), form.status().message());
  absl::StatusOr<evaluator::RunOptions> options = ReadRunOptions(arguments);
  if (!options.ok()) return UsageError(arguments.command(), options.status().message());
  const absl::StatusOr<RenderOptions> render = ErrorRenderOptions(arguments);
  if (!render.ok()) return UsageError(arguments.command(), render.status().message());
  const std::string& path = arguments.operands()[0];
  interop::RecordedValues values;
  std::shared_ptr<const interop::OpenedFile> file;
  std::shared_ptr<const Document> document;
  if (*form == interop::OutputForm::kSnapshot) {
    document = OpenToRun(arguments, path, &*options, &file);
    if (document == nullptr) return StatusOfReading();
    if (!MayEncode(document->module(), *form, *options)) return kExitLimit;
    int status = kExitGood;
    absl::StatusOr<interop::RecordedValues> recorded = Record(document, *options, &status);
    if (!recorded.ok()) return ReportStatus(recorded.status());
    if (status != kExitGood) return status;
    values = *std::move(recorded);
    evaluator::Arena::Global().Trim();  // the tensors are gone, and what is written takes as much
  } else {
    document = OpenDocument(arguments, path, {}, &file);
    if (document == nullptr) return StatusOfReading();
    if (!MayEncode(document->module(), *form, *options)) return kExitLimit;
  }
  absl::StatusOr<std::string> bytes = Encode(*document, *form, std::move(values), *file, arguments);
  if (!bytes.ok()) return ReportStatus(bytes.status());
  return Write(arguments.Value("o").value_or("-"), *std::move(bytes));
}

}  // namespace

const Command& ConvertCommand() {
  static constexpr Command kCommand = {
      "convert",
      "FILE",
      "write a module as text, proto or snapshot",
      "Reads HLO, protos, snapshots and StableHLO programs. The suffix of OUT says the form: .hlo and .txt are HLO "
      "text,\n"
      ".hlo.pb is a HloProto, .pbtxt its text form, .hlo_snapshot.pb a HloSnapshot; .gz after any of them compresses "
      "it.\n"
      "Without OUT the form is text and goes to standard output. For a snapshot the module is run: its\n"
      "arguments, from the options of `run` or from the snapshot that is read, and its result are written with it.\n"
      "A proto holds neither replica_count and num_partitions nor alias_passthrough_params and\n"
      "allow_spmd_sharding_propagation_to_*.",
      kConvertOptions,
      1,
      1,
      RunConvert};
  return kCommand;
}

}  // namespace hloscope::cli
