// Which single statements have a form for many units.

import { insertEntryStatement, leaseEntryStatement, takeEntryStatement } from "../accepted-queue.ts";
import { consentStatement } from "../consents.ts";
import { addToDayStatement } from "../daily-totals.ts";
import { findIdempotencyStatement, keepIdempotencyStatement } from "../idempotency.ts";
import { holdQuotaStatement, sendingMerchantStatement } from "../merchants.ts";
import {
  holdMessageStatement,
  progressStatement,
  saveOutcomeStatement,
  saveStatusStatement,
} from "../message-progress.ts";
import { insertLongContentStatement, insertMessageStatement } from "../messages.ts";
import { endDispatchStatement, saveDispatchStatement } from "../outbox.ts";
import { providerHealthStatement } from "../provider-health.ts";
import { textBlocksStatement } from "../text-lines.ts";
import {
  quotaStateStatement,
  releaseUnpaidStatement,
  reserveStatement,
  settleStatement,
  takeCreditsStatement,
} from "../usage.ts";
import { postgresDialect } from "./connection.ts";
import {
  daysAddedTo,
  endedDispatches,
  heldMessages,
  leasedEntries,
  lockedQuotas,
  messagesUnderWay,
  releases,
  savedDispatches,
  savedOutcomes,
  savedStatuses,
  settlements,
  takenEntries,
} from "./dispatch-forms.ts";
import {
  creditsTaken,
  earlierCalls,
  healths,
  newEntries,
  newKeys,
  newLongContents,
  newMessages,
  quotaStates,
  reservations,
  sendingMerchants,
  storedConsents,
  textBlocks,
} from "./send-forms.ts";
import type { Form, SetForm } from "./set-form.ts";

/**
 * In the order in which those that write are sent: messages, where they wait, and what nobody waits for; then quotas, which
 * all sends of a merchant wait for until the transaction ends, and what follows them.
 */
const forms = new Map<string, SetForm>(
  (
    [
      [holdMessageStatement, heldMessages],
      [insertMessageStatement, newMessages],
      [insertLongContentStatement, newLongContents],
      [insertEntryStatement, newEntries],
      [saveOutcomeStatement, savedOutcomes],
      [saveStatusStatement, savedStatuses],
      [leaseEntryStatement, leasedEntries],
      [takeEntryStatement, takenEntries],
      [saveDispatchStatement, savedDispatches],
      [endDispatchStatement, endedDispatches],
      [keepIdempotencyStatement, newKeys],
      [holdQuotaStatement, lockedQuotas],
      [settleStatement, settlements],
      [releaseUnpaidStatement, releases],
      [reserveStatement, reservations],
      [takeCreditsStatement, creditsTaken],
      [addToDayStatement, daysAddedTo],
      [progressStatement(postgresDialect), messagesUnderWay],
      [sendingMerchantStatement(postgresDialect), sendingMerchants],
      [quotaStateStatement(postgresDialect), quotaStates],
      [findIdempotencyStatement, earlierCalls],
      [consentStatement, storedConsents],
      [textBlocksStatement, textBlocks],
      [providerHealthStatement, healths],
    ] as const satisfies readonly (readonly [string, Form])[]
  ).map(([sql, form], rank) => [sql, { ...form, rank }]),
);

/** Each single statement with its form. */
export function listSetForms(): (readonly [string, SetForm])[] {
  return [...forms];
}

/** The form of a single statement; undefined if it has none. */
export function findSetForm(sql: string): SetForm | undefined {
  return forms.get(sql);
}
