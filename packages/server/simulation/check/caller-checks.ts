// Checks, at the end of a world, that the replies to callers were true.

import type { Acknowledged } from "../world/callers.ts";
import type { Database } from "../world/database.ts";
import type { Request } from "../world/instance.ts";
import { tenants } from "../world/population.ts";
import { Violation } from "./violation.ts";

/** Statements that list the ids created by each operation. Merchants are not checked: a later request may change them. */
const made: Readonly<Record<string, string>> = {
  sendSms: "SELECT message_id AS id FROM messages",
  sendEmail: "SELECT message_id AS id FROM messages",
  createTtsCalls: "SELECT batch_id AS id FROM tts_batches WHERE is_accepted = 1",
  requestUpgrade: "SELECT payment_id AS id FROM payments",
  recordConsent: `
    SELECT merchant_id || ' ' || channel || ' ' || contact || ' ' || status AS id
      FROM consent_history WHERE source = 'caller'`,
};

/** Checks that every row exists whose creation was acknowledged to a caller. */
export async function checkAcknowledged(database: Database, acknowledged: readonly Acknowledged[]): Promise<void> {
  for (const [operationId, told] of groupByOperation(acknowledged)) {
    const statement = made[operationId];
    if (statement === undefined) continue;
    const rows = await database.all<{ id: string | number }>(statement);
    const there = new Set(rows.map(({ id }) => String(id)));
    for (const { request, id } of told) {
      if (there.has(idOf(request) ?? id)) continue;
      throw new Violation("nothing acknowledged is lost", `${operationId} ${request.key}: ${id}`);
    }
  }
}

function groupByOperation(acknowledged: readonly Acknowledged[]): Map<string, Acknowledged[]> {
  const groups = new Map<string, Acknowledged[]>();
  for (const one of acknowledged) {
    const { operationId } = one.request;
    groups.set(operationId, [...(groups.get(operationId) ?? []), one]);
  }
  return groups;
}

/** The id of a decision; undefined if the service assigns the id. */
function idOf({ operationId, merchantId, body }: Request): string | undefined {
  if (operationId !== "recordConsent") return undefined;
  const { channel, contact, status } = body as Readonly<Record<string, string>>;
  return `${merchantId} ${channel} ${contact} ${status}`;
}

/** Checks that a request was not performed if the reply to each of its attempts said so. */
export async function checkUndone(database: Database, undone: readonly Request[]): Promise<void> {
  const kept = await database.all<{ id: string }>(
    `SELECT t.name || ' ' || k.operation || ' ' || k.idempotency_key AS id
       FROM idempotency_keys k JOIN tenants t ON t.tenant_id = k.tenant_id`,
  );
  const done = new Set(kept.map(({ id }) => id));
  for (const { key, tenant, operationId, idempotencyKey } of undone) {
    if (!done.has(`${tenants[tenant]} ${operationId} ${idempotencyKey}`)) continue;
    throw new Violation("a request reported as not done was not done", `${operationId} ${key} was done`);
  }
}
