// SPDX-License-Identifier: Apache-2.0
// The page of the drawing view: an array beside its memory, or the steps of a broadcast.
import { MOST_CELLS, memoryColumns, numberOf, planesOf, shapeParts } from '../drawing/grids';
import type { FromDrawingView, LayoutAnswer, Memory, ToDrawingView } from '../drawing/messages';
import { element, root } from './dom';

const editor = acquireVsCodeApi();
const status = element('output', { 'class': 'where', 'aria-live': 'polite' });

/** A grid that is walked with the arrow keys; `onCell` is called with the cell that has the focus or the mouse. */
function grid(label: string, rows: HTMLElement[][], heads: string[], onCell: (cell: HTMLElement) => void): HTMLElement {
  const cells = rows.map((row, at) => element('tr', {}, element('th', { scope: 'row' }, heads[at] ?? ''), ...row));
  const table = element('table', { 'role': 'grid', 'aria-label': label }, element('tbody', {}, ...cells));
  rows[0]?.[0]?.setAttribute('tabindex', '0');
  const at = (row: number, column: number): HTMLElement | undefined => rows[row]?.[column];
  rows.forEach((row, y) => row.forEach((cell, x) => {
    cell.addEventListener('mouseenter', () => onCell(cell));
    cell.addEventListener('focus', () => onCell(cell));
    cell.addEventListener('keydown', (event) => {
      const steps: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
      const step = steps[event.key];
      const next = step === undefined ? undefined : at(y + step[0], x + step[1]);
      if (next === undefined) return;
      event.preventDefault();
      cell.setAttribute('tabindex', '-1');
      next.setAttribute('tabindex', '0');
      next.focus();
    });
  }));
  return table;
}

