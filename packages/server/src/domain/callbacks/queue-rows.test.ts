import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkInvariants } from "../../store/invariants.ts";
import { DueFloor } from "../../store/queue/queue.ts";
import type { Store, Transaction } from "../../store/store.ts";
import { openTestStore } from "../../testing/test-store.ts";
import {
  type CallKey,
  endLease,
  findDueCall,
  findDueLane,
  type LaneKey,
  leaseCall,
  leaseLane,
  leaseTenant,
  listDueTenants,
  listWaitingLanes,
  lockLanes,
  refreshCall,
  refreshLane,
  refreshTenant,
  releaseCall,
  restLane,
  wakeLane,
} from "./queue-rows.ts";
import { enqueueCallback, findNextCallback, recordCallbackAttempt, reopenCallback } from "./rows.ts";

const tenants = [1, 2];
const receivers = ["a.example", "b.example"];
const lanes: readonly LaneKey[] = tenants.flatMap((tenantId) => receivers.map((receiver) => ({ tenantId, receiver })));
/** Two calls per lane. */
const calls: readonly CallKey[] = [...lanes, ...lanes].map((lane, index) => ({ ...lane, requestId: index + 1 }));

const indexIn = (items: readonly unknown[]) => fc.nat({ max: items.length - 1 });
const ms = fc.constantFrom(0, 1, 700, 5_000);
/** Events of callbacks. Each runs in its own transaction. */
const event = fc.oneof(
  fc.record({ kind: fc.constant("enqueue" as const), of: indexIn(calls), earlierMs: ms }),
  fc.record({ kind: fc.constant("claim" as const), of: indexIn(lanes) }),
  fc.record({ kind: fc.constant("end" as const), of: indexIn(calls), retryMs: ms, isTaken: fc.boolean() }),
  fc.record({ kind: fc.constant("lose" as const), of: indexIn(calls) }),
  fc.record({ kind: fc.constant("reopen" as const), of: indexIn(calls) }),
  fc.record({ kind: fc.constant("lease" as const), of: indexIn(lanes), ms, isWaiting: fc.boolean() }),
  fc.record({ kind: fc.constant("lease tenant" as const), of: indexIn(tenants), ms }),
  fc.record({ kind: fc.constant("wake" as const), of: indexIn(receivers) }),
  fc.record({ kind: fc.constant("wait" as const), ms }),
);
type CallbackEvent = typeof event extends fc.Arbitrary<infer Of> ? Of : never;

const at = <Item>(items: readonly Item[], index: number) => items[index] as Item;

class Lanes {
  readonly store: Store;
  now = 1_000_000;
  /** Clock of `#floor`. It advances by a minute before each look, so that every look begins at the lowest due time. */
  #realMs = 0;
  readonly #floor = new DueFloor(() => this.#realMs);

  constructor(store: Store) {
    this.store = store;
  }

  async take(event: CallbackEvent): Promise<void> {
    await this.store.write((tx) => this.#take(tx, event));
  }

  async #take(tx: Transaction, event: CallbackEvent): Promise<void> {
    const { now } = this;
    if (event.kind === "wait") this.now += event.ms;
    else if (event.kind === "enqueue") await enqueue(tx, at(calls, event.of), now - event.earlierMs);
    else if (event.kind === "claim") await claim(tx, at(lanes, event.of), now);
    else if (event.kind === "end") await end(tx, at(calls, event.of), { ...event, now });
    else if (event.kind === "reopen") await reopen(tx, at(calls, event.of), now);
    else if (event.kind === "lose") {
      const call = at(calls, event.of);
      lockLanes(tx, call.tenantId);
      await refreshCall(tx, call);
      await endLease(tx, call, { isAnswered: false });
      await refreshLane(tx, call, now);
    } else if (event.kind === "lease") {
      const lane = at(lanes, event.of);
      lockLanes(tx, lane.tenantId);
      await leaseLane(tx, lane, { until: now + event.ms + 1, isWaiting: event.isWaiting, now });
    } else if (event.kind === "lease tenant") {
      lockLanes(tx, at(tenants, event.of));
      await leaseTenant(tx, at(tenants, event.of), now + event.ms + 1);
    } else {
      for (const lane of await listWaitingLanes(tx, at(receivers, event.of), 1)) await wakeLane(tx, lane, now);
    }
  }

