// SPDX-License-Identifier: Apache-2.0
// What `hloscope open --json` lists, as a tree.

export interface DumpListing {
  modules: {
    number: number; name: string; id: number; folder: string; bytes: number;
    stages: { order: number; name: string; file: string; kind: string; bytes: number; files: DumpFile[] }[];
    others: DumpFile[];
  }[];
}
interface DumpFile { file: string; kind: string; bytes: number }

export interface DumpNode {
  label: string;
  description: string;
  icon: string;
  /** Relative to the folder; of nodes that open something. */
  file?: string;
  /** Of nodes that are modules with several stages: what --module takes. */
  module?: string;
  /** undefined: it has none and cannot have any. */
  children?: DumpNode[];
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** Of nodes that are modules, whose cost can be told. */
export const STAGE_ICON = 'symbol-module';

/** What of `hloscope cost --json` is shown. */
export interface CostReport {
  total: { flops: number; bytes_read: number; bytes_written: number };
  memory: { peak_live_bytes: number };
}

export function costText({ total, memory }: CostReport): string {
  return `${total.flops} FLOP, ${sizeText(total.bytes_read + total.bytes_written)} moved, ${sizeText(memory.peak_live_bytes)} at the peak`;
}

function fileNode(file: DumpFile): DumpNode {
  return { label: file.file.split('/').pop()!, description: `${file.kind}, ${sizeText(file.bytes)}`, icon: 'file', file: file.file };
}

/** One stage is one entry if it has one file; what a file is called is its tooltip then. */
export function dumpTree(listing: DumpListing): DumpNode[] {
  return listing.modules.map((module) => {
    const stages = module.stages.map((stage): DumpNode => ({
      label: stage.name,
      description: sizeText(stage.bytes),
      icon: STAGE_ICON,
      file: stage.file,
      ...(stage.files.length > 1 ? { children: stage.files.map(fileNode) } : {}),
    }));
    const others = module.others.map(fileNode);
    const count = `${stages.length} ${stages.length === 1 ? 'stage' : 'stages'}`;
    return {
      label: module.name,
      description: [`id ${module.id}`, count, sizeText(module.bytes), module.folder].filter((part) => part !== '').join(', '),
      icon: 'package',
      ...(stages.length > 1 ? { module: String(module.number) } : {}),
      children: [...stages, ...others],
    };
  });
}
