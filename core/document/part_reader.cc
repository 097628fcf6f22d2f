// SPDX-License-Identifier: Apache-2.0
#include "core/document/part_reader.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "core/document/stage_clock.h"
#include "core/document/text_division.h"
#include "core/document/update_state.h"
#include "core/lex/lexer.h"
#include "core/source/second_thread.h"
#include "core/syntax/syntax_parser.h"

namespace hloscope {
namespace {

constexpr int kTokensAfterPart = 8;  // more than decide that a statement ends

// A part with its tokens and nodes.
struct ParsedPart {
  TextPart part;
  TokenBuffer tokens;
  SyntaxTree tree;
};

// Lexes and parses parts, in their order, and maps their text.
class PartParser {
 public:
  PartParser(const SourceText& source, size_t part_bytes) : source_(source), division_(source.text(), part_bytes) {}

  // Null at the end, and after something that must be reported.
  std::unique_ptr<ParsedPart> Next() {
    if (failed_) return nullptr;
    const std::optional<TextPart> next = division_.Next();
    if (!next) {
      failed_ = division_.is_cut();
      return nullptr;
    }
    const TextPart& part = *next;
    const bool is_first = std::exchange(is_at_start_, false);
    auto parsed = std::make_unique<ParsedPart>();
    parsed->part = part;
    const bool is_body = part.kind == TextPart::Kind::kStatements;
    const SourceRange ranges[] = {part.range, part.tail};
    StageClock clock;
    parsed->tokens = LexLines(source_, absl::MakeConstSpan(ranges, part.kind == TextPart::Kind::kFrame ? 2 : 1),
                              is_body ? kTokensAfterPart : 0, sink_);
    lex_ += clock.Lap();
    if (is_body) {
      ParseBody(*parsed);
    } else {
      parsed->tree =
          is_first ? ParseSyntax(source_, parsed->tokens, sink_) : ParseComputations(source_, parsed->tokens, sink_);
    }
    Map(*parsed, is_first);
    syntax_ += clock.Lap();
    failed_ = failed_ || sink_.report_count() > 0;
    return failed_ ? nullptr : std::move(parsed);
  }

  bool failed() const { return failed_; }
  // After the last part.
  void Take(TextInParts& result) {
    result.map = std::move(map_);
    result.is_regular = is_regular_;
    result.lex = lex_;
    result.syntax = syntax_;
  }

 private:
  void ParseBody(ParsedPart& parsed) {
    const uint32_t end = parsed.part.range.end;
    bool tokens_ended = false;
    auto tree = ParseStatements(
        source_, parsed.tokens, [&](uint32_t offset) { return offset >= end; }, sink_, &tokens_ended);
    if (tree && !tree->instructions.empty() && parsed.tokens.end(tree->instructions.back().tokens.end - 1) <= end) {
      parsed.tree = *std::move(tree);
    } else {
      failed_ = true;
    }
  }

  void Map(const ParsedPart& parsed, bool is_first) {
    if (is_first) MapHeader(source_, parsed.tokens, parsed.tree, map_);
    is_regular_ = is_regular_ && IsRegular(parsed.tokens, parsed.tree);
    if (parsed.part.kind == TextPart::Kind::kFrame) {
      // It comes after what is in it.
      MapComputations(source_, parsed.tokens, parsed.tree, frame_);
      return;
    }
    MapInstructions(parsed.tokens, parsed.tree, map_);
    MapComputations(source_, parsed.tokens, parsed.tree, map_);
    if (!parsed.part.is_last_of_frame) return;
    map_.computations.insert(map_.computations.end(), frame_.computations.begin(), frame_.computations.end());
    frame_.computations.clear();
  }

  const SourceText& source_;
  TextDivision division_;
  bool is_at_start_ = true;
  bool failed_ = false;
  DiagnosticSink sink_;
  TextMap map_, frame_;
  bool is_regular_ = true;
  double lex_ = 0, syntax_ = 0;
};

// Parsed parts on their way from one thread to another.
class PartQueue {
 public:
  // Waits while there are many. False if nobody wants them any more.
  bool Put(std::unique_ptr<ParsedPart> part) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return parts_.size() < kMost || is_closed_; });
    if (is_closed_) return false;
    parts_.push_back(std::move(part));
    changed_.notify_all();
    return true;
  }
  std::unique_ptr<ParsedPart> Get() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return !parts_.empty(); });
    std::unique_ptr<ParsedPart> part = std::move(parts_.front());
    parts_.pop_front();
    changed_.notify_all();
    return part;
  }
  void Close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
  }

 private:
  static constexpr size_t kMost = 4;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<ParsedPart>> parts_;  // a null ends them
  bool is_closed_ = false;
};

