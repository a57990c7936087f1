// Finds the operation that a request is for, or that it was probably meant for.

import { type OperationId, operations } from "@msgctl/contract";

const known = (Object.keys(operations) as OperationId[]).map((operationId) => {
  const { method, path } = operations[operationId];
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
  return { operationId, method, path, pattern, pairs: pairsOf(path) };
});

export const operationIds: readonly OperationId[] = known.map(({ operationId }) => operationId);

/** Undefined if the contract has no such method and path. */
export function findOperation(method: string, path: string): OperationId | undefined {
  return known.find((each) => each.method === method && each.pattern.test(path))?.operationId;
}

/** The operations with this path, whatever the method; else the one with the most similar path, if any. */
export function findNearest(method: string, path: string): OperationId[] {
  const samePath = known.filter(({ pattern }) => pattern.test(path));
  if (samePath.length > 0) return samePath.map(({ operationId }) => operationId);
  const asked = pairsOf(path);
  const ranked = known
    .map((each) => ({ ...each, likeness: likeness(asked, each.pairs) + (each.method === method ? 0.05 : 0) }))
    .sort((one, other) => other.likeness - one.likeness);
  const [best] = ranked;
  return best === undefined || best.likeness < 0.6 ? [] : [best.operationId];
}

/** `sendSms (POST /api/v1/messages/sms)`. */
export function nameOperation(operationId: OperationId): string {
  const { method, path } = operations[operationId];
  return `${operationId} (${method} ${path})`;
}

/** Suggests operations for a request that matches none. */
export function describeAlternatives(method: string, path: string): string {
  const nearest = findNearest(method, path).map(nameOperation);
  const hint = nearest.length === 0 ? "" : `Did you mean ${nearest.join(" or ")}? `;
  return `${hint}Operations: ${operationIds.join(", ")}.`;
}

/** Pairs of adjacent letters after the prefix that all paths share. */
function pairsOf(path: string): ReadonlySet<string> {
  const own = path.replace(/^\/api\/v1/, "").toLowerCase();
  return new Set(Array.from({ length: Math.max(0, own.length - 1) }, (_, index) => own.slice(index, index + 2)));
}

/** 0 to 1: the share of common pairs (Sørensen–Dice). */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((pair) => other.has(pair)).length;
  return one.size + other.size === 0 ? 0 : (2 * shared) / (one.size + other.size);
}
