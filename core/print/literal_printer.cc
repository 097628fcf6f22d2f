// SPDX-License-Identifier: Apache-2.0
#include "core/print/literal_printer.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/print/number_printer.h"
#include "core/print/shape_printer.h"
#include "numerics/elements/float_conversion.h"

namespace hloscope {
namespace {

// Arrays with more elements, or more empty brace pairs, are written in a short form: a proto of a few bytes may have
// any size that holds no element.
constexpr int64_t kLongestArray = int64_t{1} << 24, kMostEmptyBraces = int64_t{1} << 12;
constexpr int64_t kHighestRank = 1000;

// Who takes a text in pieces.
using Taker = absl::FunctionRef<bool(absl::string_view)>;
constexpr size_t kPiece = size_t{1} << 14;

class ArrayPrinter {
 public:
  // `take` may be null: then all of the text is left in `out`.
  ArrayPrinter(const Literal& literal, bool index_comments, std::string* out, const Taker* take)
      : literal_(literal),
        type_(literal.shape().element_type()),
        rank_(literal.shape().rank()),
        index_comments_(index_comments),
        out_(out),
        take_(take) {}

  // False if the taker wants no more.
  bool Print() {
    if (rank_ == 0) {
      AppendElement(type_, literal_.ElementBytes(0), out_);
    } else {
      Level(0, 0);
    }
    return !is_stopped_;
  }

 private:
  // The braces of dimension `depth`; `outer_index` is the index in dimension depth - 1. Recursion is as deep as the
  // rank: beyond kHighestRank only where the text had as many braces, whose depth the reader limits.
  void Level(int64_t depth, int64_t outer_index) {
    const int64_t size = literal_.shape().dimension(depth);
    if (depth == rank_ - 1) {
      const bool blanks = rank_ > 1 && size > 1;
      out_->append(blanks ? "{ " : "{");
      for (int64_t i = 0; i < size && !is_stopped_; ++i) {
        if (i > 0) out_->append(", ");
        Element();
        PassOn();
      }
      out_->append(blanks ? " }" : "}");
      return;
    }
    out_->append("{ ");
    if (index_comments_ && rank_ >= 4 && depth > 0) {
      out_->append("/*i");
      AppendInteger(depth - 1, out_);
      out_->push_back('=');
      AppendInteger(outer_index, out_);
      out_->append(size > 0 ? "*/ " : "*/");
    }
    for (int64_t i = 0; i < size && !is_stopped_; ++i) {
      if (i > 0) out_->append(", ");
      Level(depth + 1, i);
      PassOn();  // there may be braces without elements
    }
    out_->append(" }");
  }

  void PassOn() {
    if (take_ == nullptr || out_->size() < kPiece || is_stopped_) return;
    is_stopped_ = !(*take_)(*out_);
    out_->clear();
  }

  void Element() {
    const uint8_t* bytes = literal_.ElementBytes(next_++);
    if (type_ == ElementType::kPred) {
      out_->push_back(bytes[0] != 0 ? '1' : '0');
    } else {
      AppendElement(type_, bytes, out_);
    }
  }

  const Literal& literal_;
  const ElementType type_;
  const int64_t rank_;
  const bool index_comments_;
  std::string* const out_;
  const Taker* const take_;
  int64_t next_ = 0;
  bool is_stopped_ = false;
};

// Brace pairs that the array needs although it has no element.
int64_t EmptyBraces(const Shape& shape) {
  int64_t braces = 1;
  for (int64_t size : shape.dimensions()) {
    if (size <= 0 || __builtin_mul_overflow(braces, size, &braces)) return size <= 0 ? braces : kMostEmptyBraces + 1;
  }
  return braces;
}

// True if all elements are the number of 0 or 1.
bool IsAll(const Literal& literal, double number) {
  const Shape& shape = literal.shape();
  const ElementType type = shape.element_type();
  std::string expected, element;
  std::vector<uint8_t> bytes(static_cast<size_t>(StorageBytes(type)), 0);
  if (number != 0) {
    if (IsComplex(type)) return false;
    const uint64_t one = KindOf(type) == ElementKind::kFloat ? EncodeFloat(type, number) : 1;
    std::memcpy(bytes.data(), &one, bytes.size());
  }
  const int64_t count = std::min(shape.ElementCount(), std::max<int64_t>(literal.StoredElementCount(), 1));
  for (int64_t i = 0; i < count; ++i) {
    if (std::memcmp(literal.ElementBytes(i), bytes.data(), bytes.size()) != 0) return false;
  }
  return number == 0 || literal.StoredElementCount() >= shape.ElementCount();
}

// The short forms of `essential`; false if the value is to be printed as usual.
bool AppendEssential(const Literal& literal, std::string* out) {
  const Shape& shape = literal.shape();
  if (literal.IsElided() || shape.ElementCount() < 0) return false;
  if (IsAll(literal, 0)) {
    out->push_back('0');
  } else if (IsAll(literal, 1)) {
    out->push_back('1');
  } else if (IsSigned(shape.element_type()) || IsUnsigned(shape.element_type())) {
    return false;
  } else {
    out->append("{...}");
  }
  return true;
}

// These are false if the taker wants no more.
bool AppendArray(const Literal& literal, const LiteralPrintOptions& options, std::string* out, const Taker* take) {
  const Shape& shape = literal.shape();
  if (options.shapes) out->append(ShapeText(shape, options.layouts)).push_back(' ');
  const int64_t count = shape.ElementCount();
  if (options.essential && AppendEssential(literal, out)) return true;
  if (literal.IsElided() || count < 0 || (!options.large && count > kMaxSmallConstant)) {
    out->append("{...}");
  } else if ((count > kLongestArray || shape.rank() > kHighestRank) && literal.StoredElementCount() <= 1 &&
             !IsComplex(shape.element_type())) {
    AppendElement(shape.element_type(), literal.ElementBytes(0), out);
  } else if (count == 0 && (EmptyBraces(shape) > kMostEmptyBraces || shape.rank() > kHighestRank)) {
    out->append("{...}");
  } else {
    return ArrayPrinter(literal, options.index_comments, out, take).Print();
  }
  return true;
}

bool AppendValue(const Literal& literal, const LiteralPrintOptions& options, std::string* out, const Taker* take) {
  const Shape& shape = literal.shape();
  if (shape.IsTuple()) {
    out->append("( ");
    for (size_t i = 0; i < literal.elements().size(); ++i) {
      if (i > 0) out->append(", ");
      if (!AppendValue(literal.elements()[i], options, out, take)) return false;
    }
    out->append(" )");
  } else if (shape.IsArray()) {
    return AppendArray(literal, options, out, take);
  } else {
    // No text can be written for tokens and opaques; the reader accepts none.
    out->append(ElementTypeName(shape.element_type()).data(), ElementTypeName(shape.element_type()).size());
  }
  return true;
}

}  // namespace

void AppendLiteral(const Literal& literal, const LiteralPrintOptions& options, std::string* out) {
  AppendValue(literal, options, out, nullptr);
}

std::string PrintLiteral(const Literal& literal, const LiteralPrintOptions& options) {
  std::string out;
  AppendLiteral(literal, options, &out);
  return out;
}

bool PrintLiteralInPieces(const Literal& literal, const LiteralPrintOptions& options, Taker take) {
  std::string out;
  return AppendValue(literal, options, &out, &take) && take(out);
}

}  // namespace hloscope
