// Two instances on one database, one of them on a machine whose clock is wrong.

import { afterEach, beforeEach, expect, it } from "vitest";
import { createVirtualClock } from "./development/clocks.ts";
import { systemClock } from "./platform/clock.ts";
import type { Service } from "./service.ts";
import { withElapsing } from "./testing/elapsing-clock.ts";
import { type Instances, openInstances } from "./testing/instances.ts";

const MINUTE_MS = 60_000;
const LOOK_MS = 1_000;
const START_MS = Date.UTC(2026, 0, 15, 12);

let clocks: ReturnType<typeof createVirtualClock>[];
let right: Instances;
let wrong: Instances;
/** How far the second machine's clock is ahead of the first one's. */
let aheadMs: number;
let logged: string[];

beforeEach(async () => {
  aheadMs = 10 * MINUTE_MS;
  logged = [];
  clocks = [0, aheadMs].map((ms) => createVirtualClock(START_MS + ms));
  const [good, bad] = clocks.map(withElapsing) as [typeof systemClock, typeof systemClock];
  const options = { consentPolicy: "opt_out_only", pollIntervalMs: LOOK_MS } as const;
  right = await openInstances(1, { ...options, clock: good });
  wrong = await openInstances(1, {
    ...options,
    clock: bad,
    machine: { now: () => systemClock.now() + aheadMs, elapsed: systemClock.elapsed },
    database: right.location,
    logger: { level: "warn", stream: { write: (line: string) => logged.push(line) } },
  });
  for (const [index, service] of services().entries()) clocks[index]?.watch(() => service.isBusy());
  // until the other instance is started, this one is alone on the database
  await services()[1].start();
  const merchant = { merchantId: "m1", displayName: "One", smsLimit: 1_000 };
  await right.call(0, "POST", "/api/v1/merchants", { body: merchant });
});
afterEach(async () => {
  await wrong.close();
  await right.close();
});

const services = () => [right, wrong].flatMap((instances) => instances.services) as [Service, Service];

async function pass(clock: number, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += LOOK_MS) await clocks[clock]?.advanceBy(LOOK_MS);
}

async function send(of: Instances): Promise<string> {
  const body = { merchantId: "m1", to: "+12025550100", message: "Your code is 1234", type: "OTP" };
  const reply = await of.call(0, "POST", "/api/v1/messages/sms", { body, as: right.credential });
  expect(reply.statusCode).toBe(200);
  return reply.json().messageId;
}

const statuses = async () => {
  const rows = await services()[0].store.read((tx) =>
    tx.all<{ messageId: string; status: string }>(`SELECT message_id AS "messageId", status FROM messages`),
  );
  return Object.fromEntries(rows.map(({ messageId, status }) => [messageId, status]));
};

it("the instance with the right clock sends one-time passwords, and the other one is not ready", async () => {
  const [good, bad] = services();
  const sent = await Promise.all([right, wrong, right, wrong, right].map(send));
  await pass(1, 5_000);
  expect(Object.values(await statuses())).toEqual(sent.map(() => "QUEUED"));
  await good.start();
  await pass(0, 30_000);
  expect(await statuses()).toEqual(Object.fromEntries(sent.map((id) => [id, "DELIVERED"])));

  expect((await good.app.inject("/readyz")).statusCode).toBe(200);
  const refused = await bad.app.inject("/readyz");
  expect([refused.statusCode, refused.json().detail]).toEqual([
    503,
    expect.stringMatching(
      /^This machine's clock reads \S+Z, the database's \S+Z: this instance sends nothing until they agree\./,
    ),
  ]);
  const ahead = (page: string) => Number(/^msgd_clock_ahead_seconds (\S+)$/m.exec(page)?.[1]);
  const pages = await Promise.all([good, bad].map(({ app }) => app.inject("/metrics")));
  expect(pages.map(({ body }) => ahead(body))).toEqual([expect.closeTo(0, -1), expect.closeTo(600, -1)]);
  expect(logged.filter((line) => line.includes("this instance sends nothing"))).toHaveLength(1);
});

it("the instance with the wrong clock starts to send when the clocks agree again", async () => {
  const messageId = await send(wrong);
  await pass(1, 5_000);
  expect(await statuses()).toEqual({ [messageId]: "QUEUED" });
  aheadMs = 0;
  await pass(1, 30_000);
  expect(await statuses()).toEqual({ [messageId]: "DELIVERED" });
  expect((await services()[1].app.inject("/readyz")).json()).toEqual({ status: "ready" });
  expect(logged.at(-1)).toContain("they agree again");
});
