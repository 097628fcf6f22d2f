// SPDX-License-Identifier: Apache-2.0
#include "evaluator/tensor/npy.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "core/source/output_file.h"
#include "evaluator/tensor/summary.h"
#include "numerics/data_movement/strided_copy.h"
#include "numerics/elements/float_conversion.h"
#include "numerics/elements/numeric.h"

namespace hloscope::evaluator {
namespace {

constexpr absl::string_view kMagic("\x93NUMPY", 6);
// Real headers have a hundred bytes; a larger one is damage.
constexpr uint32_t kMaxHeaderBytes = 1 << 20;

absl::Status FileError(const std::string& path, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", what));
}

// The descr entry: byte order, kind letter, bytes of an item.
struct Descriptor {
  char order = '|';
  char kind = 'u';
  int64_t item_bytes = 1;
  std::string text;
};

struct Header {
  Descriptor descriptor;
  bool fortran_order = false;
  DimensionVector dimensions;
};

// Reads the Python dictionary {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }.
class HeaderReader {
 public:
  explicit HeaderReader(absl::string_view text) : rest_(text) {}

  std::optional<Header> Read() {
    Header header;
    bool has_descr = false, has_order = false, has_shape = false;
    if (!Take('{')) return std::nullopt;
    while (!Take('}')) {
      const std::optional<std::string> key = String();
      if (!key || !Take(':')) return std::nullopt;
      bool good = false;
      if (*key == "descr") {
        good = has_descr = Descr(&header.descriptor);
      } else if (*key == "fortran_order") {
        good = has_order = Bool(&header.fortran_order);
      } else if (*key == "shape") {
        good = has_shape = ReadShape(&header.dimensions);
      }
      if (!good) return std::nullopt;
      if (!Take(',') && !Peek('}')) return std::nullopt;
    }
    rest_ = absl::StripAsciiWhitespace(rest_);
    if (!rest_.empty() || !has_descr || !has_order || !has_shape) return std::nullopt;
    return header;
  }

