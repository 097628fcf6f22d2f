// SPDX-License-Identifier: Apache-2.0
// The heat map and the histogram of the tensor view.
import type { Heat } from '../tensor/plane';
import type { Histogram } from '../tensor/statistics';
import { heatColour } from './colours';
import { element } from './dom';
import { short } from './numbers';

const PICTURE_SIZE = 420;

export function heatMap(heat: Heat, goTo: (row: number, column: number) => void): HTMLElement {
  if (heat.rows * heat.columns === 0) return element('p', {}, 'There are no elements.');
  const { smallest, largest } = heat;
  const text = `Heat map of ${heat.planeRows} by ${heat.planeColumns} elements, from ${short(smallest)} to ${short(largest)}`;
  const picture = element('canvas', { width: heat.columns, height: heat.rows, role: 'img', 'aria-label': text, tabindex: 0 });
  const zoom = PICTURE_SIZE / Math.max(heat.rows, heat.columns);
  picture.style.width = `${Math.max(heat.columns * zoom, 12)}px`;
  picture.style.height = `${Math.max(heat.rows * zoom, 12)}px`;
  const context = picture.getContext('2d')!;
  const pixels = context.createImageData(heat.columns, heat.rows);
  const range = largest - smallest;
  heat.values.forEach((value, index) => {
    const colour = Number.isNaN(value) ? [200, 0, 0] : heatColour(range > 0 ? (value - smallest) / range : 0.5);
    pixels.data.set([...colour, 255], 4 * index);
  });
  context.putImageData(pixels, 0, 0);

  const under = element('output', { class: 'where', 'aria-live': 'off' });
  const at = (event: MouseEvent): [number, number] => {
    const box = picture.getBoundingClientRect();
    const row = Math.floor(((event.clientY - box.y) / box.height) * heat.planeRows);
    const column = Math.floor(((event.clientX - box.x) / box.width) * heat.planeColumns);
    return [Math.min(Math.max(row, 0), heat.planeRows - 1), Math.min(Math.max(column, 0), heat.planeColumns - 1)];
  };
  picture.addEventListener('mousemove', (event) => {
    const [row, column] = at(event);
    const point = Math.floor((row * heat.rows) / heat.planeRows) * heat.columns + Math.floor((column * heat.columns) / heat.planeColumns);
    under.textContent = `[${row}, ${column}]: ${short(heat.values[point])}`;
  });
  picture.addEventListener('click', (event) => goTo(...at(event)));
  const legend = element('div', { class: 'legend' }, short(smallest), element('span', { class: 'ramp' }), short(largest));
  const stops = [0, 0.25, 0.5, 0.75, 1].map((position) => `rgb(${heatColour(position).join(',')})`);
  legend.querySelector<HTMLElement>('.ramp')!.style.background = `linear-gradient(to right, ${stops.join(',')})`;
  const averaged = heat.rows < heat.planeRows || heat.columns < heat.planeColumns;
  const notes = [
    ...(averaged ? ['Each point is the mean of several elements.'] : []),
    ...(heat.values.some(Number.isNaN) ? ['Red: nothing but NaN or infinity.'] : []),
  ];
  return element('div', {}, picture, legend, under, element('p', { class: 'where' }, notes.join(' ')));
}

export function histogram(data: Histogram | undefined): HTMLElement {
  if (data === undefined) return element('p', {}, 'There are no finite elements.');
  const highest = Math.max(...data.counts, 1);
  const width = (data.to - data.from) / data.counts.length;
  const bars = data.counts.map((count, index) => {
    const edges = `${short(data.from + index * width)} to ${short(data.from + (index + 1) * width)}`;
    const bar = element('li', { class: 'bar', title: `${edges}: ${count}`, 'aria-label': `${edges}: ${count}` });
    bar.style.height = `${(100 * count) / highest}%`;
    return bar;
  });
  return element('div', {},
    element('ul', { class: 'bars', 'aria-label': 'Histogram of the finite elements', tabindex: 0 }, ...bars),
    element('div', { class: 'axis' }, element('span', {}, short(data.from)), element('span', {}, `${highest} in the highest bar`),
      element('span', {}, short(data.to))));
}
