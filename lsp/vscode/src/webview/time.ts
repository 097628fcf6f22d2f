// SPDX-License-Identifier: Apache-2.0
// The page of the time slider.
import { timeText, type FromTimeView, type RunTime, type ToTimeView } from '../debug/timeMessages';
import { button, element, root } from './dom';

const editor = acquireVsCodeApi();
const slider = element('input', { 'type': 'range', 'min': 0, 'max': 0, 'value': 0, 'step': 1, 'aria-label': 'Position of the run' });
const text = element('output', { 'aria-live': 'polite' });
let time: RunTime | undefined;

const tell = (message: FromTimeView): void => editor.postMessage(message);
function go(position: number): void {
  if (time === undefined) return;
  const wanted = Math.max(0, Math.min(time.known, position));
  if (wanted !== time.position) tell({ kind: 'go', position: wanted });
}

const buttons = [
  button('|◀', 'To the beginning', () => go(0)),
  button('◀', 'One step back', () => go((time?.position ?? 0) - 1)),
  button('▶', 'One step on, as far as the run is known', () => go((time?.position ?? 0) + 1)),
  button('▶|', 'To the last step that is known', () => go(time?.known ?? 0)),
];

function show(now: RunTime | undefined, otherwise: string): void {
  time = now;
  for (const control of [slider, ...buttons]) control.disabled = now === undefined;
  if (now !== undefined) {
    slider.max = String(now.known);
    slider.value = String(now.position);
  }
  text.textContent = now === undefined ? otherwise : timeText(now);
}

slider.addEventListener('input', () => {
  if (time !== undefined) text.textContent = timeText({ ...time, position: Number(slider.value) });
});
slider.addEventListener('change', () => go(Number(slider.value)));
window.addEventListener('message', ({ data }: MessageEvent<ToTimeView>) => {
  if (data.kind === 'time') show(data.time, '');
  else show(undefined, data.kind === 'running' ? 'running' : 'Debug a module to move through its run.');
});

root().append(element('div', { 'class': 'controls' }, ...buttons), slider, text);
show(undefined, 'Debug a module to move through its run.');
tell({ kind: 'ready' });
