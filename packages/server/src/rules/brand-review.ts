// How the simulated registry moves a brand, and how carriers move an assignment: when, and to what.

import type { BrandStatus } from "./transitions.ts";

const HOUR_MS = 60 * 60 * 1_000;

const steps: Readonly<Partial<Record<BrandStatus, { readonly next: BrandStatus; readonly afterMs: number }>>> = {
  PENDING: { next: "IN_REVIEW", afterMs: HOUR_MS / 2 },
  IN_REVIEW: { next: "APPROVED", afterMs: HOUR_MS },
};

/** What follows the status in a review that began at `startedAt`, and when; undefined after its end. */
export function nextBrandStep(
  startedAt: number,
  current: BrandStatus,
): { readonly status: BrandStatus; readonly dueAt: number } | undefined {
  const step = steps[current];
  return step && { status: step.next, dueAt: startedAt + step.afterMs };
}

/** When an assignment that began at `startedAt` is confirmed by the carriers. */
export function assignmentDueAt(startedAt: number): number {
  return startedAt + HOUR_MS;
}
