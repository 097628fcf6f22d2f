// SPDX-License-Identifier: Apache-2.0
#include "core/editing/comments.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "core/editing/statements.h"
#include "core/editing/written_forms.h"
#include "core/print/printer.h"

namespace hloscope {
namespace {

using PartKind = PrintedModule::Part::Kind;

struct Comment {
  absl::string_view text;  // with its delimiters
  // What is between the line feed, or the text, before it and the comment. Of a comment above a statement that is
  // indented in another way than it prints: the indentation that prints.
  absl::string_view blanks;
  size_t lines_before = 0;  // line feeds between what comes before it and the comment; 0: not on a line of its own
  size_t lines_after = 1;
};

// Comments of one printed part.
struct Attached {
  std::vector<Comment> above;
  std::vector<Comment> after;
};

bool EatDigits(absl::string_view* text) {
  const size_t before = text->size();
  while (!text->empty() && absl::ascii_isdigit(text->front())) text->remove_prefix(1);
  return text->size() < before;
}

// `/*index=5*/` or `/*i0=3*/` (docs/text-format.md 1.2).
bool IsGenerated(absl::string_view comment) {
  if (!absl::ConsumePrefix(&comment, "/*i") || !absl::ConsumeSuffix(&comment, "*/")) return false;
  if (absl::ConsumePrefix(&comment, "ndex=")) return EatDigits(&comment) && comment.empty();
  return EatDigits(&comment) && absl::ConsumePrefix(&comment, "=") && EatDigits(&comment) && comment.empty();
}

class CommentPrinter {
 public:
  CommentPrinter(const Document& document, const PrintOptions& options, PrintedModule printed)
      : document_(document),
        options_(options),
        text_(document.source().text()),
        printed_(std::move(printed)),
        statements_(StatementsOf(document)),
        part_of_statement_(PartsOfStatements(document.module(), statements_, printed_)),
        attached_(printed_.parts.size() + 1) {}

  std::string Print() {
    CollectComments();
    return Merge();
  }

 private:
  // The printed part of the statement, or of the next one that prints; the end of the text if there is none.
  size_t PartAtOrAfter(size_t statement) const {
    for (; statement < statements_.size(); ++statement) {
      if (part_of_statement_[statement] != printed_.parts.size()) return part_of_statement_[statement];
    }
    return printed_.parts.size();
  }

  void CollectComments() {
    const TokenBuffer& tokens = document_.tokens();
    size_t next_statement = 0;  // the first that begins at or after token t
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
    size_t blanks_begin = 0, lines_before = 0;
    // The indentation of comments above the next statement is kept if that of the statement is what prints.
    const bool keeps_indentation = next_begins && IndentationPrints(t, statements_[next_statement].kind);
    for (size_t i = 0; i < gap.size();) {
      if (gap[i] != '/') {
        if (gap[i] == '\n' || gap[i] == '\r') same_line = false;
        if (gap[i] == '\n') {
          blanks_begin = i + 1;
          ++lines_before;
        }
        ++i;
        continue;
      }
      const bool is_block = i + 1 < gap.size() && gap[i + 1] == '*';
      size_t stop = is_block ? gap.find("*/", i + 2) : gap.find_first_of("\r\n", i);
      stop = stop == absl::string_view::npos ? gap.size() : stop + (is_block ? 2 : 0);
      Comment comment;
      comment.text = absl::StripTrailingAsciiWhitespace(gap.substr(i, stop - i));
      comment.lines_before = lines_before;
      comment.lines_after = std::max<size_t>(LinesAfter(gap.substr(stop)), 1);
      if (same_line || keeps_indentation) {
        comment.blanks = gap.substr(blanks_begin, i - blanks_begin);
      } else if (next_begins) {
        comment.blanks = statements_[next_statement].kind == PartKind::kInstruction ||
                                 statements_[next_statement].kind == PartKind::kComputationClose
                             ? "  "
                             : "";
      }
      const bool line_ends = at_end || LineEndsWithin(gap.substr(stop));
      if (!IsGenerated(comment.text)) {
        if (same_line && line_ends && (next_begins || at_end)) {
          AttachBehind(next_statement, comment);
        } else if (next_begins || at_end) {
          attached_[PartAtOrAfter(next_statement)].above.push_back(comment);
        } else {
          // Inside a statement: above it.
          const size_t owner = next_statement == 0 ? 0 : next_statement - 1;
          const bool is_indented = owner < statements_.size() && statements_[owner].kind == PartKind::kInstruction;
          comment.blanks = is_indented ? "  " : "";
          comment.lines_before = 0;
          comment.lines_after = 1;
          attached_[PartAtOrAfter(next_statement == 0 ? 0 : next_statement - 1)].above.push_back(comment);
        }
      }
      if (is_block && comment.text.find('\n') != absl::string_view::npos && same_line && !line_ends) same_line = false;
      i = blanks_begin = stop;
      lines_before = 0;
    }
  }

