// Sums over many worlds, independent of which process ran them and in which order.

import type { WorldResult } from "../world/world.ts";

export interface Failure {
  readonly seed: number;
  readonly invariant: string;
  readonly detail: string;
}

export interface Tally {
  readonly seeds: number;
  readonly steps: number;
  readonly failures: readonly Failure[];
  /** Digests of all traces in hex, combined by XOR: independent of their order. */
  readonly digest: string;
  /** Number of worlds that reached each probe. */
  readonly probes: Readonly<Record<string, number>>;
}

const NOTHING = "0".repeat(64);

export const nothing: Tally = { seeds: 0, steps: 0, failures: [], digest: NOTHING, probes: {} };

export function tallyOf(seed: number, { digest, steps, probes, failure }: WorldResult): Tally {
  return {
    seeds: 1,
    steps,
    failures: failure === undefined ? [] : [{ seed, ...failure }],
    digest,
    probes: Object.fromEntries(Array.from(probes, (probe) => [probe, 1])),
  };
}

export function add(one: Tally, other: Tally): Tally {
  const probes = { ...one.probes };
  for (const [probe, count] of Object.entries(other.probes)) probes[probe] = (probes[probe] ?? 0) + count;
  return {
    seeds: one.seeds + other.seeds,
    steps: one.steps + other.steps,
    failures: [...one.failures, ...other.failures].sort((first, second) => first.seed - second.seed),
    digest: addDigests(one.digest, other.digest),
    probes,
  };
}

function addDigests(one: string, other: string): string {
  return (BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(16).padStart(NOTHING.length, "0");
}
