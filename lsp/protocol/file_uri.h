// SPDX-License-Identifier: Apache-2.0
// `file:` URIs and paths.
#ifndef HLOSCOPE_LSP_PROTOCOL_FILE_URI_H_
#define HLOSCOPE_LSP_PROTOCOL_FILE_URI_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace hloscope::lsp {

// The path that a `file:` URI names, percent signs decoded; nullopt for other schemes and other hosts.
std::optional<std::string> PathFromUri(absl::string_view uri);

// `file:///...` for an absolute path.
std::string UriFromPath(absl::string_view path);

// The file's name without folders.
absl::string_view FileName(absl::string_view path);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_PROTOCOL_FILE_URI_H_
