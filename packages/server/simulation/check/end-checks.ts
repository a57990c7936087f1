// Checks of a world once all its work has ended.

import { checkInvariants } from "../../src/store/invariants.ts";
import { handsOver, type Plan } from "../plan/plan.ts";
import type { Acknowledged } from "../world/callers.ts";
import type { Database } from "../world/database.ts";
import type { Request, Surroundings } from "../world/instance.ts";
import { checkAllowances, checkPayments, checkThresholds } from "./billing-checks.ts";
import {
  checkBatchesTold,
  checkEndsTold,
  checkMessageOrder,
  checkMessagesTold,
  checkOrder,
  checkToldOnce,
} from "./callback-checks.ts";
import { checkAcknowledged, checkUndone } from "./caller-checks.ts";
import {
  checkCalls,
  checkGiven,
  checkOptOuts,
  checkPatience,
  checkReceipts,
  checkRemovals,
  checkReviews,
} from "./carrier-checks.ts";
import { Violation } from "./violation.ts";

export interface End {
  readonly plan: Plan;
  readonly database: Database;
  readonly surroundings: Surroundings;
  /** Acknowledged requests, except those that a restored backup may lack. */
  readonly acknowledged: readonly Acknowledged[];
  /** Requests whose callers were told at every attempt that nothing was done. */
  readonly undone: readonly Request[];
  /** Step of the world at which a backup was last restored; undefined if none was. */
  readonly restoredAt: number | undefined;
}

/** Time for which callbacks are certain to be retried. */
const CALLBACKS_LAST_MS = 72 * 60 * 60 * 1_000;

type Check = () => void | Promise<void>;

interface MessageRow {
  readonly messageId: string;
  readonly status: string;
  readonly providerMessageId: string | null;
  readonly tenantId: number;
  readonly channel: "SMS" | "EMAIL" | "VOICE";
}

/** Lists the checks of a world whose work has ended. */
export async function createEndChecks(end: End): Promise<Check[]> {
  const { plan, database, surroundings, acknowledged, undone, restoredAt } = end;
  const hasRestored = restoredAt !== undefined;
  const messages = await database.all<MessageRow>(
    `SELECT message_id AS "messageId", status, provider_message_id AS "providerMessageId", tenant_id AS "tenantId", channel
       FROM messages`,
  );
  const statuses = new Map(messages.map((message) => [message.messageId, message]));
  return [
    async () => {
      for (const { name, faults } of await checkInvariants(database.reader)) {
        if (faults.length > 0) throw new Violation(name, JSON.stringify(faults.slice(0, 3)));
      }
    },
    () => checkAcknowledged(database, acknowledged),
    () => checkUndone(database, undone),
    () => checkClaims(messages, surroundings, hasRestored),
    () => checkAllowances(database, plan),
    () => checkThresholds(database, plan),
    () => checkPayments(database, plan),
    () => checkGiven(acknowledged, surroundings),
    () => checkRemovals(acknowledged, surroundings),
    () => checkCalls(database, surroundings, restoredAt),
    () => checkReceipts(statuses, surroundings, restoredAt),
    () => checkOptOuts(database, statuses, surroundings, restoredAt),
    // a restored backup may lack a speech, which is then made again, and a message's last state
    ...(hasRestored
      ? []
      : [
          () => checkReviews(statuses, surroundings, plan),
          () => checkPatience(database),
          () => checkSpeeches(surroundings),
        ]),
    // restored callbacks are posted again, and callbacks are given up after 72 hours without an instance
    ...(hasRestored || plan.awayMs > CALLBACKS_LAST_MS
      ? []
      : [
          () => checkToldOnce(surroundings),
          () => checkOrder(surroundings),
          () => checkEndsTold(database, surroundings),
          () => checkBatchesTold(database, surroundings),
          () => checkMessageOrder(surroundings),
          () => checkMessagesTold(database, surroundings),
        ]),
  ];
}

/** Before msgd orders a speech again, it must ask the engine whether the speech already exists. */
function checkSpeeches({ engine: { madeTwice } }: Surroundings): void {
  if (madeTwice.length > 0) throw new Violation("no speech is made twice", madeTwice.join(", "));
}

const reachedCarrier = new Set(["SENT", "DELIVERED", "UNDELIVERED"]);

/** No state of a message claims more than the carrier's record supports. */
function checkClaims(messages: readonly MessageRow[], { carriers }: Surroundings, hasRestored: boolean): void {
  for (const { messageId, status, channel } of messages) {
    const carrier = carriers[channel];
    const { plan, taken, asked } = carrier;
    const wasTaken = taken.has(messageId);
    if (reachedCarrier.has(status) && !wasTaken) {
      throw new Violation("no state claims more than is known", `${messageId} is ${status}, but no carrier took it`);
    }
    // in a restored backup, a message that was submitted may be queued until a server detects the restore
    if (status === "CANCELED" && wasTaken && !hasRestored) {
      throw new Violation("a canceled message is not submitted", `${messageId} is CANCELED, but a carrier took it`);
    }
    if (status === "FAILED" && wasTaken && channel !== "VOICE") {
      throw new Violation("no state claims more than is known", `${messageId} is FAILED, but a carrier took it`);
    }
    if (status === "UNKNOWN" && plan.kind !== "mute" && !wasTaken && !asked.has(messageId)) {
      throw new Violation("nothing is given up unasked", `${messageId} is UNKNOWN, but its carrier was never asked`);
    }
    // a restored backup lacks the record of messages that left later
    if (status === "UNKNOWN" && handsOver(plan) && !carrier.mayHaveLeft(messageId) && !hasRestored) {
      throw new Violation("what did not leave is not given up", `${messageId} is UNKNOWN, but never left`);
    }
  }
}
