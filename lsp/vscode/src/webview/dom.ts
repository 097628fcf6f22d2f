// SPDX-License-Identifier: Apache-2.0
// Small helpers for building pages.

type Attributes = Record<string, string | number | boolean | undefined>;

/** An element with attributes (false and undefined: left out) and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const result = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) result.setAttribute(name, value === true ? '' : String(value));
  }
  result.append(...children);
  return result;
}

export function button(label: string, title: string, onClick: () => void): HTMLButtonElement {
  const result = element('button', { type: 'button', title, 'aria-label': title }, label);
  result.addEventListener('click', onClick);
  return result;
}

export function root(): HTMLElement {
  return document.getElementById('root')!;
}