// Hands out the parts, parsed by a thread of their own where there can be one.
class PartSource {
 public:
  explicit PartSource(PartParser& parser) : parser_(parser) {}
  ~PartSource() { Stop(); }
  PartSource(const PartSource&) = delete;
  PartSource& operator=(const PartSource&) = delete;

  std::unique_ptr<ParsedPart> Next() { return thread_.runs() ? queue_.Get() : parser_.Next(); }
  void Stop() {
    queue_.Close();
    thread_.Join();
  }

 private:
  void ParseAhead() {
    bool goes_on = true;
    while (goes_on) {
      std::unique_ptr<ParsedPart> part = parser_.Next();
      goes_on = part != nullptr;
      goes_on = queue_.Put(std::move(part)) && goes_on;
    }
  }

  PartParser& parser_;
  PartQueue queue_;
  SecondThread thread_{[this] { ParseAhead(); }};
};

// What the tables of the module will hold, from some of the text's lines.
ExpectedSizes SizesOf(const SourceText& source) {
  constexpr size_t kSamples = 32, kSampleBytes = 2048;
  const absl::string_view text = source.text();
  size_t bytes = 0, instructions = 0, names = 0, attributes = 0;  // in the samples
  for (size_t i = 1; i <= kSamples; ++i) {
    const size_t begin = text.find("\n  ", text.size() / (kSamples + 1) * i);
    if (begin == absl::string_view::npos) break;
    const size_t end = text.find('\n', std::min(begin + kSampleBytes, text.size() - 1));
    if (end == absl::string_view::npos) break;
    DiagnosticSink quiet;
    const SourceRange sample = {static_cast<uint32_t>(begin + 1), static_cast<uint32_t>(end + 1)};
    const TokenBuffer tokens = LexLines(source, {sample}, 0, quiet);
    bytes += sample.size();
    for (TokenIndex t = 0; t < tokens.size(); ++t) {
      const TokenKind kind = tokens.kind(t);
      instructions += kind == TokenKind::kEquals ? 1 : 0;
      names += kind == TokenKind::kName || kind == TokenKind::kIdentifier ? 1 : 0;
      attributes += kind == TokenKind::kAttributeName ? 1 : 0;
    }
  }
  const auto in_all = [&](size_t count) {
    const double share = static_cast<double>(text.size()) / static_cast<double>(std::max<size_t>(bytes, 1));
    return static_cast<size_t>(1.03 * share * static_cast<double>(count)) + 64;
  };
  // Of the names that are neither those of instructions nor opcodes, most are operands.
  return {in_all(instructions), in_all(names - std::min(names, 2 * instructions)), in_all(attributes)};
}

// Otherwise the text was cut, or goes on with something else.
bool EndsAfterComputation(absl::string_view text) {
  text = absl::StripTrailingAsciiWhitespace(text);
  const size_t line_end = text.rfind('\n');
  return line_end != absl::string_view::npos && text[line_end + 1] == '}';
}

}  // namespace

std::optional<TextInParts> ReadInParts(const SourceText& source, const VerifyOptions& options, size_t part_bytes) {
  if (!EndsAfterComputation(source.text())) return std::nullopt;
  PartParser parser(source, part_bytes);
  PartSource parsed(parser);
  DiagnosticSink sink;
  ModuleReader reader(source, options, SizesOf(source), sink);
  std::unique_ptr<ParsedPart> frame;
  bool is_first = true;
  while (std::unique_ptr<ParsedPart> part = parsed.Next()) {
    switch (part->part.kind) {
      case TextPart::Kind::kComputations:
        if (is_first) {
          reader.ReadHeader(part->tokens, part->tree);
        } else {
          reader.ReadComputations(part->tokens, part->tree);
        }
        break;
      case TextPart::Kind::kFrame:
        if (is_first) return std::nullopt;
        frame = std::move(part);
        reader.StartComputation(frame->tokens, frame->tree, frame->part.lines);
        break;
      case TextPart::Kind::kStatements:
        reader.ReadStatements(part->tokens, part->tree);
        if (part->part.is_last_of_frame) reader.FinishComputation();
        break;
    }
    is_first = false;
    if (!reader.is_good()) return std::nullopt;
  }
  parsed.Stop();
  if (parser.failed()) return std::nullopt;
  std::optional<BuiltModule> built = reader.Finish();
  if (!built) return std::nullopt;
  TextInParts result;
  result.built = *std::move(built);
  result.diagnostics = std::move(sink);
  parser.Take(result);
  return result;
}

}  // namespace hloscope
