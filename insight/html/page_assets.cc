// SPDX-License-Identifier: Apache-2.0
#include "insight/html/page_assets.h"

namespace hloscope::insight {

absl::string_view PageStyle() {
  return R"css(
:root{color-scheme:light;--bg:#fff;--fg:#1b1f24;--dim:#57606a;--line:#d0d7de;--head:#f6f8fa;--del:#ffebe9;--ins:#e6ffec;--chg:#fff8c5;--hit:#ffe08a;--link:#0550ae}
@media(prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;--bg:#0d1117;--fg:#e6edf3;--dim:#9198a1;--line:#30363d;--head:#161b22;--del:#4b1b20;--ins:#12371f;--chg:#3b2e0a;--hit:#7a5b00;--link:#79c0ff}}
:root[data-theme=dark]{color-scheme:dark;--bg:#0d1117;--fg:#e6edf3;--dim:#9198a1;--line:#30363d;--head:#161b22;--del:#4b1b20;--ins:#12371f;--chg:#3b2e0a;--hit:#7a5b00;--link:#79c0ff}
body{margin:0;background:var(--bg);color:var(--fg);font:14px/1.45 system-ui,sans-serif}
header{position:sticky;top:0;z-index:2;background:var(--head);border-bottom:1px solid var(--line);padding:8px 16px}
h1{display:inline;font-size:18px;margin-right:12px}
header span,output{color:var(--dim)}
.t{margin-top:6px}
.t input{width:min(40ch,50vw)}
.t>*{margin-right:8px}
main{padding:8px 16px}
details{margin:4px 0 4px 4px;border-left:2px solid var(--line);padding-left:10px}
summary{cursor:pointer;padding:2px 0}
a{color:var(--link)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:6px 0}
dt{color:var(--dim)}
dd{margin:0}
.w{overflow:auto;max-width:100%}
table{border-collapse:collapse;margin:6px 0}
th{position:sticky;top:0;background:var(--head);cursor:pointer;text-align:left}
th,td{border:1px solid var(--line);padding:2px 8px;vertical-align:top}
.n{text-align:right;font-variant-numeric:tabular-nums}
.k{overflow:auto;margin:6px 0}
.b{content-visibility:auto;contain-intrinsic-size:auto 3600px}
code,.k p,.s td{font:12px/18px ui-monospace,monospace}
.k p{margin:0;min-height:18px;white-space:pre;width:max-content;min-width:100%}
.s{table-layout:fixed;width:100%}
.s td{white-space:pre-wrap;overflow-wrap:anywhere}
del,.d{background:var(--del);text-decoration:none}
ins,.i{background:var(--ins);text-decoration:none}
.c{background:var(--chg)}
.m,:target,.y,.z{background:var(--hit)}
.x{display:none}
progress{width:8em;vertical-align:middle}
img{background:#fff;max-width:none}
.tp{display:flex;flex-wrap:wrap;gap:20px}
.tp canvas{image-rendering:pixelated;cursor:crosshair}
.tp p{color:var(--dim);max-width:60ch}
.tp table{outline-offset:2px}
.tp th{cursor:default}
)css";
}

absl::string_view PageScript() {
  return R"js(
'use strict';
(() => {
const one = id => document.getElementById(id);
const rows = () => document.querySelectorAll('.k p,.r');
let hits = [], at = -1, timer = 0;
function reveal(element) {
  for (let up = element.parentElement; up; up = up.parentElement) if (up.tagName === 'DETAILS') up.open = true;
  element.scrollIntoView({block: 'center'});
}
function search() {
  const words = one('q').value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of hits) row.classList.remove('y');
  hits = [];
  at = -1;
  if (words.length) {
    for (const row of rows()) {
      const text = row.textContent.toLowerCase();
      if (words.every(word => text.includes(word))) hits.push(row);
    }
  }
  for (const row of hits) row.classList.add('y');
  one('h').textContent = words.length ? hits.length + (hits.length === 1 ? ' line' : ' lines') : '';
}
function next() {
  if (!hits.length) return;
  at = (at + 1) % hits.length;
  reveal(hits[at]);
  one('h').textContent = (at + 1) + ' of ' + hits.length;
}
one('q').addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(search, 150); });
one('q').addEventListener('keydown', event => {
  if (event.key !== 'Enter') return;
  clearTimeout(timer);
  if (at < 0) search();
  next();
});
one('n').addEventListener('click', next);
const fold = open => { for (const part of document.querySelectorAll('main details')) part.open = open; };
one('o').addEventListener('click', () => fold(true));
one('f').addEventListener('click', () => fold(false));
one('l').addEventListener('click', () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme:dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
});
function toTarget() {
  if (location.hash.startsWith('#q=')) {
    one('q').value = decodeURIComponent(location.hash.slice(3));
    search();
    return next();
  }
  const target = location.hash.length > 1 && one(location.hash.slice(1));
  if (target) reveal(target);
}
addEventListener('hashchange', toTarget);
toTarget();
const amount = cell => {
  const value = parseFloat(cell.textContent.replace(/[\s,]/g, ''));
  return Number.isNaN(value) ? -Infinity : value;
};
function sort(head) {
  const column = head.cellIndex, body = head.closest('table').tBodies[0], numeric = head.className === 'n';
  const down = head.dataset.down !== '1';
  head.dataset.down = down ? '1' : '0';
  const list = [...body.rows].map(row => [numeric ? amount(row.cells[column]) : row.cells[column].textContent, row]);
  list.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0) * (down === numeric ? -1 : 1));
  body.append(...list.map(entry => entry[1]));
}
const isWord = c => /[\w.\-]/.test(c);
function wordAt(event) {
  const range = document.caretRangeFromPoint ? document.caretRangeFromPoint(event.clientX, event.clientY) : null;
  const node = range && range.startContainer;
  if (!node || node.nodeType !== 3) return '';
  const text = node.data;
  let begin = range.startOffset, end = begin;
  while (begin > 0 && isWord(text[begin - 1])) --begin;
  while (end < text.length && isWord(text[end])) ++end;
  return text.slice(begin, end);
}
function follow(word, from) {
  const begins = new RegExp('^\\s*(ROOT )?%?' + word.replace(/[.\-]/g, '\\$&') + ' [={(]');
  for (const scope of [from.closest('.k'), document.querySelector('main')]) {
    for (const line of scope.querySelectorAll('.k p')) {
      if (line !== from && begins.test(line.textContent)) return line;
    }
  }
  return null;
}
// Inside of an editor names lead to its texts.
const editor = typeof acquireVsCodeApi === 'function' ? acquireVsCodeApi() : null;
if (editor) document.documentElement.dataset.theme = /vscode-(dark|high-contrast(?!-light))/.test(document.body.className) ? 'dark' : 'light';
document.addEventListener('click', event => {
  const head = event.target.closest('th');
  if (head && !head.closest('.s,.tv')) return sort(head);
  const name = editor && event.target.closest('td code');
  if (name) {
    const row = [...name.closest('tr').cells].map(cell => cell.textContent);
    editor.postMessage({kind: 'reveal', name: name.textContent, row});
  }
  const line = event.target.closest('.k p');
  const word = line && String(getSelection()) === '' ? wordAt(event) : '';
  const target = word && follow(word, line);
  if (target) {
    for (const row of document.querySelectorAll('.z')) row.classList.remove('z');
    target.classList.add('z');
    reveal(target);
  }
});
document.documentElement.dataset.ready = '1';
})();
)js";
}

}  // namespace hloscope::insight
