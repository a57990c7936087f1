// Checks of a world after each commit.

import { decideConsent } from "../../src/domain/consent/rules.ts";
import { canReach, type MessageStatus } from "../../src/domain/transitions.ts";
import type { Move, NotedDial, NotedLease } from "../world/database.ts";
import { consentPolicy } from "../world/instance.ts";
import { Violation } from "./violation.ts";

/** Checks that messages change state only as the table of transitions allows. All changes of a transaction count as one move. */
export function checkMoves(moves: readonly Move[]): void {
  for (const { messageId, from, to } of moves) {
    if (!leadsTo(from, to)) throw new Violation("states only move forward", `${messageId} went from ${from} to ${to}`);
  }
}

function leadsTo(from: string, to: string): boolean {
  return canReach("message", from as MessageStatus, to as MessageStatus);
}

/** Checks that leased messages have consent. If calls wait in a queue, checks that no marketing call leaves in quiet hours. */
export function checkLeases(leases: readonly NotedLease[], callsWaitInQueue = false): void {
  for (const { messageId, channel, type, purpose, decisions, ringsAt } of leases) {
    if (callsWaitInQueue && ringsAt !== undefined && type === "MARKETING" && !mayRing(RECIPIENTS_ZONE, ringsAt)) {
      throw new Violation(QUIET_HOURS, `${messageId} leaves at ${new Date(ringsAt).toISOString()}`);
    }
    if (purpose === "CONFIRMATION") continue;
    const found = decisions.map((status) =>
      decideConsent({ policy: consentPolicy, channel, type, status: status ?? undefined }),
    );
    if (found.includes("allowed")) continue;
    throw new Violation("consent holds when a message leaves", `${messageId}: ${found.join(", ")}`);
  }
}

/** Checks that no call is dialled within the quiet hours of its time zone. */
export function checkDials(dials: readonly NotedDial[]): void {
  for (const { requestId, zone, at } of dials) {
    if (mayRing(zone, at)) continue;
    throw new Violation(QUIET_HOURS, `${requestId} was dialled at ${new Date(at).toISOString()} in ${zone}`);
  }
}

const QUIET_HOURS = "calls keep the quiet hours";
/** The time zone of all numbers of the population. */
const RECIPIENTS_ZONE = "America/New_York";
/** The first and the last hour in which calls may ring. */
const FIRST_HOUR = 8;
const LAST_HOUR = 20;

const formats = new Map<string, Intl.DateTimeFormat>();

function mayRing(timeZone: string, epochMs: number): boolean {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat("en", { timeZone, hour: "numeric", hourCycle: "h23" });
  formats.set(timeZone, format);
  const hour = Number(format.format(epochMs));
  return hour >= FIRST_HOUR && hour <= LAST_HOUR;
}
