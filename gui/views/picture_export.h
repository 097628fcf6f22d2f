// SPDX-License-Identifier: Apache-2.0
// Pictures of what the app shows for other programs: drawings (.svg, .pdf) or pixels (.png), by the ending.
#ifndef HLOSCOPE_GUI_VIEWS_PICTURE_EXPORT_H_
#define HLOSCOPE_GUI_VIEWS_PICTURE_EXPORT_H_

#include <QByteArray>
#include <QPainter>
#include <QSizeF>
#include <QString>
#include <QWidget>
#include <functional>

namespace hloscope::gui {

// Writes what `paint` draws at scale 1 into the size; pixels are two for each unit, fewer where the picture would have
// more than 100 million of them. What went wrong, for the user; empty if nothing.
QString ExportPicture(const QString& path, QSizeF size, const QString& title,
                      const std::function<void(QPainter* painter, double scale)>& paint);
// The drawing in an .svg file.
QByteArray SvgPicture(QSizeF size, const QString& title, const std::function<void(QPainter*, double)>& paint);
// Draws a widget as it is seen.
std::function<void(QPainter* painter, double scale)> PainterOf(QWidget* widget);
// The widget as it is seen.
QString ExportWidget(const QString& path, QWidget* widget, const QString& title);
// The endings, for a dialog that asks for a file; with those of pages (panel_page.h).
QString PictureFilter();

// The text of a picture, in which names keep no character that a terminal obeys, an XML reader refuses or that turns
// the direction of writing.
QByteArray HarmlessText(QString text);
// What went wrong, for the user; empty if nothing.
QString WritePicture(const QString& path, const QByteArray& content);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_PICTURE_EXPORT_H_
