// SPDX-License-Identifier: Apache-2.0
#include "gui/models/tensor_export.h"

#include <QSaveFile>
#include <string>

#include "absl/strings/str_cat.h"
#include "gui/models/whole_file.h"

namespace hloscope::gui {

absl::Status WriteCsv(const QString& path, const ElementReader& reader, const TensorSlice& slice,
                      const std::atomic<bool>& cancelled) {
  QSaveFile file(path);
  const auto failure = [&](const QString& problem) {
    return absl::UnavailableError(absl::StrCat(path.toStdString(), ": ", problem.toStdString()));
  };
  if (!file.open(QIODevice::WriteOnly)) return failure(file.errorString());
  std::string buffer;
  qint64 written = 0;
  // False if it cannot be written.
  const auto flush = [&] {
    const auto size = static_cast<qint64>(buffer.size());
    if (file.write(buffer.data(), size) != size) return false;
    written += size;
    buffer.clear();
    return true;
  };
  for (int64_t row = 0; row < slice.rows(); ++row) {
    for (int64_t column = 0; column < slice.columns(); ++column) {
      const std::string text = reader.TextOf(slice.IndexOf({row, column}));
      const bool quoted = text.find(',') != std::string::npos;
      absl::StrAppend(&buffer, column > 0 ? "," : "", quoted ? "\"" : "", text, quoted ? "\"" : "");
      if (buffer.size() < 1 << 16) continue;
      if (cancelled) return absl::CancelledError("cancelled");
      if (!flush()) return failure(file.errorString());
    }
    buffer += '\n';
  }
  if (!flush()) return failure(file.errorString());
  const QString problem = Commit(&file, written);
  return problem.isEmpty() ? absl::OkStatus() : failure(problem);
}

}  // namespace hloscope::gui
