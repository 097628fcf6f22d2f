// SPDX-License-Identifier: Apache-2.0
#include "gui/views/picture_export.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QImage>
#include <QPageLayout>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>

#include "gui/models/whole_file.h"

namespace hloscope::gui {
namespace {

constexpr double kPixelsPerUnit = 2;
constexpr double kMostPixels = 1e8;
constexpr double kMostSide = 30'000;
// A page has no more: what is larger is drawn smaller. (PDF readers stop at 200 inches.)
constexpr double kMostPoints = 14'000;
constexpr int kPdfResolution = 72;
// A unit is a pixel to those who show drawings in pages.
constexpr int kScreenResolution = 96;

QString Tr(const char* text) { return QCoreApplication::translate("PictureExport", text); }

}  // namespace

QString PictureFilter() { return Tr("Drawings (*.svg *.pdf);;Images (*.png);;Pages (*.html)"); }

QByteArray HarmlessText(QString text) {
  for (QChar& c : text) {
    const char16_t u = c.unicode();
    const bool is_control = (u < 0x20 && u != '\n' && u != '\t') || (u >= 0x7F && u < 0xA0);
    const bool turns =
        u == 0x61C || u == 0x200E || u == 0x200F || (u >= 0x2028 && u <= 0x202E) || (u >= 0x2066 && u <= 0x2069);
    if (is_control || turns) c = QChar::ReplacementCharacter;
  }
  return text.toUtf8();
}

QString WritePicture(const QString& path, const QByteArray& content) {
  const QString problem = WriteWholeFile(path, content.data(), content.size());
  return problem.isEmpty() ? QString() : Tr("%1 could not be written: %2").arg(path, problem);
}

QByteArray SvgPicture(QSizeF size, const QString& title, const std::function<void(QPainter*, double)>& paint) {
  size = size.expandedTo(QSizeF(1, 1));
  QByteArray content;
  QBuffer buffer(&content);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(kScreenResolution);
  generator.setSize(size.toSize());
  generator.setViewBox(QRectF(QPointF(0, 0), size));
  generator.setTitle(title);
  QPainter painter(&generator);
  paint(&painter, 1);
  painter.end();
  return HarmlessText(QString::fromUtf8(content));
}

QString ExportPicture(const QString& path, QSizeF size, const QString& title,
                      const std::function<void(QPainter*, double)>& paint) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  size = size.expandedTo(QSizeF(1, 1));
  QByteArray content;
  QBuffer buffer(&content);
  if (suffix == QLatin1String("svg")) return WritePicture(path, SvgPicture(size, title, paint));
  if (suffix == QLatin1String("pdf")) {
    const double scale = std::min(1.0, kMostPoints / std::max(size.width(), size.height()));
    buffer.open(QIODevice::WriteOnly);
    {
      QPdfWriter writer(&buffer);
      writer.setTitle(QString::fromUtf8(HarmlessText(title)));
      writer.setResolution(kPdfResolution);
      writer.setPageSize(QPageSize(size * scale, QPageSize::Point, QString(), QPageSize::ExactMatch));
      writer.setPageMargins(QMarginsF());
      QPainter painter(&writer);
      paint(&painter, scale);
    }
    return WritePicture(path, content);
  }
  if (suffix == QLatin1String("png")) {
    double scale = std::min(kPixelsPerUnit, std::sqrt(kMostPixels / (size.width() * size.height())));
    scale = std::min(scale, kMostSide / std::max(size.width(), size.height()));
    QImage image((size * scale).toSize().expandedTo(QSize(1, 1)), QImage::Format_RGB32);
    if (image.isNull()) return Tr("There is not enough memory for the picture.");
    image.fill(Qt::white);
    QPainter painter(&image);
    paint(&painter, scale);
    painter.end();
    image.save(&buffer, "PNG");
    return WritePicture(path, content);
  }
  return Tr("%1: pictures are written as .svg, .pdf or .png").arg(path);
}

std::function<void(QPainter*, double)> PainterOf(QWidget* widget) {
  return [widget](QPainter* painter, double scale) {
    painter->scale(scale, scale);
    painter->fillRect(widget->rect(), widget->palette().color(QPalette::Window));
    widget->render(painter, QPoint(), QRegion(), QWidget::DrawChildren | QWidget::DrawWindowBackground);
  };
}

QString ExportWidget(const QString& path, QWidget* widget, const QString& title) {
  return ExportPicture(path, widget->size(), title, PainterOf(widget));
}

}  // namespace hloscope::gui
