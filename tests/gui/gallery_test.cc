// The README's gallery shows pictures that `./dev screenshots` makes, and at least one of every panel.
#include <gtest/gtest.h>

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QSet>

namespace hloscope {
namespace {

QString ReadSourceFile(const QString& path) {
  QFile file(QStringLiteral(HLOSCOPE_SOURCE_DIR "/") + path);
  EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
  return QString::fromUtf8(file.readAll());
}

// What may be the name of a picture in the tests that make them; "%1" stands for a theme or a number. gallery.cc looks
// closer when the pictures are made.
QList<QRegularExpression> MadePictures() {
  static const QRegularExpression word(QStringLiteral("\"(\\w[\\w%]*)\""));
  QList<QRegularExpression> names;
  for (const char* file : {"tests/gui/pictures_test.cc", "tests/gui/panel_pictures_test.cc"}) {
    QRegularExpressionMatchIterator all = word.globalMatch(ReadSourceFile(QLatin1String(file)));
    while (all.hasNext()) {
      QString name = all.next().captured(1);
      name.replace(QRegularExpression(QStringLiteral("%[0-9]")), QStringLiteral("[a-z0-9]+"));
      if (name.size() > 4) names << QRegularExpression(QRegularExpression::anchoredPattern(name));
    }
  }
  return names;
}

TEST(GalleryTest, TheReadmeLinksPicturesThatAreMade) {
  static const QRegularExpression link(
      QStringLiteral("!\\[([^\\]]*)\\]\\(build/screenshots/(\\w+)\\.png\\)<br>([^|]*) \\|"));
  const QList<QRegularExpression> made = MadePictures();
  EXPECT_GT(made.size(), 25);
  QSet<QString> linked;
  const QString readme = ReadSourceFile(QStringLiteral("README.md"));
  QRegularExpressionMatchIterator links = link.globalMatch(readme);
  while (links.hasNext()) {
    const QRegularExpressionMatch match = links.next();
    const QString name = match.captured(2);
    bool is_made = false;
    for (const QRegularExpression& one : made) is_made |= one.match(name).hasMatch();
    EXPECT_TRUE(is_made) << name.toStdString() << " is in the README, but no test makes it";
    EXPECT_FALSE(linked.contains(name)) << name.toStdString() << " is there twice";
    // What is said to those who do not see a picture is what stands below it.
    EXPECT_EQ(match.captured(1), match.captured(3));
    linked.insert(name);
  }
  EXPECT_EQ(linked.size(), readme.count(QLatin1String("build/screenshots/")) - 1) << "a link is written in another way";
  // One at least of each panel.
  for (const char* name : {"stepping", "loop_1280x720", "whole_module", "window_tensor_720", "real_layout",
                           "broadcast_steps", "real_index_map", "real_sharding", "compared_graphs",
                           "rewrite_graphs_light", "cost_and_timeline", "broken", "welcome"}) {
    EXPECT_TRUE(linked.contains(QLatin1String(name))) << name << " is not in the README's gallery";
  }
}

}  // namespace
}  // namespace hloscope
