// SPDX-License-Identifier: Apache-2.0
// What `hloscope compare --json` says of two runs, as a list to choose from.

export interface Divergence {
  a: string;
  b: string;
  path_a: string;
  frontier: boolean;
  executions: number;
  mismatch?: string;
  elements?: number;
  beyond?: number;
  max_relative?: number;
  max_ulps?: number;
}
export interface ComparisonReport {
  agree: boolean;
  instructions: number;
  matched: number;
  results: { agrees: boolean }[];
  divergences: Divergence[];
}
export interface DivergenceChoice { label: string; description: string; detail: string; divergence: Divergence }

const MOST = 500;

function differenceText(one: Divergence): string {
  if (one.mismatch !== undefined) return `the shapes differ: ${one.mismatch}`;
  const times = one.executions > 1 ? `, in ${one.executions} executions` : '';
  return `${one.beyond ?? 0} of ${one.elements ?? 0} elements beyond the tolerance, largest ${(one.max_relative ?? 0).toPrecision(3)} relative, ${one.max_ulps ?? 0} ulp${times}`;
}

/** Where agreement ends comes first. */
export function divergenceChoices(report: ComparisonReport): DivergenceChoice[] {
  const sorted = [...report.divergences.filter((one) => one.frontier), ...report.divergences.filter((one) => !one.frontier)];
  return sorted.slice(0, MOST).map((one) => ({
    label: one.a === one.b ? one.a : `${one.a} against ${one.b}`,
    description: one.frontier ? 'agreement ends here' : '',
    detail: `${one.path_a} · ${differenceText(one)}`,
    divergence: one,
  }));
}

export function summaryOf(report: ComparisonReport): string {
  const agreeing = report.results.filter((result) => result.agrees).length;
  return `${agreeing} of ${report.results.length} results agree; ${report.divergences.length} of ${report.matched} compared instructions differ`;
}
