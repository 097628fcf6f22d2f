// SPDX-License-Identifier: Apache-2.0
#include "gui/views/live_document.h"

#include <utility>

namespace hloscope::gui {

LiveDocument::LiveDocument(QPlainTextEdit* view) : QObject(view), view_(view) {
  pool_.setMaxThreadCount(1);
  rest_.setSingleShot(true);
  rest_.setInterval(kRestMs);
  connect(&rest_, &QTimer::timeout, this, &LiveDocument::Start);
  Follow(view_->document());
}

void LiveDocument::Follow(QTextDocument* text) {
  disconnect(followed_);
  followed_ = connect(text, &QTextDocument::contentsChange, this, [this](int position, int removed, int added) {
    ++version_;
    if (document_ == nullptr || view_->isReadOnly()) return;
    tracker_.Change(position, removed, added, view_->document()->characterCount() - 1);
    if (!tracker_.is_empty()) rest_.start();
  });
}

LiveDocument::~LiveDocument() {
  pool_.clear();
  pool_.waitForDone();
}

void LiveDocument::Reset(std::shared_ptr<const Document> document) {
  ++version_;
  rest_.stop();
  document_ = std::move(document);
  tracker_.Reset(view_->document()->characterCount() - 1);
}

std::string LiveDocument::CurrentText() const {
  if (document_ == nullptr) return std::string();
  if (!pending()) return std::string(document_->source().text());
  return AfterEdit(document_->source(), tracker_.EditOf(document_->source(), *view_->document()));
}

void LiveDocument::Start() {
  if (document_ == nullptr || !pending()) return;
  const int version = version_;
  pool_.clear();
  pool_.start([this, version, base = document_, edit = tracker_.EditOf(document_->source(), *view_->document())] {
    std::shared_ptr<const Document> next = base->WithEdit({edit});
    QMetaObject::invokeMethod(this, [this, version, next = std::move(next)] {
      // Something was typed meanwhile: the rest after it makes another version.
      if (version != version_) return;
      Reset(next);
      Q_EMIT Updated(next);
    });
  });
}

}  // namespace hloscope::gui
