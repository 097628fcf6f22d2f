// SPDX-License-Identifier: Apache-2.0
// One version of a text: its bytes, where they came from, and line arithmetic.
#ifndef HLOSCOPE_CORE_SOURCE_SOURCE_TEXT_H_
#define HLOSCOPE_CORE_SOURCE_SOURCE_TEXT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/call_once.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/source/source_range.h"
#include "core/source/text_change.h"
#include "core/source/text_origin.h"

namespace hloscope {

// Zero-based line and column; the unit of the column is said where the value is made.
struct LineColumn {
  uint32_t line = 0;
  uint32_t column = 0;
  friend bool operator==(LineColumn, LineColumn) = default;
};

// Unit of columns (LSP position encodings; kUtf8 counts bytes).
enum class ColumnUnit : uint8_t { kUtf8, kUtf16, kUtf32 };

// Makes the bytes of a text when somebody looks at them first. Immutable once a SourceText has it.
class TextMaker {
 public:
  TextMaker() = default;
  TextMaker(const TextMaker&) = delete;
  TextMaker& operator=(const TextMaker&) = delete;
  virtual ~TextMaker() = default;
  // Called once, by any thread.
  virtual std::string MakeText() const = 0;
};

// Immutable. At most 2^32 - 2 bytes. Thread-safe.
class SourceText {
 public:
  // Largest text accepted, in bytes.
  static constexpr uint64_t kMaxBytes = 0xFFFFFFF0u;

  // `name` is what diagnostics call the text: a path, or "<stdin>".
  static std::shared_ptr<const SourceText> FromString(std::string name, std::string text);
  // A text that was made from another: `origin` says where its parts come from.
  static std::shared_ptr<const SourceText> Made(std::string name, std::string text,
                                                std::shared_ptr<const TextOrigin> origin);
  // A text that is made when it is first looked at.
  static std::shared_ptr<const SourceText> Later(std::string name, std::shared_ptr<const TextMaker> maker);
  // Reads a file; "-" reads standard input. Errors: NotFound, PermissionDenied, InvalidArgument (a directory, too
  // large).
  static absl::StatusOr<std::shared_ptr<const SourceText>> FromFile(const std::string& path);

  // A version of this text; `text` differs from it by the changes (ascending, apart) only. Costs less than FromString.
  std::shared_ptr<const SourceText> WithChanges(std::string text, const std::vector<TextChange>& changes) const;

  const std::string& name() const { return name_; }
  absl::string_view text() const { return content().text; }
  absl::string_view Slice(SourceRange range) const { return text().substr(range.begin, range.size()); }
  uint32_t size() const { return static_cast<uint32_t>(text().size()); }
  // Of a text that is made when it is first looked at; else null.
  const TextMaker* maker() const { return maker_.get(); }
  // Null if the text was not made from another one. A version with changes has none.
  const TextOrigin* origin() const { return origin_.get(); }

  // LF, CR-LF and lone CR end lines.
  uint32_t line_count() const { return static_cast<uint32_t>(content().line_starts.size()); }
  // The line's bytes without its line end.
  absl::string_view Line(uint32_t line) const;
  uint32_t LineStart(uint32_t line) const { return content().line_starts[line]; }

  LineColumn LineColumnAt(uint32_t offset, ColumnUnit unit = ColumnUnit::kUtf8) const;
  // Clamps a line or column beyond the end to the end. A column inside a character goes to its start.
  uint32_t OffsetAt(LineColumn position, ColumnUnit unit = ColumnUnit::kUtf8) const;

 private:
  // Where a character starts, and how many units of each kind come before it in the text.
  struct Checkpoint {
    uint32_t offset, utf16_units, utf32_units;
    uint32_t Units(ColumnUnit unit) const;
  };

  struct Content {
    std::string text;
    std::vector<uint32_t> line_starts;
    // One about every kCheckpointBytes, so that columns in lines of megabytes are found quickly; none if the text is
    // ASCII, where all units are bytes.
    std::vector<Checkpoint> checkpoints;

    // Whether a line starts at this offset, which is not 0.
    bool IsLineStart(uint32_t offset) const;
    // Sets line_starts and checkpoints.
    void Index();
    // The line starts of a text with CR.
    void IndexLinesWithReturns();
    void IndexCharacters();
  };

  SourceText(std::string name, Content content) : name_(std::move(name)), content_(std::move(content)) {}
  static Content ContentOf(std::string text);
  const Content& content() const {
    if (maker_ != nullptr) absl::call_once(made_, [this] { content_ = ContentOf(maker_->MakeText()); });
    return content_;
  }
  // Units before the character that holds `offset`.
  uint32_t UnitsBefore(uint32_t offset, ColumnUnit unit) const;

  std::string name_;
  std::shared_ptr<const TextOrigin> origin_;
  std::shared_ptr<const TextMaker> maker_;
  mutable absl::once_flag made_;
  mutable Content content_;  // with a maker: empty until it was called
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SOURCE_SOURCE_TEXT_H_
