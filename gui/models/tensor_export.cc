#include "gui/models/tensor_export.h"

#include <QSaveFile>
#include <string>

#include "absl/strings/str_cat.h"

namespace hloscope {

absl::Status WriteCsv(const QString& path, const ElementReader& reader, const TensorSlice& slice,
                      const std::atomic<bool>& cancelled) {
  QSaveFile file(path);
  const auto failure = [&] {
    return absl::UnavailableError(absl::StrCat(path.toStdString(), ": ", file.errorString().toStdString()));
  };
  if (!file.open(QIODevice::WriteOnly)) return failure();
  std::string buffer;
  for (int64_t row = 0; row < slice.rows(); ++row) {
    for (int64_t column = 0; column < slice.columns(); ++column) {
      const std::string text = reader.TextOf(slice.IndexOf({row, column}));
      const bool quoted = text.find(',') != std::string::npos;
      absl::StrAppend(&buffer, column > 0 ? "," : "", quoted ? "\"" : "", text, quoted ? "\"" : "");
      if (buffer.size() < 1 << 16) continue;
      if (cancelled) return absl::CancelledError("cancelled");
      if (file.write(buffer.data(), static_cast<qint64>(buffer.size())) < 0) return failure();
      buffer.clear();
    }
    buffer += '\n';
  }
  if (file.write(buffer.data(), static_cast<qint64>(buffer.size())) < 0 || !file.commit()) return failure();
  return absl::OkStatus();
}

}  // namespace hloscope
