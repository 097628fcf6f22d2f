#include "gallery.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <algorithm>
#include <vector>

namespace hloscope {
namespace {

struct Picture {
  QString name, caption;
  QSize size;
};

QString Folder() { return qEnvironmentVariable("HLOSCOPE_PICTURES"); }

std::vector<Picture>& Pictures() {
  static std::vector<Picture> pictures;
  return pictures;
}

// Writes the page when all pictures are made.
class Index : public ::testing::Environment {
 public:
  void TearDown() override {
    if (Pictures().empty()) return;
    QFile file(QDir(Folder()).filePath(QStringLiteral("index.html")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
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
    file.write((page + QStringLiteral("</main>\n")).toUtf8());
    CheckReadme();
  }

 private:
  // What the README shows is among the pictures, unless only some were asked for.
  static void CheckReadme() {
    if (!::testing::GTEST_FLAG(filter).empty() && ::testing::GTEST_FLAG(filter) != "*Pictures*") return;
    QFile readme(QStringLiteral(HLOSCOPE_SOURCE_DIR "/README.md"));
    ASSERT_TRUE(readme.open(QIODevice::ReadOnly));
    static const QRegularExpression link(QStringLiteral("build/screenshots/(\\w+)\\.png"));
    QRegularExpressionMatchIterator links = link.globalMatch(QString::fromUtf8(readme.readAll()));
    while (links.hasNext()) {
      const QString name = links.next().captured(1);
      EXPECT_TRUE(std::any_of(Pictures().begin(), Pictures().end(), [&](const Picture& p) { return p.name == name; }))
          << "the README shows " << name.toStdString() << ", which was not made";
    }
  }
};

const auto* const kIndex = ::testing::AddGlobalTestEnvironment(new Index);

}  // namespace

void PictureTest::SetUp() {
  if (Folder().isEmpty()) GTEST_SKIP() << "set HLOSCOPE_PICTURES to a folder to get pictures";
}

void PictureTest::Save(QWidget* widget, const QString& name, QSize size, const QString& caption) {
  widget->resize(size);
  widget->show();
  WaitUntil([] { return false; }, 300);
  ASSERT_TRUE(widget->grab().save(QDir(Folder()).filePath(name + QStringLiteral(".png"))));
  Pictures().push_back({name, caption, widget->size()});
}

void WindowPictureTest::SaveWindow(const char* name, QSize size, const char* caption) {
  window().resize(size);
  window().show();
  GraphPane* graph = window().graph_pane();
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out() && !window().session()->busy(); }, 60'000));
  Save(&window(), QLatin1String(name), size, QString::fromUtf8(caption));
}

void WindowPictureTest::ShowDock(const char* name, int height) {
  window().dock(name)->show();
  window().dock(name)->raise();
  window().resizeDocks({window().dock(name)}, {height}, Qt::Vertical);
}

}  // namespace hloscope