function layoutFacts(layout: LayoutAnswer): HTMLElement {
  const rows: [string, string][] = [
    ['from fastest to slowest varying', layout.minor_to_major.length === 1 ? 'its one dimension' : `dimensions ${layout.minor_to_major.join(', ') || 'none'}`],
    ['elements', `${layout.elements} in ${layout.cells} cells`],
    ['bytes', `${layout.physical_bytes}, of which ${layout.data_bytes} hold data`],
    ['waste', `${(100 * layout.waste).toFixed(1)} %`],
  ];
  return element('dl', {}, ...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
}

function showLayout(layout: LayoutAnswer): void {
  const heading = element('h1', {}, 'Layout of ', element('code', {}, layout.shape));
  if (layout.addresses === undefined || layout.memory === undefined) {
    root().replaceChildren(heading, element('p', {}, 'There are too many elements to draw each of them.'),
      element('pre', { tabindex: 0 }, layout.text));
    return;
  }
  const addresses = layout.addresses;
  // Cells by element: the same element is lit on both sides.
  const places = new Map<number, HTMLElement[]>();
  const remember = (number: number, cell: HTMLElement): void => {
    cell.dataset['element'] = String(number);
    places.set(number, [...(places.get(number) ?? []), cell]);
  };
  const onCell = (cell: HTMLElement): void => {
    for (const lit of root().querySelectorAll('.lit')) lit.classList.remove('lit');
    for (const twin of places.get(Number(cell.dataset['element'] ?? -1)) ?? []) twin.classList.add('lit');
    status.textContent = cell.title;
  };
  const cellOf = (text: string, title: string, padding = false): HTMLElement =>
    element('td', { role: 'gridcell', tabindex: -1, title, 'aria-label': title, 'class': padding ? 'padding' : undefined }, text);

  const { planes, isWhole } = planesOf(layout.dimensions);
  const array = planes.map(({ prefix, rows }) => {
    const cells = rows.map((row) => row.map(({ element: number, index }) => {
      const address = addresses[number] ?? 0;
      const cell = cellOf(String(address), `element [${index.join(',')}] is in cell ${address}`);
      remember(number, cell);
      return cell;
    }));
    const name = prefix.length === 0 ? 'The array: the cell of each element' : `[${prefix.join(',')}, ...]`;
    return element('figure', {}, element('figcaption', {}, name), grid(name, cells, rows.map((_, at) => String(at)), onCell));
  });

  const pieces: Memory[] = layout.pieces > 1 ? (layout.memory as Memory[]) : [layout.memory as Memory];
  const columns = memoryColumns(layout.dimensions, layout.minor_to_major);
  const memory = pieces.map((cells, piece) => {
    const rows: HTMLElement[][] = [];
    cells.slice(0, MOST_CELLS).forEach((index, at) => {
      if (at % columns === 0) rows.push([]);
      const cell = index === null
        ? cellOf('', `cell ${at} is padding`, true)
        : cellOf(index.join(','), `cell ${at} holds element [${index.join(',')}]`);
      if (index !== null) remember(numberOf(index, layout.dimensions), cell);
      rows[rows.length - 1]!.push(cell);
    });
    const name = `The memory${pieces.length > 1 ? ` of piece ${piece}` : ''}: the element in each cell`;
    return element('figure', {}, element('figcaption', {}, name), grid(name, rows, rows.map((_, row) => String(row * columns)), onCell));
  });
  const cut = !isWhole || layout.cells > MOST_CELLS ? [element('p', { class: 'where' }, 'The beginning is drawn.')] : [];
  root().replaceChildren(heading, layoutFacts(layout), element('div', { id: 'pictures' }, element('div', {}, ...array), element('div', {}, ...memory)),
    status, ...cut, element('p', { class: 'where' }, 'Point at an element, or walk with the arrow keys, to see where it is.'));
}

/** A shape as a row of boxes, one for each dimension. */
function boxes(shape: string, repeated: readonly number[]): HTMLElement {
  const parts = shapeParts(shape);
  if (parts === undefined) return element('code', {}, shape);
  const sizes = parts.sizes.map((size, axis) => {
    const isNew = repeated.includes(axis);
    return element('span', { class: isNew ? 'box repeated' : 'box', title: `dimension ${axis}${isNew ? ', repeated' : ''}` }, size);
  });
  return element('span', { 'class': 'shape', 'aria-label': shape }, element('code', {}, parts.type),
    ...(sizes.length === 0 ? [element('span', { class: 'box' }, 'scalar')] : sizes));
}

const STEPS: Record<string, string> = {
  'scalar': 'the scalar becomes an array',
  'broadcast_dimensions': 'dimensions are put in their places',
  'degenerate dimensions': 'dimensions of size 1 are repeated',
};

function showBroadcast({ broadcast: answer, isWritten }: Extract<ToDrawingView, { kind: 'broadcast' }>): void {
  const name = (operand: string): string => (isWritten ? '' : operand === 'lhs' ? 'Left operand: ' : 'Right operand: ');
  const steps = answer.steps.map((step) => element('li', { tabindex: 0 },
    element('div', {}, element('strong', {}, `${name(step.operand)}${STEPS[step.kind] ?? step.kind}`)),
    element('div', { class: 'step' }, boxes(step.from, []), element('span', { 'aria-hidden': true }, ' \u2192 '), boxes(step.to, step.repeated_dimensions)),
    element('p', {}, step.explanation)));
  const heading = isWritten
    ? element('h1', {}, 'Broadcasting ', element('code', {}, answer.rhs), ' to ', element('code', {}, answer.lhs))
    : element('h1', {}, 'Broadcasting ', element('code', {}, answer.lhs), ' and ', element('code', {}, answer.rhs));
  const list = answer.steps.length === 0 ? element('p', {}, 'The shapes agree: nothing has to be done.') : element('ol', { id: 'steps' }, ...steps);
  const rest = isWritten ? [] : [
    element('p', {}, `${answer.op} of both gives `, boxes(answer.result, [])),
    element('h2', {}, 'As HLO'),
    element('pre', { tabindex: 0 }, answer.instructions.join('\n')),
  ];
  root().replaceChildren(heading, list, ...rest);
}

window.addEventListener('message', ({ data }: MessageEvent<ToDrawingView>) => {
  if (data.kind === 'layout') showLayout(data.layout);
  if (data.kind === 'broadcast') showBroadcast(data);
});
editor.postMessage({ kind: 'ready' } satisfies FromDrawingView);