 private:
  bool Peek(char c) {
    rest_ = absl::StripLeadingAsciiWhitespace(rest_);
    return !rest_.empty() && rest_[0] == c;
  }
  bool Take(char c) {
    if (!Peek(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool TakeWord(absl::string_view word) {
    rest_ = absl::StripLeadingAsciiWhitespace(rest_);
    return absl::ConsumePrefix(&rest_, word);
  }
  std::optional<std::string> String() {
    const char quote = Peek('"') ? '"' : '\'';
    if (!Take(quote)) return std::nullopt;
    const size_t end = rest_.find(quote);
    if (end == absl::string_view::npos) return std::nullopt;
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return text;
  }
  bool Descr(Descriptor* descriptor) {
    const std::optional<std::string> text = String();  // a list would describe a structured type
    if (!text || text->size() < 3 || absl::string_view("<>|=").find((*text)[0]) == absl::string_view::npos)
      return false;
    descriptor->order = (*text)[0];
    descriptor->kind = (*text)[1];
    descriptor->text = *text;
    return absl::SimpleAtoi(absl::string_view(*text).substr(2), &descriptor->item_bytes) && descriptor->item_bytes > 0;
  }
  bool Bool(bool* value) {
    *value = TakeWord("True");
    return *value || TakeWord("False");
  }
  bool ReadShape(DimensionVector* dimensions) {
    if (!Take('(')) return false;
    while (!Take(')')) {
      rest_ = absl::StripLeadingAsciiWhitespace(rest_);
      size_t digits = 0;
      while (digits < rest_.size() && absl::ascii_isdigit(static_cast<unsigned char>(rest_[digits]))) ++digits;
      int64_t size;
      if (!absl::SimpleAtoi(rest_.substr(0, digits), &size)) return false;
      rest_.remove_prefix(digits);
      TakeWord("L");  // Python 2 wrote long integers so
      dimensions->push_back(size);
      if (!Take(',') && !Peek(')')) return false;
    }
    return true;
  }

  absl::string_view rest_;
};

// The element type that .npy has under a code; kInvalid for codes without one.
ElementType NativeType(const Descriptor& descriptor) {
  switch (descriptor.kind) {
    case 'b':
      return descriptor.item_bytes == 1 ? ElementType::kPred : ElementType::kInvalid;
    case 'i':
      switch (descriptor.item_bytes) {
        case 1:
          return ElementType::kS8;
        case 2:
          return ElementType::kS16;
        case 4:
          return ElementType::kS32;
        case 8:
          return ElementType::kS64;
        default:
          return ElementType::kInvalid;
      }
    case 'u':
      switch (descriptor.item_bytes) {
        case 1:
          return ElementType::kU8;
        case 2:
          return ElementType::kU16;
        case 4:
          return ElementType::kU32;
        case 8:
          return ElementType::kU64;
        default:
          return ElementType::kInvalid;
      }
    case 'f':
      switch (descriptor.item_bytes) {
        case 2:
          return ElementType::kF16;
        case 4:
          return ElementType::kF32;
        case 8:
          return ElementType::kF64;
        default:
          return ElementType::kInvalid;
      }
    case 'c':
      if (descriptor.item_bytes == 8) return ElementType::kC64;
      return descriptor.item_bytes == 16 ? ElementType::kC128 : ElementType::kInvalid;
    default:
      return ElementType::kInvalid;
  }
}

// The code under which .npy stores a type; empty if it has none.
absl::string_view NativeCode(ElementType type) {
  switch (type) {
    case ElementType::kPred:
      return "|b1";
    case ElementType::kS8:
      return "|i1";
    case ElementType::kS16:
      return "<i2";
    case ElementType::kS32:
      return "<i4";
    case ElementType::kS64:
      return "<i8";
    case ElementType::kU8:
      return "|u1";
    case ElementType::kU16:
      return "<u2";
    case ElementType::kU32:
      return "<u4";
    case ElementType::kU64:
      return "<u8";
    case ElementType::kF16:
      return "<f2";
    case ElementType::kF32:
      return "<f4";
    case ElementType::kF64:
      return "<f8";
    case ElementType::kC64:
      return "<c8";
    case ElementType::kC128:
      return "<c16";
    default:
      return "";
  }
}

// What a file's array is read as: its own type, or raw bits for the codes with which extension types are written.
ElementType TypeInFile(const Descriptor& descriptor) {
  const ElementType native = NativeType(descriptor);
  if (native != ElementType::kInvalid) return native;
  const bool raw = descriptor.kind == 'V' || (descriptor.kind == 'f' && descriptor.item_bytes == 1);
  if (raw && descriptor.item_bytes == 1) return ElementType::kU8;
  if (raw && descriptor.item_bytes == 2) return ElementType::kU16;
  return ElementType::kInvalid;
}

void SwapBytes(uint8_t* data, int64_t bytes, int64_t unit) {
  for (int64_t i = 0; i < bytes; i += unit) std::reverse(data + i, data + i + unit);
}

struct File {
  Tensor tensor;
  Descriptor descriptor;
};

// What a file announces, with its bytes counted.
struct Announced {
  Header header;
  ElementType type;
  int64_t bytes;
};

// Leaves the stream at the first element. `path` is the name that errors give.
absl::StatusOr<Announced> ReadHeader(std::istream& stream, const std::string& path) {
  char preamble[8];
  if (!stream.read(preamble, sizeof(preamble)) || absl::string_view(preamble, 6) != kMagic) {
    return FileError(path, "is not an .npy file");
  }
  const int version = static_cast<unsigned char>(preamble[6]);
  if (version < 1 || version > 3) {
    return FileError(path, absl::StrCat("has version ", version, " of the .npy format; 1 to 3 can be read"));
  }
  unsigned char length_bytes[4] = {};
  if (!stream.read(reinterpret_cast<char*>(length_bytes), version == 1 ? 2 : 4)) {
    return FileError(path, "is truncated");
  }
  uint32_t length;
  std::memcpy(&length, length_bytes, sizeof(length));
  if (length > kMaxHeaderBytes) return FileError(path, "has an .npy header of an impossible size");
  std::string text(length, '\0');
  if (!stream.read(text.data(), static_cast<std::streamsize>(length))) return FileError(path, "is truncated");
  const std::optional<Header> header = HeaderReader(text).Read();
  if (!header) return FileError(path, "has an .npy header that is not understood");

  const ElementType type = TypeInFile(header->descriptor);
  if (type == ElementType::kInvalid) {
    return FileError(path, absl::StrCat("holds elements of type '", header->descriptor.text,
                                        "', which no HLO element type corresponds to"));
  }
  const absl::StatusOr<int64_t> count = CheckedElementCount(header->dimensions, StorageBytes(type));
  if (!count.ok()) return FileError(path, count.status().message());
  const int64_t bytes = *count * StorageBytes(type);
  // Before memory is taken for them, the bytes must be there.
  const std::streampos begin = stream.tellg();
  stream.seekg(0, std::ios::end);
  const std::streamoff available = stream.tellg() - begin;
  stream.seekg(begin);
  if (!stream || available != bytes) {
    return FileError(path, absl::StrCat(available < bytes ? "is truncated: " : "is too long: ", "its header announces ",
                                        bytes, " bytes of elements, ", static_cast<int64_t>(available), " follow"));
  }
  return Announced{*header, type, bytes};
}

absl::StatusOr<File> ReadFile(std::istream& stream, const std::string& path) {
  const absl::StatusOr<Announced> announced = ReadHeader(stream, path);
  if (!announced.ok()) return announced.status();
  const Header* const header = &announced->header;
  const ElementType type = announced->type;
  const int64_t bytes = announced->bytes;
  DimensionVector dimensions = header->dimensions;
  if (header->fortran_order) std::reverse(dimensions.begin(), dimensions.end());
  absl::StatusOr<Tensor> tensor = Tensor::Allocate(type, dimensions);
  if (!tensor.ok()) return absl::Status(tensor.status().code(), absl::StrCat(path, ": ", tensor.status().message()));
  if (!stream.read(reinterpret_cast<char*>(tensor->mutable_data()), bytes)) return FileError(path, "cannot be read");
  if (header->descriptor.order == '>') {
    SwapBytes(tensor->mutable_data(), bytes, StorageBytes(ComplexComponent(type)));
  }
  if (type == ElementType::kPred) {
    for (int64_t i = 0; i < bytes; ++i) tensor->mutable_data()[i] = tensor->data()[i] != 0;
  }
  if (!header->fortran_order) return File{*std::move(tensor), header->descriptor};
  DimensionVector strides(tensor->strides().begin(), tensor->strides().end());
  std::reverse(strides.begin(), strides.end());
  absl::StatusOr<Tensor> dense = tensor->View(header->dimensions, strides, 0).Contiguous();
  if (!dense.ok()) return dense.status();
  return File{*std::move(dense), header->descriptor};
}

// True if the elements of a file are numbers of a wider type, as programs write them that have no code for `type`.
bool AreWidened(const Descriptor& descriptor, ElementType type) {
  const ElementType native = NativeType(descriptor);
  return NativeCode(type).empty() && IsFloat(type) && (native == ElementType::kF32 || native == ElementType::kF64);
}

// True if a file with this descriptor may hold elements of `type`: under the type's own code, as raw bits or widened.
bool MayHold(const Descriptor& descriptor, ElementType type) {
  if (AreWidened(descriptor, type)) return true;
  if (descriptor.item_bytes != StorageBytes(type)) return false;
  const ElementType native = NativeType(descriptor);
  if (native == type || descriptor.kind == 'V') return true;
  if (NativeCode(type).empty()) return descriptor.item_bytes <= 2;
  return type == ElementType::kPred && (native == ElementType::kU8 || native == ElementType::kS8);
}

// Puts the bits of narrow elements into the form in which tensors hold them (docs/ops/elementwise.md 1.5).
void Canonicalize(Tensor* tensor, ElementType type) {
  uint8_t* data = tensor->mutable_data();
  const int64_t count = tensor->element_count();
  if (type == ElementType::kPred) {
    for (int64_t i = 0; i < count; ++i) data[i] = data[i] != 0;
  } else if (BitWidth(type) < 8) {
    for (int64_t i = 0; i < count; ++i) WriteBits(type, data[i], data + i);
  }
}

// The same numbers in a narrower type. Error InvalidArgument if it does not have all of them: rounding is not ours to
// do.
absl::StatusOr<Tensor> Narrow(const Tensor& wide, ElementType type, const std::string& path) {
  absl::StatusOr<Tensor> narrow = Tensor::Allocate(type, wide.dimensions());
  if (!narrow.ok()) return narrow;
  const uint8_t* from = wide.data();
  uint8_t* to = narrow->mutable_data();
  int64_t missing = 0, first = 0;
  for (int64_t i = 0; i < wide.element_count(); ++i, from += wide.element_bytes(), to += narrow->element_bytes()) {
    const double number = ElementAsDouble(wide.element_type(), from);
    const uint64_t bits = numerics::EncodeFloat(type, number);
    const double back = numerics::DecodeFloat(type, bits);
    if (back != number && !(std::isnan(back) && std::isnan(number)) && missing++ == 0) first = i;
    WriteBits(type, bits, to);
  }
  if (missing == 0) return narrow;
  return FileError(
      path, absl::StrCat("holds elements of type '", NativeCode(wide.element_type()), "', and ", ElementTypeName(type),
                         " does not represent ", missing, " of them (element ", first, " is ",
                         ElementAsDouble(wide.element_type(), wide.data() + first * wide.element_bytes()),
                         "): round them before they are written"));
}

std::string DimensionsText(absl::Span<const int64_t> dimensions) {
  return absl::StrCat("[", absl::StrJoin(dimensions, ","), "]");
}

// Error InvalidArgument, with both types or shapes, if a file's array is not a value of `shape`.
absl::Status CheckFits(const Descriptor& descriptor, absl::Span<const int64_t> dimensions, const Shape& shape,
                       const std::string& path) {
  const ElementType type = shape.element_type();
  if (!shape.IsArray()) {
    return FileError(path, absl::StrCat("an .npy file cannot hold a value of shape ", shape.ToString(false)));
  }
  if (!MayHold(descriptor, type)) {
    const absl::string_view code = NativeCode(type);
    return FileError(path,
                     absl::StrCat("holds elements of type '", descriptor.text, "', ", ElementTypeName(type), " needs ",
                                  code.empty() ? StorageBytes(type) == 1 ? "raw bits in '|u1'" : "raw bits in '<u2'"
                                               : absl::StrCat("'", code, "'")));
  }
  bool fits = static_cast<int64_t>(dimensions.size()) == shape.rank();
  for (int64_t i = 0; fits && i < shape.rank(); ++i) {
    const int64_t size = dimensions[static_cast<size_t>(i)];
    fits = shape.IsUnboundedDimension(i) || size == shape.dimension(i) ||
           (shape.IsDynamicDimension(i) && size < shape.dimension(i));
  }
  if (fits) return absl::OkStatus();
  return FileError(path, absl::StrCat("holds an array of dimensions ", DimensionsText(dimensions), ", ",
                                      shape.ToString(false), " is needed"));
}

// The array at the start of an array with the bounds of `shape`, the rest zero.
absl::StatusOr<Tensor> PadToBounds(const Tensor& tensor, const Shape& shape) {
  absl::StatusOr<Tensor> padded = Tensor::Zeros(shape.element_type(), shape.dimensions());
  if (!padded.ok()) return padded;
  numerics::CopyStrided(tensor.element_bytes(), tensor.dimensions(), tensor.data(), tensor.strides(),
                        padded->mutable_data(), padded->strides());
  padded->set_dynamic_sizes(DimensionVector(tensor.dimensions().begin(), tensor.dimensions().end()));
  return padded;
}

}  // namespace

absl::StatusOr<Tensor> ReadNpy(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return absl::NotFoundError(absl::StrCat(path, ": cannot be opened"));
  absl::StatusOr<File> file = ReadFile(stream, path);
  if (!file.ok()) return file.status();
  return file->tensor;
}

absl::StatusOr<Tensor> ReadNpy(const std::string& path, const Shape& shape) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return absl::NotFoundError(absl::StrCat(path, ": cannot be opened"));
  return ReadNpy(stream, path, shape);
}

absl::Status CheckNpy(const std::string& path, const Shape& shape) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return absl::NotFoundError(absl::StrCat(path, ": cannot be opened"));
  const absl::StatusOr<Announced> announced = ReadHeader(stream, path);
  if (!announced.ok()) return announced.status();
  return CheckFits(announced->header.descriptor, announced->header.dimensions, shape, path);
}

absl::StatusOr<Tensor> ReadNpy(std::istream& stream, const std::string& path, const Shape& shape) {
  absl::StatusOr<File> file = ReadFile(stream, path);
  if (!file.ok()) return file.status();
  Tensor& tensor = file->tensor;
  if (absl::Status status = CheckFits(file->descriptor, tensor.dimensions(), shape, path); !status.ok()) return status;
  const ElementType type = shape.element_type();
  if (AreWidened(file->descriptor, type)) {
    absl::StatusOr<Tensor> narrow = Narrow(tensor, type, path);
    if (!narrow.ok()) return narrow;
    tensor = *std::move(narrow);
  }
  bool is_smaller = false;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    is_smaller |= !shape.IsUnboundedDimension(i) && tensor.dimension(i) < shape.dimension(i);
  }
  Canonicalize(&tensor, type);
  if (is_smaller && !shape.HasUnboundedDimension()) return PadToBounds(tensor, shape);
  return tensor.WithElementType(type);
}

absl::Status WriteNpy(std::ostream& stream, const Tensor& tensor, const std::atomic<bool>* cancelled) {
  const ElementType type = tensor.element_type();
  absl::StatusOr<Tensor> dense = tensor.WithRunTimeSizes().Contiguous();
  if (!dense.ok()) return dense.status();
  absl::string_view code = NativeCode(type);
  if (code.empty()) {
    code = StorageBytes(type) == 1 ? "|u1" : "<u2";
    if (BitWidth(type) < 8 && IsSigned(type)) {
      // Raw bits have zeros above the type's width, tensors hold copies of the sign there.
      dense = dense->Copy();
      if (!dense.ok()) return dense.status();
      uint8_t* data = dense->mutable_data();
      for (int64_t i = 0; i < dense->byte_size(); ++i) data[i] = static_cast<uint8_t>(ReadBits(type, data + i));
    }
  }
  const absl::Span<const int64_t> dimensions = dense->dimensions();
  std::string header = absl::StrCat("{'descr': '", code, "', 'fortran_order': False, 'shape': (",
                                    absl::StrJoin(dimensions, ", "), dimensions.size() == 1 ? ",), }" : "), }");
  // Version 1 says the length of the header in two bytes, which a shape of very many dimensions exceeds. The elements
  // start at a multiple of 64 bytes.
  constexpr size_t kLongest = 65535, kAlignment = 64;
  const bool is_long = header.size() + kAlignment > kLongest;
  const size_t length_bytes = is_long ? 4 : 2;
  header.append(kAlignment - 1 - (kMagic.size() + 2 + length_bytes + header.size()) % kAlignment, ' ');
  header += '\n';
  stream << kMagic << (is_long ? '\2' : '\1') << '\0';
  for (size_t k = 0; k < length_bytes; ++k) stream << static_cast<char>(header.size() >> 8 * k & 0xff);
  stream << header;
  constexpr int64_t kPart = int64_t{4} << 20;
  const char* const bytes = reinterpret_cast<const char*>(dense->data());
  for (int64_t first = 0; first < dense->byte_size(); first += kPart) {
    if (cancelled != nullptr && cancelled->load(std::memory_order_relaxed)) {
      return absl::CancelledError("writing an array was interrupted");
    }
    stream.write(bytes + first, std::min(kPart, dense->byte_size() - first));
  }
  return absl::OkStatus();
}

absl::Status WriteNpy(const std::string& path, const Tensor& tensor, const std::atomic<bool>* cancelled) {
  absl::StatusOr<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  errno = 0;
  std::ofstream stream(file->path(), std::ios::binary | std::ios::trunc);
  if (!stream) return file->Error(errno);
  if (absl::Status status = WriteNpy(stream, tensor, cancelled); !status.ok()) return status;
  stream.close();
  if (stream.fail()) return file->Error(errno != 0 ? errno : EIO);
  return file->Finish();
}

}  // namespace hloscope::evaluator
