// Which operation a request is for, and which one it may have been meant for.

import { type OperationId, operations } from "@msgctl/contract";

const known = (Object.keys(operations) as OperationId[]).map((operationId) => {
  const { method, path } = operations[operationId];
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
  return { operationId, method, path, pattern, pairs: pairsOf(path) };
});

export const operationIds: readonly OperationId[] = known.map(({ operationId }) => operationId);

/** Undefined where the contract has no such method and path. */
export function findOperation(method: string, path: string): OperationId | undefined {
  return known.find((each) => each.method === method && each.pattern.test(path))?.operationId;
}

/** The operations whose path is this one, whatever the method; else the one whose path is most like it, if any is. */
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

/** What there is instead of a request of no operation. */
export function describeAlternatives(method: string, path: string): string {
  const nearest = findNearest(method, path).map(nameOperation);
  const hint = nearest.length === 0 ? "" : `Did you mean ${nearest.join(" or ")}? `;
  return `${hint}Operations: ${operationIds.join(", ")}.`;
}

/** Neighbouring letters below the prefix that all paths have. */
function pairsOf(path: string): ReadonlySet<string> {
  const own = path.replace(/^\/api\/v1/, "").toLowerCase();
  return new Set(Array.from({ length: Math.max(0, own.length - 1) }, (_, index) => own.slice(index, index + 2)));
}

/** 0 to 1: the share of pairs that both have (Sørensen–Dice). */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((pair) => other.has(pair)).length;
  return one.size + other.size === 0 ? 0 : (2 * shared) / (one.size + other.size);
}
