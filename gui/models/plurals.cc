// SPDX-License-Identifier: Apache-2.0
#include "gui/models/plurals.h"

#include <algorithm>

namespace hloscope::gui {

QString EnglishPlurals::translate(const char*, const char* text, const char*, int count) const {
  if (count < 0) return QString();
  const QString source = QString::fromUtf8(text);
  QString result;
  qsizetype from = 0;
  for (;;) {
    const qsizetype open = source.indexOf(QLatin1Char('('), from);
    const qsizetype close = open < 0 ? -1 : source.indexOf(QLatin1Char(')'), open);
    if (close < 0) return result + source.mid(from);
    result += source.mid(from, open - from);
    const QString forms = source.mid(open + 1, close - open - 1);
    const qsizetype bar = forms.indexOf(QLatin1Char('|'));
    result += count == 1 ? forms.left(std::max<qsizetype>(bar, 0)) : forms.mid(bar + 1);
    from = close + 1;
  }
}

}  // namespace hloscope::gui