  /** Returns the results of the lookups, and the expected results, computed from all rows. */
  look(): Promise<{ found: unknown; there: unknown }> {
    const { now } = this;
    this.#realMs += 60_000;
    return this.store.write(async (tx) => {
      const due = (table: string, of: string) =>
        tx.all(`SELECT tenant_id AS "tenantId"${of} FROM ${table} WHERE due_at <= $1 ORDER BY due_at, tenant_id`, now);
      const dueTenants = await listDueTenants(tx, { now, limit: 10, floor: this.#floor });
      const found: unknown[] = [dueTenants];
      const there: unknown[] = [((await due("callback_tenants", "")) as LaneKey[]).map(({ tenantId }) => tenantId)];
      for (const tenantId of tenants) {
        found.push((await findDueLane(tx, tenantId, now))?.receiver);
        const rows = (await due("callback_lanes", ", receiver, due_at")) as LaneKey[];
        there.push(rows.sort(byDue).find((lane) => lane.tenantId === tenantId)?.receiver);
      }
      for (const lane of lanes) {
        found.push((await findDueCall(tx, lane, now))?.requestId);
        const rows = (await due("callback_calls", ', receiver, request_id AS "requestId", due_at')) as CallKey[];
        const isOfLane = ({ tenantId, receiver }: CallKey) => tenantId === lane.tenantId && receiver === lane.receiver;
        there.push(rows.sort(byDue).find(isOfLane)?.requestId);
      }
      return { found, there };
    });
  }
}

function byDue(one: unknown, other: unknown): number {
  type Row = { due_at: number; receiver: string; requestId?: number };
  const [a, b] = [one as Row, other as Row];
  return a.due_at - b.due_at || (a.requestId ?? 0) - (b.requestId ?? 0) || (a.receiver < b.receiver ? -1 : 1);
}

async function enqueue(tx: Transaction, { tenantId, requestId, receiver }: CallKey, now: number): Promise<void> {
  const callback = { tenantId, requestId, url: `https://${receiver}/`, type: "voice.tts_call.updated" } as const;
  await enqueueCallback(tx, { ...callback, data: {}, now });
}

/** Reopens the call's last finished callback. */
async function reopen(tx: Transaction, call: CallKey, now: number): Promise<void> {
  lockLanes(tx, call.tenantId);
  const ended = await tx.get<{ callbackId: number; url: string }>(
    `SELECT callback_id AS "callbackId", url FROM callbacks WHERE request_id = $1 AND status <> 'PENDING'
      ORDER BY callback_id DESC LIMIT 1`,
    call.requestId,
  );
  if (ended !== undefined) expect(await reopenCallback(tx, { ...ended, ...call }, now)).toBe(true);
}

async function claim(tx: Transaction, lane: LaneKey, now: number): Promise<void> {
  lockLanes(tx, lane.tenantId);
  const call = await findDueCall(tx, lane, now);
  if (call === undefined) return refreshTenant(tx, lane.tenantId, now);
  if ((await findNextCallback(tx, call.requestId, now)) === undefined) await refreshCall(tx, call);
  else await leaseCall(tx, call, { token: "token", expiresAt: now + 30_000 });
  await refreshLane(tx, lane, now);
}

async function end(
  tx: Transaction,
  call: CallKey,
  { retryMs, isTaken, now }: { retryMs: number; isTaken: boolean; now: number },
): Promise<void> {
  lockLanes(tx, call.tenantId);
  if (!(await releaseCall(tx, call, "token"))) return;
  const callback = await findNextCallback(tx, call.requestId, now);
  if (callback !== undefined) {
    const { callbackId, patienceFrom } = callback;
    const outcome = isTaken
      ? ({ status: "DELIVERED", nextAttemptAt: null } as const)
      : ({ status: "PENDING", nextAttemptAt: now + retryMs } as const);
    await recordCallbackAttempt(tx, { callbackId, patienceFrom, attempts: 1, lastOutcome: "200", now, ...outcome });
  }
  await refreshCall(tx, call);
  if (isTaken) await endLease(tx, call, { isAnswered: true });
  else await restLane(tx, { ...call, rests: 0 }, now + retryMs);
  await refreshLane(tx, call, now);
}

describe("lanes and tenants", () => {
  it("are found whenever they are due, after any sequence of events", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 10, maxLength: 40 }), async (events) => {
        const store = await openTestStore({ now: () => 0 });
        try {
          const of = new Lanes(store);
          for (const tenantId of tenants) {
            await store.write((tx) =>
              tx.run(
                "INSERT INTO tenants (tenant_id, name, timezone, created_at) VALUES ($1, 'T', 'UTC', 0)",
                tenantId,
              ),
            );
          }
          for (const [index, taken] of events.entries()) {
            await of.take(taken);
            const { found, there } = await of.look();
            expect(found, `after event ${index}: ${JSON.stringify(taken)}`).toEqual(there);
          }
          expect((await store.read(checkInvariants)).filter(({ faults }) => faults.length > 0)).toEqual([]);
        } finally {
          await store.close();
        }
      }),
      { numRuns: 25 },
    );
  });
});
