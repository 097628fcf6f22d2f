// SPDX-License-Identifier: Apache-2.0
// The page of the graph preview: draws what it is sent, and is usable with keys alone.
import type { FromGraphView, ShownNode, ToGraphView } from '../graph/messages';
import { button, element, root } from './dom';
import { neighbour, type Box, type Direction } from './geometry';

const editor = acquireVsCodeApi<{ scale: number }>();
const send = (message: FromGraphView): void => editor.postMessage(message);

const ZOOM_STEP = 1.25;
const DIRECTIONS: Record<string, Direction> = {
  ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right',
};

interface View {
  node: ShownNode;
  group: SVGGElement;
}

const status = element('output', { id: 'status', 'aria-live': 'polite' });
const canvas = element('div', { id: 'canvas' });
const followBox = element('input', { type: 'checkbox', id: 'follow', checked: true });
let picture: SVGSVGElement | undefined;
let size = { width: 1, height: 1 };
let scale = editor.getState()?.scale ?? 1;
let views: View[] = [];
let current = -1;

function setScale(next: number): void {
  scale = Math.min(Math.max(next, 0.05), 8);
  editor.setState({ scale });
  picture?.setAttribute('width', `${size.width * scale}`);
  picture?.setAttribute('height', `${size.height * scale}`);
}

function fit(): void {
  setScale(Math.min(canvas.clientWidth / size.width, canvas.clientHeight / size.height, 2) * 0.98);
}

function select(index: number, focus: boolean): void {
  const view = views[index];
  if (view === undefined) return;
  views[current]?.group.classList.remove('selected');
  views[current]?.group.setAttribute('tabindex', '-1');
  current = index;
  view.group.classList.add('selected');
  view.group.setAttribute('tabindex', '0');
  view.group.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  if (focus) view.group.focus({ preventScroll: true });
  status.textContent = view.node.label;
}

function boxes(): Box[] {
  return views.map(({ group }) => {
    const box = group.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  });
}

function pressed(event: KeyboardEvent): void {
  const view = views[current];
  const direction = DIRECTIONS[event.key];
  if (direction !== undefined && view !== undefined && document.activeElement === view.group) {
    const next = neighbour(boxes(), current, direction);
    if (next !== undefined) select(next, true);
  } else if (event.key === 'Enter' && view !== undefined) {
    send({ kind: 'reveal', name: view.node.name, focus: true });
  } else if (event.key === ' ' && view !== undefined) {
    send({ kind: 'reveal', name: view.node.name, focus: false });
  } else if (event.key === '+' || event.key === '=') {
    setScale(scale * ZOOM_STEP);
  } else if (event.key === '-') {
    setScale(scale / ZOOM_STEP);
  } else if (event.key === '0') {
    fit();
  } else {
    return;
  }
  event.preventDefault();
}

/** The picture as elements, without anything that could act. */
function parse(svg: string): SVGSVGElement | undefined {
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  if (parsed.nodeName !== 'svg') return undefined;
  for (const inner of [parsed, ...parsed.querySelectorAll('*')]) {
    for (const { name } of [...inner.attributes]) {
      if (name.startsWith('on') || name.endsWith('href')) inner.removeAttribute(name);
    }
  }
  return document.importNode(parsed, true) as unknown as SVGSVGElement;
}

function show(message: Extract<ToGraphView, { kind: 'graph' }>): void {
  const next = parse(message.svg);
  if (next === undefined) return fail('The picture cannot be read.');
  const viewBox = next.viewBox.baseVal;
  size = { width: Math.max(viewBox.width, 1), height: Math.max(viewBox.height, 1) };
  next.setAttribute('role', 'group');
  next.setAttribute('aria-label', `Graph of ${message.title}`);
  const first = picture === undefined;
  picture = next;
  canvas.replaceChildren(next);
  canvas.classList.remove('failed', 'busy');
  views = [];
  current = -1;
  for (const node of message.nodes) {
    const group = next.getElementById(node.id) as SVGGElement | null;
    if (group === null) continue;
    const index = views.length;
    views.push({ node, group });
    group.querySelector('title')?.remove();
    group.setAttribute('role', 'button');
    group.setAttribute('aria-label', node.label);
    if (node.heat !== undefined) group.classList.add('measured', `heat${node.heat.level}`);
    group.setAttribute('tabindex', index === 0 ? '0' : '-1');
    group.addEventListener('click', () => {
      select(index, true);
      send({ kind: 'reveal', name: node.name, focus: false });
    });
    group.addEventListener('dblclick', () => send({ kind: 'reveal', name: node.name, focus: true }));
    group.addEventListener('focus', () => current !== index && select(index, false));
  }
  for (const title of next.querySelectorAll('g.edge > title, g.graph > title')) title.remove();
  if (first && editor.getState() === undefined) fit();
  else setScale(scale);
  status.textContent = `${message.title}: ${views.length} instructions`;
  if (message.selected !== undefined) selectName(message.selected);
}

function selectName(name: string): void {
  const index = views.findIndex((view) => view.node.name === name);
  if (index >= 0) select(index, false);
}

function fail(message: string): void {
  picture = undefined;
  views = [];
  canvas.replaceChildren(element('p', { role: 'alert' }, message));
  canvas.classList.remove('busy');
  canvas.classList.add('failed');
  status.textContent = '';
}

followBox.addEventListener('change', () => send({ kind: 'follow', on: followBox.checked }));
root().append(
  element('div', { role: 'toolbar', 'aria-label': 'Graph' },
    button('+', 'Zoom in (+)', () => setScale(scale * ZOOM_STEP)),
    button('\u2212', 'Zoom out (-)', () => setScale(scale / ZOOM_STEP)),
    button('Fit', 'Fit into the panel (0)', fit),
    element('label', { for: 'follow' }, followBox, ' Follow cursor'),
    status,
  ),
  canvas,
);
document.addEventListener('keydown', pressed);
canvas.addEventListener('wheel', (event) => {
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  setScale(scale * (event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP));
}, { passive: false });

window.addEventListener('message', ({ data }: MessageEvent<ToGraphView>) => {
  if (data.kind === 'graph') show(data);
  if (data.kind === 'select') selectName(data.name);
  if (data.kind === 'failure') fail(data.message);
  if (data.kind === 'busy') {
    canvas.classList.add('busy');
    status.textContent = `Drawing ${data.title} ...`;
  }
});
send({ kind: 'ready' });
