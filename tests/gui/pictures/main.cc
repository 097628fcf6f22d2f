// SPDX-License-Identifier: Apache-2.0
// hloscope_pictures FOLDER [CASE...]: writes pictures of the app into FOLDER; only those of the cases named, if any
// (`Class.Case`, with * and ?). Exit status 1 if one could not be made, 2 for wrong usage.
#include <gtest/gtest.h>

#include <QDir>
#include <cstdio>

#include "gui_test_support.h"
#include "pictures/gallery.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc < 2 || !QDir().mkpath(QString::fromLocal8Bit(argv[1]))) {
    std::fprintf(stderr, "usage: hloscope_pictures FOLDER [CASE...]\n");
    return 2;
  }
  hloscope::gui::SetPictureFolder(QString::fromLocal8Bit(argv[1]));
  QStringList cases;
  for (int i = 2; i < argc; ++i) cases << QString::fromLocal8Bit(argv[i]);
  if (!cases.empty()) testing::GTEST_FLAG(filter) = cases.join(QLatin1Char(':')).toStdString();
  const hloscope::gui::TestApplication application(argc, argv);
  const int status = RUN_ALL_TESTS();
  return hloscope::gui::WriteIndex() ? status : 1;
}
