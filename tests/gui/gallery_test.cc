// SPDX-License-Identifier: Apache-2.0
// The README's gallery: pictures of the repository, few and small, that `./dev screenshots` makes.
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QImageReader>
#include <QRegularExpression>
#include <QSet>

namespace hloscope::gui {
namespace {

constexpr int kMaxPictures = 12;
constexpr qint64 kMaxBytes = 200'000;

QString SourcePath(const QString& path) { return QStringLiteral(HLOSCOPE_SOURCE_DIR "/") + path; }

QString ReadSourceFile(const QString& path) {
  QFile file(SourcePath(path));
  EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
  return QString::fromUtf8(file.readAll());
}

// Names without suffix.
QSet<QString> KeptPictures() {
  QSet<QString> names;
  for (const QFileInfo& file : QDir(SourcePath(QStringLiteral("docs/pictures"))).entryInfoList(QDir::Files)) {
    if (file.suffix() == QLatin1String("md")) continue;
    EXPECT_EQ(file.suffix(), QLatin1String("png")) << file.fileName().toStdString();
    names.insert(file.completeBaseName());
  }
  return names;
}

TEST(GalleryTest, PicturesAreFewSmallAndSharp) {
  const QSet<QString> names = KeptPictures();
  EXPECT_GE(names.size(), 6);
  EXPECT_LE(names.size(), kMaxPictures);
  for (const QString& name : names) {
    const QString path = SourcePath(QStringLiteral("docs/pictures/%1.png").arg(name));
    EXPECT_LE(QFileInfo(path).size(), kMaxBytes) << name.toStdString();
    const QSize size = QImageReader(path).size();
    EXPECT_GE(size.width(), 700) << name.toStdString();
  }
}

TEST(GalleryTest, TheReadmeShowsEveryPictureOnce) {
  static const QRegularExpression link(
      QStringLiteral("!\\[([^\\]]*)\\]\\(docs/pictures/(\\w+)\\.png\\)<br>([^|]*) \\|"));
  QSet<QString> shown;
  const QString readme = ReadSourceFile(QStringLiteral("README.md"));
  QRegularExpressionMatchIterator links = link.globalMatch(readme);
  while (links.hasNext()) {
    const QRegularExpressionMatch match = links.next();
    EXPECT_FALSE(shown.contains(match.captured(2))) << match.captured(2).toStdString() << " is there twice";
    // Who does not see a picture reads what the others read below it.
    EXPECT_EQ(match.captured(1), match.captured(3));
    shown.insert(match.captured(2));
  }
  EXPECT_EQ(shown, KeptPictures());
}

// `./dev screenshots --gallery` makes them again from what the program writes under these names; "%1" stands for a
// theme or a number.
TEST(GalleryTest, TheProgramMakesEveryPicture) {
  static const QRegularExpression word(QStringLiteral("\"(\\w[\\w%]*)\""));
  static const QRegularExpression part(QStringLiteral("%[0-9]"));
  QList<QRegularExpression> made;
  for (const char* file : {"tests/gui/pictures/window_pictures.cc", "tests/gui/pictures/panel_pictures.cc",
                           "tests/gui/pictures/film_strips.cc"}) {
    QRegularExpressionMatchIterator all = word.globalMatch(ReadSourceFile(QLatin1String(file)));
    while (all.hasNext()) {
      QString name = all.next().captured(1);
      name.replace(part, QStringLiteral("[a-z0-9]+"));
      if (name.size() > 3) made << QRegularExpression(QRegularExpression::anchoredPattern(name));
    }
  }
  for (const QString& name : KeptPictures()) {
    bool is_made = false;
    for (const QRegularExpression& one : made) is_made |= one.match(name).hasMatch();
    EXPECT_TRUE(is_made) << "no case of hloscope_pictures writes " << name.toStdString();
  }
}

}  // namespace
}  // namespace hloscope::gui
