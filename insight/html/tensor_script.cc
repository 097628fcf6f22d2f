// SPDX-License-Identifier: Apache-2.0
#include "insight/html/tensor_script.h"

namespace hloscope::insight {

absl::string_view TensorScript() {
  return R"js(
'use strict';
(() => {
const kinds = {f4: Float32Array, f8: Float64Array, i4: Int32Array, u4: Uint32Array, i8: BigInt64Array, u8: BigUint64Array, b: Uint8Array};
const most = 256, rowsShown = 20, columnsShown = 10;
function make(tag, inside, set) {
  const node = document.createElement(tag);
  node.append(...inside);
  return Object.assign(node, set);
}
function set(box) {
  const numbers = text => text === '' ? [] : text.split(',').map(Number);
  const {type, digits} = box.dataset, parts = Number(box.dataset.parts);
  const sizes = numbers(box.dataset.sizes), steps = numbers(box.dataset.steps), raw = atob(box.dataset.elements);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  const data = new kinds[type](bytes.buffer), ramp = box.dataset.ramp.split(' ').map(numbers);
  const strides = sizes.map((_, axis) => sizes.slice(axis + 1).reduce((a, b) => a * b, 1));
  const one = value => type === 'b' ? (value ? 'true' : 'false') : typeof value === 'bigint' ? String(value) :
      Number.isFinite(value) ? (Object.is(value, -0) ? '-0' : String(Number(value.toPrecision(digits)))) :
      Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  const text = at => parts === 1 ? one(data[at]) : '(' + one(data[2 * at]) + ', ' + one(data[2 * at + 1]) + ')';
  const amount = at => parts === 1 ? Number(data[at]) : Math.hypot(data[2 * at], data[2 * at + 1]);
  const rank = sizes.length, fixed = sizes.map(() => 0);
  let rowAxis = rank > 1 ? rank - 2 : -1, columnAxis = rank - 1, row = 0, column = 0, low = 0, high = 0;
  const extent = axis => axis < 0 ? 1 : sizes[axis], step = axis => axis < 0 ? 1 : steps[axis];
  const stride = axis => axis < 0 ? 0 : strides[axis];
  const base = () => fixed.reduce((sum, at, axis) => axis === rowAxis || axis === columnAxis ? sum : sum + at * strides[axis], 0);
  const place = (r, c) => base() + r * stride(rowAxis) + c * stride(columnAxis);
  const name = (r, c) => '[' + sizes.map((_, axis) => (axis === rowAxis ? r : axis === columnAxis ? c : fixed[axis]) * steps[axis]).join(',') + ']';
  const canvas = make('canvas', []), tip = make('output', []), table = make('table', [], {tabIndex: 0}), where = make('p', []);
  const scale = make('p', []), controls = make('p', []);
  function colour(value) {
    if (!Number.isFinite(value)) return [200, 0, 0];
    const at = (high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5) * (ramp.length - 1);
    const below = Math.min(Math.floor(at), ramp.length - 2);
    return ramp[below].map((from, i) => Math.round(from + (ramp[below + 1][i] - from) * (at - below)));
  }
  function drawTable() {
    const rows = extent(rowAxis), columns = extent(columnAxis);
    row = Math.max(0, Math.min(row, rows - rowsShown));
    column = Math.max(0, Math.min(column, columns - columnsShown));
    const lastRow = Math.min(rows, row + rowsShown), lastColumn = Math.min(columns, column + columnsShown);
    const head = make('tr', [make('td', [])]), lines = [head];
    for (let c = column; c < lastColumn; ++c) head.append(make('th', [String(c * step(columnAxis))]));
    for (let r = row; r < lastRow; ++r) {
      const line = make('tr', [make('th', [String(r * step(rowAxis))])]);
      for (let c = column; c < lastColumn; ++c) line.append(make('td', [text(place(r, c))], {className: 'n'}));
      lines.push(line);
    }
    table.replaceChildren(make('tbody', lines));
    where.textContent = 'Rows ' + row * step(rowAxis) + ' to ' + (lastRow - 1) * step(rowAxis) + ', columns ' + column * step(columnAxis) + ' to ' +
        (lastColumn - 1) * step(columnAxis) + '. Arrow keys, Page Up and Down, Home, End and the wheel move; a click on the picture goes there.';
  }
  function drawPicture() {
    const rows = extent(rowAxis), columns = extent(columnAxis), height = Math.min(rows, most), width = Math.min(columns, most);
    canvas.width = width;
    canvas.height = height;
    const zoom = Math.max(1, 420 / Math.max(width, height));
    canvas.style.width = Math.max(12, width * zoom) + 'px';
    canvas.style.height = Math.max(12, height * zoom) + 'px';
    const values = new Float64Array(width * height);
    low = Infinity;
    high = -Infinity;
    for (let y = 0; y < height; ++y) {
      for (let x = 0; x < width; ++x) {
        let sum = 0, count = 0;
        for (let r = Math.floor(y * rows / height); r < Math.floor((y + 1) * rows / height); ++r) {
          for (let c = Math.floor(x * columns / width); c < Math.floor((x + 1) * columns / width); ++c) {
            const value = amount(place(r, c));
            if (Number.isFinite(value)) { sum += value; ++count; }
          }
        }
        const mean = count ? sum / count : NaN;
        values[y * width + x] = mean;
        if (count) { low = Math.min(low, mean); high = Math.max(high, mean); }
      }
    }
    const pen = canvas.getContext('2d'), pixels = pen.createImageData(width, height);
    values.forEach((value, i) => pixels.data.set([...colour(value), 255], 4 * i));
    pen.putImageData(pixels, 0, 0);
    const notes = low > high ? ['no finite element'] : ['dark: ' + Number(low.toPrecision(6)) + ', bright: ' + Number(high.toPrecision(6))];
    if (width < columns || height < rows) notes.push('each point is a mean');
    if (values.some(value => !Number.isFinite(value))) notes.push('red: NaN or infinite');
    scale.textContent = notes.join('; ');
  }
  function draw() {
    drawPicture();
    drawTable();
  }
  function setRole(axis, role) {
    const was = axis === rowAxis ? 'rows' : axis === columnAxis ? 'columns' : 'at';
    const other = role === 'rows' ? rowAxis : role === 'columns' ? columnAxis : -1;
    if (was === 'rows') rowAxis = -1;
    if (was === 'columns') columnAxis = -1;
    if (role === 'rows') rowAxis = axis;
    if (role === 'columns') columnAxis = axis;
    if (was === 'rows' && other >= 0) rowAxis = other;
    if (was === 'columns' && other >= 0) columnAxis = other;
    row = column = 0;
    build();
    draw();
  }
  function build() {
    controls.replaceChildren(...sizes.map((size, axis) => {
      const role = make('select', ['rows', 'columns', 'at'].map(value => make('option', [value], {value})));
      role.setAttribute('aria-label', 'Dimension ' + axis);
      role.value = axis === rowAxis ? 'rows' : axis === columnAxis ? 'columns' : 'at';
      role.addEventListener('change', () => setRole(axis, role.value));
      const slider = make('input', [], {type: 'range', min: 0, max: size - 1, value: fixed[axis], hidden: role.value !== 'at'});
      slider.setAttribute('aria-label', 'Index of dimension ' + axis);
      const number = make('output', [role.value === 'at' ? String(fixed[axis] * steps[axis]) : '']);
      slider.addEventListener('input', () => {
        fixed[axis] = Number(slider.value);
        number.textContent = String(fixed[axis] * steps[axis]);
        draw();
      });
      return make('label', ['dimension ' + axis + ' (' + size + (steps[axis] > 1 ? ' of them, every ' + steps[axis] : '') + ') ', role, slider, number, ' ']);
    }));
  }
  const under = event => {
    const area = canvas.getBoundingClientRect(), clamp = (at, end) => Math.min(end - 1, Math.max(0, Math.floor(at)));
    return [clamp((event.clientY - area.y) / area.height * extent(rowAxis), extent(rowAxis)),
            clamp((event.clientX - area.x) / area.width * extent(columnAxis), extent(columnAxis))];
  };
  canvas.addEventListener('mousemove', event => {
    const [r, c] = under(event);
    tip.textContent = name(r, c) + ' ' + text(place(r, c));
  });
  canvas.addEventListener('click', event => {
    [row, column] = under(event);
    drawTable();
  });
  table.addEventListener('wheel', event => {
    event.preventDefault();
    if (event.shiftKey) column += Math.sign(event.deltaY); else row += 3 * Math.sign(event.deltaY);
    column += Math.sign(event.deltaX);
    drawTable();
  }, {passive: false});
  table.addEventListener('keydown', event => {
    const moves = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-rowsShown, 0], PageDown: [rowsShown, 0],
                   Home: [-row, -column], End: [extent(rowAxis), extent(columnAxis)]};
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    row += move[0];
    column += move[1];
    drawTable();
  });
  build();
  draw();
  box.replaceChildren(controls, make('div', [make('div', [canvas, scale, tip]), make('div', [table, where])], {className: 'tp'}));
}
for (const box of document.querySelectorAll('.tv')) set(box);
})();
)js";
}

}  // namespace hloscope::insight
