import { createHash } from "node:crypto";
import type { RequestParts } from "../../model/request.ts";
import { compactJson } from "../../output/json/json.ts";
import type { View } from "./present.ts";

/**
 * The idempotency key of one request of a run: the same for the same change to the same state, so that a resumed run
 * repeats nothing; different once the state differs, so that setting a value again after it was changed back is not
 * mistaken for the first time.
 */
export function stepKey(operationId: string, { path, body }: RequestParts, view: View | undefined): string {
  const before = view === undefined ? null : [String(view.id), view.updatedAt];
  const sent = Object.entries(body ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = compactJson([operationId, Object.entries(path).sort(), sent, before]);
  return `apply-${createHash("sha256").update(text).digest("hex").slice(0, 40)}`;
}
