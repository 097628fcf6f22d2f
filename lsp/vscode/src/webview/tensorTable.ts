// SPDX-License-Identifier: Apache-2.0
// The table of the tensor view: a window of cells that moves with the keys.
import type { Plane, Window } from '../tensor/plane';
import { element } from './dom';

export const TABLE_ROWS = 24;
export const TABLE_COLUMNS = 12;

export class TensorTable {
  readonly node = element('div', { id: 'table-pane' });
  private plane: Plane | undefined;
  private window: Window = { row: 0, column: 0, rows: TABLE_ROWS, columns: TABLE_COLUMNS };
  private size = { rows: 0, columns: 0 };
  private focused = { row: 0, column: 0 };
  private takeFocus = false;

  constructor(private readonly ask: (plane: Plane, window: Window) => void) {
    this.node.addEventListener('keydown', (event) => this.pressed(event));
  }

  /** Shows the plane from its first cell. */
  start(plane: Plane): void {
    this.plane = plane;
    this.focused = { row: 0, column: 0 };
    this.window = { row: 0, column: 0, rows: TABLE_ROWS, columns: TABLE_COLUMNS };
    this.takeFocus = false;
    this.ask(plane, this.window);
  }

  /** Goes to a cell, for instance from the heat map. */
  goTo(row: number, column: number): void {
    this.takeFocus = true;
    this.move(row, column);
  }

  received(plane: Plane, window: Window, rows: number, columns: number, cells: string[][]): void {
    this.plane = plane;
    this.window = window;
    this.size = { rows, columns };
    const head = element('tr', {}, element('td', {}));
    const width = cells[0]?.length ?? 0;
    for (let column = 0; column < width; ++column) head.append(element('th', { scope: 'col' }, String(window.column + column)));
    const body = cells.map((line, row) =>
      element('tr', { 'aria-rowindex': window.row + row + 1 },
        element('th', { scope: 'row' }, String(window.row + row)),
        ...line.map((text, column) => this.cell(text, window.row + row, window.column + column))));
    const table = element('table', { role: 'grid', 'aria-label': 'Elements', 'aria-rowcount': rows, 'aria-colcount': columns },
      element('thead', {}, head), element('tbody', {}, ...body));
    const where = rows * columns === 0
      ? 'There are no elements.'
      : `Rows ${window.row}\u2013${window.row + cells.length - 1} of ${rows}, columns ${window.column}\u2013` +
        `${window.column + width - 1} of ${columns}. Arrow keys, Page Up and Down, Home and End move.`;
    this.node.replaceChildren(table, element('p', { class: 'where' }, where));
    if (this.takeFocus) this.focusCell();
  }

  private cell(text: string, row: number, column: number): HTMLElement {
    const current = row === this.focused.row && column === this.focused.column;
    const special = /nan|inf/.test(text);
    const result = element('td', {
      'role': 'gridcell', 'tabindex': current ? 0 : -1, 'data-row': row, 'data-column': column,
      'aria-colindex': column + 1, 'class': special ? 'special' : undefined,
    }, text);
    result.addEventListener('focus', () => (this.focused = { row, column }));
    return result;
  }

  private focusCell(): void {
    const { row, column } = this.focused;
    this.node.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`)?.focus();
  }

  private move(row: number, column: number): void {
    if (this.plane === undefined) return;
    row = Math.min(Math.max(row, 0), this.size.rows - 1);
    column = Math.min(Math.max(column, 0), this.size.columns - 1);
    this.focused = { row, column };
    const begin = (at: number, from: number, extent: number): number =>
      at < from ? at : at >= from + extent ? at - extent + 1 : from;
    const next = {
      ...this.window,
      row: begin(row, this.window.row, TABLE_ROWS),
      column: begin(column, this.window.column, TABLE_COLUMNS),
    };
    if (next.row === this.window.row && next.column === this.window.column) return this.focusCell();
    this.takeFocus = true;
    this.ask(this.plane, next);
  }

  private pressed(event: KeyboardEvent): void {
    const { row, column } = this.focused;
    const all = event.ctrlKey || event.metaKey;
    const targets: Record<string, [number, number]> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      PageUp: [row - TABLE_ROWS, column],
      PageDown: [row + TABLE_ROWS, column],
      Home: [all ? 0 : row, 0],
      End: [all ? this.size.rows - 1 : row, this.size.columns - 1],
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.move(...target);
  }
}
