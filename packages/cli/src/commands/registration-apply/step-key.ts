import { createHash } from "node:crypto";
import type { RequestParts } from "../../model/request.ts";
import { compactJson } from "../../output/json/json.ts";
import type { View } from "./present.ts";

/**
 * The idempotency key of one request of a run: the same for the same change of the same state, so that a run that takes
 * up an earlier one repeats nothing; another once the state is another, so that a value that was changed and changed
 * back is not taken for the first time it was set.
 */
export function stepKey(operationId: string, { path, body }: RequestParts, view: View | undefined): string {
  const before = view === undefined ? null : [String(view.id), view.updatedAt];
  const sent = Object.entries(body ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = compactJson([operationId, Object.entries(path).sort(), sent, before]);
  return `apply-${createHash("sha256").update(text).digest("hex").slice(0, 40)}`;
}
