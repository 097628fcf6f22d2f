#include "core/editing/comments.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "core/print/printer.h"

namespace hloscope {
namespace {

using PartKind = PrintedModule::Part::Kind;

// A part of the text that comments can belong to; it lasts until the next one begins.
struct Statement {
  TokenIndex first = 0;
  PartKind kind = PartKind::kHeader;
  ComputationId computation;
  InstructionId instruction;
};

struct Comment {
  absl::string_view text;  // with its delimiters
  bool blank_line_after = false;
};

// Comments of one printed part.
struct Attached {
  std::vector<Comment> above;
  std::vector<Comment> behind;
};

bool EatDigits(absl::string_view* text) {
  const size_t before = text->size();
  while (!text->empty() && absl::ascii_isdigit(text->front())) text->remove_prefix(1);
  return text->size() < before;
}

// `/*index=5*/` or `/*i0=3*/` (spec/hlo-text.md 1.2).
bool IsGenerated(absl::string_view comment) {
  if (!absl::ConsumePrefix(&comment, "/*i") || !absl::ConsumeSuffix(&comment, "*/")) return false;
  if (absl::ConsumePrefix(&comment, "ndex=")) return EatDigits(&comment) && comment.empty();
  return EatDigits(&comment) && absl::ConsumePrefix(&comment, "=") && EatDigits(&comment) && comment.empty();
}

// The statements of the text in order.
std::vector<Statement> StatementsOf(const Document& document) {
  const SyntaxTree& tree = document.syntax();
  const Module& module = document.module();
  std::vector<InstructionId> instruction_of(tree.instructions.size());
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    const Instruction& instruction = module.instruction(InstructionId(i));
    if (!instruction.syntax.has_value() || instruction.synthesized) continue;
    instruction_of[instruction.syntax.index()] = InstructionId(i);
  }
  std::vector<ComputationId> computation_of(tree.computations.size());
  for (size_t c = 0; c < module.computations().size(); ++c) {
    const uint32_t syntax = module.computations()[c].syntax;
    if (syntax != kNoSyntaxNode) computation_of[syntax] = ComputationId(c);
  }

  std::vector<Statement> statements;
  if (tree.module_name != kNoToken) {
    statements.push_back({0, PartKind::kHeader});
    if (!tree.file_names.empty()) statements.push_back({tree.file_names.begin - 1, PartKind::kHeader});
  }
  for (size_t c = 0; c < tree.computations.size(); ++c) {
    const ComputationSyntax& node = tree.computations[c];
    if (node.open_brace == kNoToken || node.close_brace == kNoToken) continue;
    statements.push_back({node.tokens.begin, PartKind::kComputationOpen, computation_of[c]});
    for (uint32_t i = 0; i < node.instruction_count; ++i) {
      const SyntaxId syntax = tree.instruction_lists[node.first_instruction + i];
      statements.push_back({tree.instructions[syntax.index()].tokens.begin, PartKind::kInstruction, computation_of[c],
                            instruction_of[syntax.index()]});
    }
    statements.push_back({node.close_brace, PartKind::kComputationClose, computation_of[c]});
  }
  std::stable_sort(statements.begin(), statements.end(),
                   [](const Statement& a, const Statement& b) { return a.first < b.first; });
  return statements;
}

class CommentPrinter {
 public:
  CommentPrinter(const Document& document, PrintedModule printed)
      : document_(document),
        text_(document.source().text()),
        printed_(std::move(printed)),
        statements_(StatementsOf(document)),
        attached_(printed_.parts.size() + 1) {}

  std::string Print() {
    FindPartsOfStatements();
    CollectComments();
    return Merge();
  }

 private:
  // The printed part of each statement; parts_.size() for statements that do not print.
  void FindPartsOfStatements() {
    const Module& module = document_.module();
    const size_t none = printed_.parts.size();
    std::vector<size_t> of_instruction(module.instruction_count(), none);
    std::vector<size_t> of_open(module.computations().size(), none), of_close = of_open;
    for (size_t p = 0; p < printed_.parts.size(); ++p) {
      const PrintedModule::Part& part = printed_.parts[p];
      switch (part.kind) {
        case PartKind::kHeader:
          break;
        case PartKind::kComputationOpen:
          of_open[part.computation.index()] = p;
          break;
        case PartKind::kInstruction:
          of_instruction[part.instruction.index()] = p;
          break;
        case PartKind::kComputationClose:
          of_close[part.computation.index()] = p;
          break;
      }
    }
    for (const Statement& statement : statements_) {
      size_t part = none;
      switch (statement.kind) {
        case PartKind::kHeader:
          part = 0;
          break;
        case PartKind::kComputationOpen:
          if (statement.computation.has_value()) part = of_open[statement.computation.index()];
          break;
        case PartKind::kInstruction:
          if (statement.instruction.has_value()) part = of_instruction[statement.instruction.index()];
          break;
        case PartKind::kComputationClose:
          if (statement.computation.has_value()) part = of_close[statement.computation.index()];
          break;
      }
      part_of_statement_.push_back(part);
    }
  }

  // The printed part of the statement, or of the next one that prints; the end of the text if there is none.
  size_t PartAtOrAfter(size_t statement) const {
    for (; statement < statements_.size(); ++statement) {
      if (part_of_statement_[statement] != printed_.parts.size()) return part_of_statement_[statement];
    }
    return printed_.parts.size();
  }

