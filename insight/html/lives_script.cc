// SPDX-License-Identifier: Apache-2.0
#include "insight/html/lives_script.h"

namespace hloscope::insight {

absl::string_view LivesScript() {
  return R"js(
'use strict';
(() => {
const listed = 200;
function size(bytes) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  let unit = 0;
  for (; bytes >= 1023.5 && unit + 1 < units.length; ++unit) bytes /= 1024;
  return (unit && bytes < 999.5 ? bytes.toPrecision(3) : bytes.toFixed(0)) + ' ' + units[unit];
}
function numbers(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return new Float64Array(bytes.buffer);
}
function made(parent, tag, text, set) {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  parent.append(Object.assign(element, set));
  return element;
}
function set(box) {
  const names = box.dataset.names.split('\n'), steps = box.dataset.steps.split('\n');
  // Begin, end and bytes of each array, the largest first; bytes alive at each step.
  const lives = numbers(box.dataset.lives), alive = numbers(box.dataset.alive);
  const line = made(box, 'p'), last = steps.length - 1;
  const back = made(line, 'button', 'Step before');
  const slider = made(line, 'input', '', {type: 'range', min: 0, max: last});
  const field = made(line, 'input', '', {type: 'number', min: 0, max: last});
  const on = made(line, 'button', 'Step after');
  const words = made(line, 'span'), table = made(box, 'table'), more = made(box, 'p');
  slider.setAttribute('aria-label', 'step');
  field.setAttribute('aria-label', 'number of the step');
  const head = made(made(table, 'thead'), 'tr');
  for (const title of ['array', 'in memory', 'bytes', 'first step', 'last step']) {
    made(head, 'th', title, {className: /array|memory/.test(title) ? '' : 'n'});
  }
  const body = made(table, 'tbody');
  function show(step) {
    step = Math.max(0, Math.min(last, Math.round(step) || 0));
    slider.value = field.value = step;
    const rows = [];
    let count = 0;
    for (let i = 0; i < names.length; ++i) {
      const begin = lives[3 * i], end = lives[3 * i + 1], bytes = lives[3 * i + 2];
      if (begin > step || end < step) continue;
      if (++count > listed) continue;
      const row = document.createElement('tr');
      made(made(row, 'td'), 'code', names[i]);
      made(row, 'td', size(bytes));
      for (const number of [bytes, begin, end]) made(row, 'td', String(number), {className: 'n'});
      rows.push(row);
    }
    body.replaceChildren(...rows);
    words.textContent = ' of ' + last + ': ' + steps[step] + ', ' + size(alive[step]) + ' alive in ' + count +
        (count === 1 ? ' array' : ' arrays');
    more.textContent = count > listed ? 'and ' + (count - listed) + ' smaller ones' : '';
  }
  slider.addEventListener('input', () => show(Number(slider.value)));
  field.addEventListener('change', () => show(Number(field.value)));
  back.addEventListener('click', () => show(Number(field.value) - 1));
  on.addEventListener('click', () => show(Number(field.value) + 1));
  const asked = /^#step=(\d+)$/.exec(location.hash);
  show(Number(asked ? asked[1] : box.dataset.first));
}
for (const box of document.querySelectorAll('.lv')) set(box);
})();
)js";
}

}  // namespace hloscope::insight
