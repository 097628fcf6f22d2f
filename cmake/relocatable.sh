#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: relocatable.sh BUILD FOLDER
# Installs the programs of BUILD into FOLDER with every library that they load, down to the loader and the C library, so
# that the folder runs wherever it is put and whatever is installed there.
set -euo pipefail
build=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cmake --install "$build" --prefix "$folder" --component programs --strip >/dev/null
mkdir -p "$folder/libexec" "$folder/lib"

# The plugins that Qt and Graphviz look for at run time.
if [ -e "$folder/bin/hloscope-gui" ]; then
  plugins=$(qtpaths6 --query QT_INSTALL_PLUGINS 2>/dev/null || /usr/lib/qt6/bin/qmake6 -query QT_INSTALL_PLUGINS)
  mkdir -p "$folder/lib/qt6" "$folder/lib/graphviz"
  for plugin in platforms/libqxcb.so platforms/libqoffscreen.so platforms/libqwayland-generic.so platforminputcontexts imageformats iconengines; do
    [ ! -e "$plugins/$plugin" ] || (cd "$plugins" && cp -rL --parents "$plugin" "$folder/lib/qt6/")
  done
  graphviz=$(dirname "$(ldconfig -p | sed -n 's/.*libgvc\.so\.6 .*=> //p' | head -1)")/graphviz
  cp -L "$graphviz"/libgvplugin_core.so.6 "$graphviz"/libgvplugin_dot_layout.so.6 "$folder/lib/graphviz/"
fi

for program in "$folder"/bin/*; do mv "$program" "$folder/libexec/"; done
libraries_of() { ldd "$@" 2>/dev/null | sed -nE 's/^\t(.* => )?(\/[^ ]+) \(0x.*/\2/p' | sort -u; }
find "$folder/libexec" "$folder/lib" -type f \( -perm -u+x -o -name '*.so*' \) -print0 >"$folder/.programs"
mapfile -d '' programs <"$folder/.programs"
rm "$folder/.programs"
for library in $(libraries_of "${programs[@]}"); do cp -L "$library" "$folder/lib/$(basename "$library")"; done
loader=$(basename "$folder"/lib/ld-linux*.so.*)
if [ -d "$folder/lib/graphviz" ]; then
  # Graphviz reads the list of its plugins from a file that it writes when asked.
  GVBINDIR="$folder/lib/graphviz" LD_LIBRARY_PATH="$folder/lib" dot -c
fi

# The loader is what runs: a program finds its neighbours from there.
launcher() {
  cat <<EOF
#!/bin/sh
here=\$(cd -- "\$(dirname -- "\$(readlink -f -- "\$0")")/.." && pwd)
export HLOSCOPE_PROGRAM="\$here/bin/$1"
export QT_PLUGIN_PATH="\$here/lib/qt6" GVBINDIR="\$here/lib/graphviz"
exec "\$here/lib/$loader" --library-path "\$here/lib" "\$here/libexec/$1" "\$@"
EOF
}
for program in "$folder"/libexec/*; do
  name=$(basename "$program")
  launcher "$name" >"$folder/bin/$name"
  chmod +x "$folder/bin/$name"
done
