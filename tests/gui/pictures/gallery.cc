// SPDX-License-Identifier: Apache-2.0
#include "pictures/gallery.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <vector>

namespace hloscope::gui {
namespace {

// Of the sheet of a film: two steps in a row, each with a line of text.
constexpr int kFilmColumns = 2, kFrameCaption = 22, kFrameGap = 8;
constexpr QSize kFrameSize(520, 293);

struct Picture {
  QString name, caption;
  QSize size;
};

QString& Folder() {
  static QString folder;
  return folder;
}

std::vector<Picture>& Pictures() {
  static std::vector<Picture> pictures;
  return pictures;
}

}  // namespace

void SetPictureFolder(const QString& folder) { Folder() = folder; }

bool WriteIndex() {
  QFile file(QDir(Folder()).filePath(QStringLiteral("index.html")));
  if (!file.open(QIODevice::WriteOnly)) return false;
  QString page = QStringLiteral(
      "<!doctype html>\n<meta charset=\"utf-8\">\n<title>HLOscope: pictures</title>\n<style>\n"
      "body{font:15px/1.45 sans-serif;margin:24px;background:#e9ebee;color:#1f242b}\n"
      "main{display:grid;grid-template-columns:repeat(auto-fill,minmax(460px,1fr));gap:20px}\n"
      "figure{margin:0;padding:12px;background:#fff;border-radius:6px}\n"
      "img{display:block;max-width:100%;height:auto;margin:0 auto 8px;border:1px solid #ccd}\n"
      "small{color:#667}\n</style>\n<h1>HLOscope</h1>\n<main>\n");
  for (const Picture& picture : Pictures()) {
    page += QStringLiteral(
                "<figure><a href=\"%1.png\"><img src=\"%1.png\" alt=\"%2\" loading=\"lazy\"></a>"
                "<figcaption>%2 <small>%3 x %4</small></figcaption></figure>\n")
                .arg(picture.name, picture.caption.toHtmlEscaped())
                .arg(picture.size.width())
                .arg(picture.size.height());
  }
  return file.write((page + QStringLiteral("</main>\n")).toUtf8()) > 0;
}

void PictureCase::Save(QWidget* widget, const QString& name, QSize size, const QString& caption) {
  widget->resize(size);
  widget->show();
  WaitUntil([] { return false; }, 300);
  ASSERT_TRUE(widget->grab().save(QDir(Folder()).filePath(name + QStringLiteral(".png"))));
  Pictures().push_back({name, caption, widget->size()});
}

bool SaveFilmSheet(const QString& film, const QString& caption) {
  std::vector<Picture> steps;
  for (const Picture& picture : Pictures()) {
    if (picture.name.startsWith(film + QLatin1Char('_'))) steps.push_back(picture);
  }
  const auto rows = static_cast<int>((steps.size() + kFilmColumns - 1) / kFilmColumns);
  const QSize cell(kFrameSize.width(), kFrameSize.height() + kFrameCaption);
  const auto all = [](int count, int size) { return count * size + (count + 1) * kFrameGap; };
  QImage sheet(all(kFilmColumns, cell.width()), all(rows, cell.height()), QImage::Format_RGB32);
  sheet.fill(Qt::white);
  QPainter painter(&sheet);
  painter.setPen(Qt::black);
  for (size_t i = 0; i < steps.size(); ++i) {
    const int column = static_cast<int>(i) % kFilmColumns, row = static_cast<int>(i) / kFilmColumns;
    const QPoint at(all(column, cell.width()), all(row, cell.height()));
    const QImage frame(QDir(Folder()).filePath(steps[i].name + QStringLiteral(".png")));
    painter.drawImage(at, frame.scaled(kFrameSize, Qt::KeepAspectRatio, Qt::SmoothTransformation));
    painter.drawText(QRect(at + QPoint(0, kFrameSize.height()), QSize(cell.width(), kFrameCaption)),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(steps[i].caption, Qt::ElideRight, cell.width()));
  }
  painter.end();
  if (!sheet.save(QDir(Folder()).filePath(film + QStringLiteral(".png")))) return false;
  Pictures().push_back({film, caption, sheet.size()});
  return true;
}

void WindowPictureCase::SaveWindow(const char* name, QSize size, const char* caption) {
  window().resize(size);
  window().show();
  GraphPane* graph = window().graph_pane();
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out() && !window().session()->busy(); }, 60'000));
  Save(&window(), QLatin1String(name), size, QString::fromUtf8(caption));
}

void WindowPictureCase::ShowDock(const char* name, int height) {
  window().dock(name)->show();
  window().dock(name)->raise();
  window().resizeDocks({window().dock(name)}, {height}, Qt::Vertical);
}

}  // namespace hloscope::gui
