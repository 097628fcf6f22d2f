// SPDX-License-Identifier: Apache-2.0
#include "insight/html/timeline_script.h"

namespace hloscope::insight {

absl::string_view TimelineScript() {
  return R"js(
'use strict';
(() => {
const rowHeight = 22, headHeight = 18, whole = 4294967295;
function time(seconds) {
  for (const [unit, size] of [['s', 1], ['ms', 1e-3], ['us', 1e-6], ['ns', 1e-9]]) {
    if (Math.abs(seconds) >= size) return (seconds / size).toPrecision(4) + ' ' + unit;
  }
  return (seconds / 1e-12).toFixed(0) + ' ps';
}
function set(box) {
  const names = box.dataset.names.split('\n'), lanes = box.dataset.lanes.split('\n');
  const seconds = Number(box.dataset.seconds), raw = atob(box.dataset.events);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  const data = new Uint32Array(bytes.buffer), count = data.length / 4;
  // Events are sorted by lane and begin: lane, name, begin, duration.
  const first = new Uint32Array(lanes.length + 1).fill(count), longest = new Float64Array(lanes.length);
  for (let i = count; i-- > 0;) first[data[4 * i]] = i;
  for (let l = lanes.length; l-- > 0;) first[l] = Math.min(first[l], first[l + 1]);
  for (let i = 0; i < count; ++i) longest[data[4 * i]] = Math.max(longest[data[4 * i]], data[4 * i + 3]);
  const canvas = document.createElement('canvas'), tip = document.createElement('p');
  canvas.height = headHeight + rowHeight * lanes.length;
  box.append(canvas, tip);
  let from = 0, to = whole, drag = null, waiting = false;
  function firstFrom(lane, begin) {
    let low = first[lane], high = first[lane + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (data[4 * middle + 2] < begin) low = middle + 1; else high = middle;
    }
    return low;
  }
  function draw() {
    waiting = false;
    const width = canvas.width = Math.max(300, box.clientWidth);
    const pen = canvas.getContext('2d'), scale = width / (to - from), ink = getComputedStyle(box).color;
    pen.font = '11px system-ui,sans-serif';
    pen.fillStyle = ink;
    for (let x = 0; x < width; x += 150) {
      pen.fillText(time((from + x / scale) / whole * seconds), x + 3, 12);
      pen.fillRect(x, 0, 1, headHeight);
    }
    for (let lane = 0; lane < lanes.length; ++lane) {
      const y = headHeight + rowHeight * lane;
      let painted = -1;
      for (let i = firstFrom(lane, from - longest[lane]); i < first[lane + 1]; ++i) {
        const begin = data[4 * i + 2], left = (begin - from) * scale;
        if (begin > to) break;
        const right = Math.max(left + 1, left + data[4 * i + 3] * scale);
        if (right <= painted || right < 0) continue;
        pen.fillStyle = 'hsl(' + data[4 * i + 1] * 67 % 360 + ' 60% 55%)';
        pen.fillRect(left, y + 8, right - left, rowHeight - 10);
        if (right - left < 1.5) painted = Math.floor(right);
        if (right - left > 60) {
          pen.fillStyle = '#000';
          pen.save();
          pen.beginPath();
          pen.rect(left, y, right - left, rowHeight);
          pen.clip();
          pen.fillText(names[data[4 * i + 1]], Math.max(left, 0) + 2, y + 17);
          pen.restore();
        }
      }
      pen.fillStyle = ink;
      pen.fillText(lanes[lane], 2, y + 7);
    }
  }
  function again() {
    if (!waiting) requestAnimationFrame(draw);
    waiting = true;
  }
  function show(begin, end) {
    const length = Math.max(16, Math.min(whole, end - begin));
    from = Math.max(0, Math.min(begin, whole - length));
    to = from + length;
    again();
  }
  canvas.addEventListener('wheel', event => {
    event.preventDefault();
    const at = from + event.offsetX / canvas.width * (to - from), factor = event.deltaY > 0 ? 1.25 : 0.8;
    show(at - (at - from) * factor, at + (to - at) * factor);
  }, {passive: false});
  canvas.addEventListener('mousedown', event => { drag = {x: event.offsetX, from, to}; });
  addEventListener('mouseup', () => { drag = null; });
  canvas.addEventListener('dblclick', () => show(0, whole));
  canvas.addEventListener('mousemove', event => {
    if (drag) {
      const moved = (drag.x - event.offsetX) / canvas.width * (drag.to - drag.from);
      return show(drag.from + moved, drag.to + moved);
    }
    const lane = Math.floor((event.offsetY - headHeight) / rowHeight), at = from + event.offsetX / canvas.width * (to - from);
    if (lane < 0 || lane >= lanes.length) return;
    const near = (to - from) / canvas.width;
    for (let i = firstFrom(lane, at + near); i-- > first[lane];) {
      const begin = data[4 * i + 2], length = data[4 * i + 3];
      if (begin + length + near >= at) {
        tip.textContent = lanes[lane] + ': ' + names[data[4 * i + 1]] + ', ' + time(length / whole * seconds) + ' at ' +
            time(begin / whole * seconds);
        return;
      }
      if (begin < at - longest[lane] - near) break;
    }
    tip.textContent = ' ';
  });
  addEventListener('resize', again);
  draw();
}
for (const box of document.querySelectorAll('.tl')) set(box);
})();
)js";
}

}  // namespace hloscope::insight