  void CollectComments() {
    const TokenBuffer& tokens = document_.tokens();
    size_t next_statement = 0;  // the first that begins at or behind token t
    for (TokenIndex t = 0; t < tokens.size(); ++t) {
      while (next_statement < statements_.size() && statements_[next_statement].first < t) ++next_statement;
      const uint32_t begin = t == 0 ? 0 : tokens.end(t - 1);
      const uint32_t end = t + 1 == tokens.size() ? static_cast<uint32_t>(text_.size()) : tokens.begin(t);
      if (begin < end && text_.substr(begin, end - begin).find('/') != absl::string_view::npos) {
        CollectGap(t, begin, end, next_statement);
      }
    }
  }

  // The comments between token t - 1 and token t.
  void CollectGap(TokenIndex t, uint32_t begin, uint32_t end, size_t next_statement) {
    const absl::string_view gap = text_.substr(begin, end - begin);
    const bool at_end = t + 1 == document_.tokens().size();
    const bool next_begins = next_statement < statements_.size() && statements_[next_statement].first == t;
    bool same_line = t > 0;  // as token t - 1
    for (size_t i = 0; i < gap.size();) {
      if (gap[i] != '/') {
        if (gap[i] == '\n' || gap[i] == '\r') same_line = false;
        ++i;
        continue;
      }
      const bool is_block = i + 1 < gap.size() && gap[i + 1] == '*';
      size_t stop = is_block ? gap.find("*/", i + 2) : gap.find_first_of("\r\n", i);
      stop = stop == absl::string_view::npos ? gap.size() : stop + (is_block ? 2 : 0);
      Comment comment;
      comment.text = absl::StripTrailingAsciiWhitespace(gap.substr(i, stop - i));
      comment.blank_line_after = BlankLineFollows(gap.substr(stop));
      const bool line_ends = at_end || LineEndsWithin(gap.substr(stop));
      if (!IsGenerated(comment.text)) {
        if (same_line && line_ends && (next_begins || at_end)) {
          AttachBehind(next_statement, comment);
        } else if (next_begins || at_end) {
          attached_[PartAtOrAfter(next_statement)].above.push_back(comment);
        } else {
          // Inside a statement: above it.
          comment.blank_line_after = false;
          attached_[PartAtOrAfter(next_statement == 0 ? 0 : next_statement - 1)].above.push_back(comment);
        }
      }
      if (is_block && comment.text.find('\n') != absl::string_view::npos && same_line && !line_ends) same_line = false;
      i = stop;
    }
  }

  void AttachBehind(size_t next_statement, const Comment& comment) {
    const size_t part = part_of_statement_[next_statement - 1];
    if (part != printed_.parts.size()) {
      // Behind a `//` comment nothing can stand on the same line.
      std::vector<Comment>& behind = attached_[part].behind;
      if (behind.empty() || !absl::StartsWith(behind.back().text, "//")) {
        behind.push_back(comment);
        return;
      }
    }
    attached_[PartAtOrAfter(next_statement)].above.push_back(comment);
  }

  // True if only white space and comments come before the end of the line.
  static bool LineEndsWithin(absl::string_view rest) {
    while (!rest.empty()) {
      if (rest[0] == '\n' || rest[0] == '\r' || absl::StartsWith(rest, "//")) return true;
      if (absl::StartsWith(rest, "/*")) {
        const size_t stop = rest.find("*/", 2);
        if (stop == absl::string_view::npos) return false;
        rest.remove_prefix(stop + 2);
      } else {
        rest.remove_prefix(1);
      }
    }
    return false;
  }

  static bool BlankLineFollows(absl::string_view rest) {
    int lines = 0;
    for (char c : rest) {
      if (c == '\n') ++lines;
      if (!absl::ascii_isspace(static_cast<unsigned char>(c))) break;
    }
    return lines > 1;
  }

  std::string Merge() const {
    std::string out;
    out.reserve(printed_.text.size() + text_.size() / 16);
    size_t copied = 0;
    const auto copy_to = [&](size_t offset) {
      out.append(printed_.text, copied, offset - copied);
      copied = offset;
    };
    for (size_t p = 0; p < printed_.parts.size(); ++p) {
      const Attached& attached = attached_[p];
      if (attached.above.empty() && attached.behind.empty()) continue;
      const PrintedModule::Part& part = printed_.parts[p];
      copy_to(part.begin);
      const absl::string_view indent = part.kind == PartKind::kInstruction ? "  " : "";
      for (const Comment& comment : attached.above) {
        // Before a closing brace it belongs to the body. The indentation of an instruction is there already for the
        // first one, as is the next ones' before them.
        if (part.kind == PartKind::kComputationClose) out.append("  ");
        out.append(comment.text.data(), comment.text.size()).append(comment.blank_line_after ? "\n\n" : "\n");
        out.append(indent.data(), indent.size());
      }
      copy_to(part.end);
      for (const Comment& comment : attached.behind) {
        out.append("  ").append(comment.text.data(), comment.text.size());
      }
    }
    copy_to(printed_.text.size());
    for (const Comment& comment : attached_.back().above) {
      out.append(comment.text.data(), comment.text.size()).append(comment.blank_line_after ? "\n\n" : "\n");
    }
    return out;
  }

  const Document& document_;
  const absl::string_view text_;
  const PrintedModule printed_;
  const std::vector<Statement> statements_;
  std::vector<size_t> part_of_statement_;
  std::vector<Attached> attached_;  // by part; the last: the end of the text
};

}  // namespace

std::string PrintWithComments(const Document& document, const PrintOptions& options) {
  return CommentPrinter(document, PrintModuleWithPositions(document.module(), options)).Print();
}

}  // namespace hloscope
