// SPDX-License-Identifier: Apache-2.0
// What `hloscope passes --json` says of the stages of a module, as a tree.
import { sizeText } from './dumpTree';

interface Size { instructions: number; flop: number; bytes: number; peak_bytes: number }

export interface PassStage extends Size {
  order: number;
  pass: string;
  pipeline: string;
  name: string;
  file: string;
  changed: boolean;
  added: string[];
  removed: string[];
  modified: string[];
  others: string[];
  before: Size;
  seconds?: number;
  problem?: string;
}
export interface PassListing { module: string; stages: PassStage[] }

export interface PassNode {
  label: string;
  description: string;
  tooltip: string;
  icon: string;
  /** Of stages and changes: the number of the stage in the listing. */
  stage: number;
  /** Of changes: the instruction, and whether it is in the stage before only. */
  instruction?: string;
  isRemoved?: boolean;
  children?: PassNode[];
}

const MOST_CHANGES = 200;

function figure(what: string, before: number, after: number, text: (n: number) => string): string | undefined {
  return before === after ? undefined : `${what} ${text(before)} → ${text(after)}`;
}

/** "FLOP 12 → 8, peak 1.0 KiB → 512 B"; undefined if the pass left all figures as they were. */
export function costChange(stage: PassStage): string | undefined {
  const { before } = stage;
  const parts = [
    figure('instructions', before.instructions, stage.instructions, String),
    figure('FLOP', before.flop, stage.flop, String),
    figure('moved', before.bytes, stage.bytes, sizeText),
    figure('peak', before.peak_bytes, stage.peak_bytes, sizeText),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(', ');
}

function changesOf(stage: PassStage, number: number): PassNode[] {
  const nodes: PassNode[] = stage.others.map((text) => ({ label: text, description: '', tooltip: text, icon: 'edit', stage: number }));
  const add = (names: string[], icon: string, what: string, isRemoved: boolean): void => {
    for (const name of names) nodes.push({ label: name, description: what, tooltip: `${name}: ${what}`, icon, stage: number, instruction: name, isRemoved });
  };
  add(stage.removed, 'diff-removed', 'removed', true);
  add(stage.added, 'diff-added', 'added', false);
  add(stage.modified, 'diff-modified', 'modified', false);
  if (nodes.length <= MOST_CHANGES) return nodes;
  const more = `${nodes.length - MOST_CHANGES} more changes`;
  return [...nodes.slice(0, MOST_CHANGES), { label: more, description: '', tooltip: more, icon: 'ellipsis', stage: number }];
}

function stageNode(stage: PassStage, number: number): PassNode {
  const label = `${stage.order} ${stage.pass}`;
  const place = { label, stage: number };
  if (stage.problem !== undefined) {
    return { ...place, description: stage.problem, tooltip: `${stage.file}\n${stage.problem}`, icon: 'error' };
  }
  const counts = [[stage.removed.length, '−'], [stage.added.length, '+'], [stage.modified.length, '~']] as const;
  const words = counts.filter(([count]) => count > 0).map(([count, sign]) => `${sign}${count}`);
  if (stage.changed && words.length === 0) words.push('module');
  if (stage.seconds !== undefined) words.push(`${stage.seconds.toFixed(3)} s`);
  const tooltip = [stage.file, stage.pipeline, costChange(stage) ?? `${stage.instructions} instructions`].filter((line) => line !== '').join('\n');
  const children = changesOf(stage, number);
  return {
    ...place,
    description: words.join(' '),
    tooltip,
    icon: stage.changed ? 'symbol-event' : 'circle-outline',
    ...(children.length > 0 ? { children } : {}),
  };
}

export interface PassFilter {
  /** Stages that changed nothing, too. */
  all: boolean;
  /** In names of passes, pipelines and changed instructions; '' : no search. */
  search: string;
}

/** The first stage is always there. */
export function passTree(listing: PassListing, filter: PassFilter): PassNode[] {
  const wanted = filter.search.toLowerCase();
  const has = (text: string): boolean => text.toLowerCase().includes(wanted);
  return listing.stages.flatMap((stage, number) => {
    const isFound = wanted === ''
      ? filter.all || number === 0 || stage.changed || stage.problem !== undefined
      : has(stage.pass) || has(stage.pipeline) || [...stage.added, ...stage.removed, ...stage.modified].some(has);
    return isFound ? [stageNode(stage, number)] : [];
  });
}

/** The stage before that can be read; the stage itself if it is the first. */
export function stageBefore(listing: PassListing, number: number): number {
  for (let k = number - 1; k >= 0; --k) if (listing.stages[k]!.problem === undefined) return k;
  return number;
}

/** What `hloscope passes --follow --json` says. */
export interface Trace {
  instruction: string;
  op_name: string;
  source: string;
  sureness: number;
  steps: { order: number; pass: string; file: string; what: string; instruction: string | null; computation?: string; sureness?: number; why?: string }[];
}

export interface TraceChoice { label: string; description: string; detail: string; order: number; instruction: string | null }

/** The ends of its way and the steps at which something happened. */
export function traceChoices(trace: Trace): TraceChoice[] {
  return trace.steps
    .filter((step, k) => step.what !== '' || k === 0 || k === trace.steps.length - 1)
    .map((step) => ({
      label: `${step.order} ${step.pass}`,
      description: step.what,
      detail: step.instruction === null
        ? 'not in this stage'
        : [`${step.instruction} in ${step.computation ?? '?'}`, step.what === '' || step.why === undefined ? '' : `${Math.round((step.sureness ?? 0) * 100)} % sure: ${step.why}`].filter((part) => part !== '').join(' · '),
      order: step.order,
      instruction: step.instruction,
    }));
}