  // Whether the statement that begins with token t is in its line as it prints.
  bool IndentationPrints(TokenIndex t, PartKind kind) const {
    const absl::string_view before = text_.substr(0, document_.tokens().begin(t));
    const size_t line_feed = before.rfind('\n');
    return before.substr(line_feed == absl::string_view::npos ? 0 : line_feed + 1) ==
           (kind == PartKind::kInstruction ? "  " : "");
  }

  void AttachBehind(size_t next_statement, const Comment& comment) {
    const size_t part = part_of_statement_[next_statement - 1];
    if (part != printed_.parts.size()) {
      // After a `//` comment nothing can be on the same line.
      std::vector<Comment>& after = attached_[part].after;
      if (after.empty() || !absl::StartsWith(after.back().text, "//")) {
        after.push_back(comment);
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

  // Line feeds before what comes next.
  static size_t LinesAfter(absl::string_view rest) {
    size_t lines = 0;
    for (char c : rest) {
      if (c == '\n') ++lines;
      if (!absl::ascii_isspace(static_cast<unsigned char>(c))) break;
    }
    return lines;
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
      if (attached.above.empty() && attached.after.empty()) continue;
      const PrintedModule::Part& part = printed_.parts[p];
      copy_to(part.begin);
      const size_t indentation = part.kind == PartKind::kInstruction ? 2 : 0;
      if (!attached.above.empty()) {
        out.resize(out.size() - indentation);
        SetLineFeeds(attached.above.front().lines_before, &out);
        AppendLines(attached.above, &out);
        out.append(indentation, ' ');
      }
      copy_to(part.end);
      for (const Comment& comment : attached.after) {
        out.append(comment.blanks.data(), comment.blanks.size()).append(comment.text.data(), comment.text.size());
      }
      if (!attached.after.empty() && part.kind == PartKind::kComputationClose && options_.closing_names) {
        // What is written there takes the place of the name.
        copied = std::min(printed_.text.find('\n', copied), printed_.text.size());
      }
    }
    copy_to(printed_.text.size());
    const std::vector<Comment>& last = attached_.back().above;
    if (!last.empty()) SetLineFeeds(last.front().lines_before, &out);
    AppendLines(last, &out);
    if (options_.keep_written_defaults) {
      const auto without_end = [](absl::string_view text) { return text.find_last_not_of('\n') + 1; };
      out.resize(without_end(out));
      out.append(text_.size() - without_end(text_), '\n');
    }
    return out;
  }

  // As many line feeds before a comment on a line of its own as the text has; but no fewer than print, unless the text
  // is to stay as it is.
  void SetLineFeeds(size_t line_feeds, std::string* out) const {
    const size_t end = out->find_last_not_of('\n') + 1;
    if (line_feeds == 0 || (!options_.keep_written_defaults && line_feeds < out->size() - end)) return;
    out->resize(end);
    out->append(line_feeds, '\n');
  }

  static void AppendLines(const std::vector<Comment>& comments, std::string* out) {
    for (const Comment& comment : comments) {
      out->append(comment.blanks.data(), comment.blanks.size()).append(comment.text.data(), comment.text.size());
      out->append(comment.lines_after, '\n');
    }
  }

  const Document& document_;
  const PrintOptions& options_;
  const absl::string_view text_;
  const PrintedModule printed_;
  const std::vector<Statement> statements_;
  const std::vector<size_t> part_of_statement_;
  std::vector<Attached> attached_;  // by part; the last: the end of the text
};

}  // namespace

std::string PrintWithComments(const Document& document, const PrintOptions& options) {
  PrintedModule printed = PrintModuleWithPositions(document.module(), options);
  if (options.keep_written_defaults) KeepWrittenForms(document, options, &printed);
  return CommentPrinter(document, options, std::move(printed)).Print();
}

}  // namespace hloscope
