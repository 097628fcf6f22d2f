// SPDX-License-Identifier: Apache-2.0
// The page of the tensor view: slices on top; then table, heat map, histogram and statistics, each on a tab.
import type { FromTensorView, TensorDescription, ToTensorView } from '../tensor/messages';
import type { Plane } from '../tensor/plane';
import { element, root } from './dom';
import { share, short } from './numbers';
import { heatMap, histogram } from './tensorPictures';
import { TensorTable } from './tensorTable';

const editor = acquireVsCodeApi();
const send = (message: FromTensorView): void => editor.postMessage(message);
const PICTURE_POINTS = 256;

const TABS = ['Table', 'Heat map', 'Histogram', 'Statistics'] as const;
type Tab = (typeof TABS)[number];

let tensor: TensorDescription | undefined;
let plane: Plane | undefined;
let tab: Tab = 'Table';
const table = new TensorTable((asked, window) => send({ kind: 'cells', plane: asked, window }));
const slices = element('form', { id: 'slices', 'aria-label': 'Slice' });
const pane = element('section', { id: 'pane', role: 'tabpanel' });

function statisticsList(shown: TensorDescription): HTMLElement {
  const { statistics } = shown;
  const rows: [string, string][] = [
    ['elements', String(statistics.count)],
    ['smallest', short(statistics.smallest)],
    ['largest', short(statistics.largest)],
    ['mean', short(statistics.mean)],
    ['standard deviation', short(statistics.deviation)],
    ['zeros', share(statistics.zeros, statistics.count)],
    ['NaN', share(statistics.nans, statistics.count)],
    ['infinite', share(statistics.infinities, statistics.count)],
  ];
  return element('dl', { tabindex: 0 }, ...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
}

function refresh(): void {
  if (tensor === undefined || plane === undefined) return;
  pane.setAttribute('aria-label', tab);
  if (tab === 'Table') {
    pane.replaceChildren(table.node);
    table.start(plane);
  } else if (tab === 'Heat map') {
    pane.replaceChildren();
    send({ kind: 'heat', plane, limit: PICTURE_POINTS });
  } else {
    pane.replaceChildren(tab === 'Histogram' ? histogram(tensor.histogram) : statisticsList(tensor));
  }
}

function choose(next: Tab, focus: boolean): void {
  tab = next;
  for (const node of root().querySelectorAll<HTMLElement>('[role="tab"]')) {
    const chosen = node.textContent === next;
    node.setAttribute('aria-selected', String(chosen));
    node.tabIndex = chosen ? 0 : -1;
    if (chosen && focus) node.focus();
  }
  refresh();
}

function tabList(): HTMLElement {
  const list = element('div', { role: 'tablist', 'aria-label': 'Views' });
  for (const name of TABS) {
    const node = element('button', { 'type': 'button', 'role': 'tab', 'aria-selected': String(name === tab), 'tabindex': name === tab ? 0 : -1 }, name);
    node.addEventListener('click', () => choose(name, true));
    list.append(node);
  }
  list.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    choose(TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length]!, true);
  });
  return list;
}

/** One control per dimension: along rows, along columns, or an index. */
function buildSlices(): void {
  if (tensor === undefined || plane === undefined) return;
  const shown = plane;
  const controls = tensor.dimensions.map((size, axis) => {
    const role = element('select', { 'aria-label': `Dimension ${axis} of size ${size}` });
    for (const [value, text] of [['rows', 'rows'], ['columns', 'columns'], ['index', 'at index']] as const) {
      role.append(element('option', { value }, text));
    }
    role.value = shown.rowAxis === axis ? 'rows' : shown.columnAxis === axis ? 'columns' : 'index';
    const index = element('input', {
      type: 'number', min: 0, max: Math.max(size - 1, 0), step: 1, value: shown.fixed[axis] ?? 0, 'aria-label': `Index along dimension ${axis}`,
    });
    index.hidden = role.value !== 'index';
    role.addEventListener('change', () => setRole(axis, role.value));
    index.addEventListener('input', () => {
      if (plane === undefined || !index.checkValidity()) return;
      plane.fixed[axis] = index.valueAsNumber || 0;
      refresh();
    });
    return element('label', {}, `${axis} (${size}) `, role, index);
  });
  slices.replaceChildren(...controls);
  slices.hidden = controls.length === 0;
}

function setRole(axis: number, role: string): void {
  if (plane === undefined) return;
  // Two dimensions cannot both run along the rows: the other one gives way.
  const before = plane.rowAxis === axis ? 'rows' : plane.columnAxis === axis ? 'columns' : 'index';
  const displaced = role === 'rows' ? plane.rowAxis : role === 'columns' ? plane.columnAxis : undefined;
  if (before === 'rows') plane.rowAxis = undefined;
  if (before === 'columns') plane.columnAxis = undefined;
  if (role === 'rows') plane.rowAxis = axis;
  if (role === 'columns') plane.columnAxis = axis;
  if (displaced !== undefined && before === 'rows') plane.rowAxis = displaced;
  if (displaced !== undefined && before === 'columns') plane.columnAxis = displaced;
  buildSlices();
  refresh();
}

function build(shown: TensorDescription): void {
  root().replaceChildren(
    element('h1', {}, `${shown.name} `, element('code', {}, `${shown.type}[${shown.dimensions.join(',')}]`)),
    slices,
    tabList(),
    pane,
  );
}

slices.addEventListener('submit', (event) => event.preventDefault());
window.addEventListener('message', ({ data }: MessageEvent<ToTensorView>) => {
  if (data.kind === 'tensor') {
    tensor = data.tensor;
    plane = data.plane;
    build(tensor);
    buildSlices();
    choose('Table', false);
  }
  if (data.kind === 'cells') table.received(data.plane, data.window, data.rows, data.columns, data.cells);
  if (data.kind === 'heat' && tab === 'Heat map') {
    pane.replaceChildren(heatMap(data.heat, (row, column) => {
      choose('Table', false);
      table.goTo(row, column);
    }));
  }
  if (data.kind === 'failure') root().replaceChildren(element('p', { role: 'alert' }, data.message));
});
send({ kind: 'ready' });
