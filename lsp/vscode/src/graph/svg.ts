// SPDX-License-Identifier: Apache-2.0
// What the preview needs to know of the SVG that Graphviz writes.

export interface DrawnNode {
  /** Of the group in the picture. */
  id: string;
  /** Lines of its label: opcode, name, shape. */
  label: string[];
}

function unescape(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&quot;/g, '"').replace(/&amp;/g, '&');
}

/** The nodes of the picture, in its order. */
export function nodesOf(svg: string): DrawnNode[] {
  const nodes: DrawnNode[] = [];
  for (const match of svg.matchAll(/<g id="([^"]+)" class="node">([\s\S]*?)<\/g>/g)) {
    const label = [...match[2]!.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((text) => unescape(text[1]!));
    nodes.push({ id: match[1]!, label });
  }
  return nodes;
}

/** The name of the instruction that the node stands for. */
export function nameOf(node: DrawnNode): string | undefined {
  return node.label[1]?.replace(/^%/, '').replace(/^ROOT\s+/, '');
}

/** The picture without its prologue, ready to be put into a page; undefined if there is none. Scripts are dropped. */
export function innerSvg(text: string): string | undefined {
  const begin = text.indexOf('<svg'), end = text.lastIndexOf('</svg>');
  if (begin < 0 || end < begin) return undefined;
  return text.slice(begin, end + '</svg>'.length).replace(/<script[\s\S]*?<\/script>/gi, '');
}
