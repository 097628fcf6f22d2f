// SPDX-License-Identifier: Apache-2.0
// Large modules.

/** A module of about so many bytes, with metadata as dumps have it. */
export function dumpOf(size) {
  const lines = ['HloModule large', '', 'ENTRY main {', '  p.0 = f32[128,256]{1,0} parameter(0)'];
  for (let i = 1, bytes = 0; bytes < size; ++i) {
    const line = `  add.${i} = f32[128,256]{1,0} add(p.0, ${i === 1 ? 'p.0' : `add.${i - 1}`}), metadata={op_name="jit(step)/layer_${i % 48}/add" source_file="/home/me/model.py" source_line=${i % 900 + 1}}`;
    lines.push(line);
    bytes += line.length + 1;
  }
  const last = lines.length - 1;
  lines[last] = lines[last].replace('  add', '  ROOT add');
  return `${[...lines, '}'].join('\n')}\n`;
}
