import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import fastify from "fastify";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { saveStanding } from "../../domain/tenancy/rows.ts";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { addMessage } from "../../testing/messages.ts";
import { readScrapedPage } from "../../testing/scraped-page.ts";
import { Histogram, Metrics } from "./metrics.ts";
import { addMetricsRoute } from "./metrics-route.ts";

let service: InMemoryService;
beforeEach(async () => {
  service = await openInMemoryService();
});
afterEach(() => service.close());

const scrape = async () => {
  const reply = await service.call("GET", "/metrics", { as: null });
  expect(reply.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  return reply.body;
};
const send = (to: string) =>
  service.call("POST", "/api/v1/messages/sms", {
    body: { merchantId: "m1", to, message: "Hi", type: "TRANSACTIONAL" },
  });
/** Returns the values of a metric by its labels. */
const countsOf = async (name: string): Promise<Record<string, number>> => {
  const { samples = [] } = readScrapedPage(await scrape()).get(name) ?? {};
  return Object.fromEntries(samples.map(({ labels, value }) => [Object.values(labels).join(" "), value]));
};
const givenMerchant = () =>
  service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "M", smsLimit: 100 } });

it.each([
  ["gauge", "msgd_delay_seconds", '{quantile="0.5"}', "a label quantile outside a summary"],
  ["gauge", "msgd_delay_seconds", '{le="1"}', "a label le outside a histogram"],
  ["gauge", "msgd_delay_ms", "", "not a base unit"],
  ["gauge", "msgd_request_minutes", "", "not a base unit"],
  ["gauge", "msgd_waiting_gauge", "", "a type in the name"],
  ["gauge", "msgd_waiting_count", "", "ends as a part of a histogram"],
  ["gauge", "msgd_waitingNow", "", "not in snake case"],
  ["counter", "msgd_requests", "", "ends in _total"],
])("a page with the %s %s%s violates a rule of promtool", (type, name, labels, fault) => {
  const page = `# HELP ${name} Words.\n# TYPE ${name} ${type}\n${name}${labels} 1\n`;
  expect(() => readScrapedPage(page)).toThrow(fault);
});

describe("/metrics", () => {
  it("counts replies of any kind by operation and status", async () => {
    await givenMerchant();
    await send("+12025550100");
    await send("+12025550100");
    await send("nobody");
    await service.call("GET", "/nowhere", { as: null });
    await service.call("GET", "/api/v1/merchants", { as: null });
    const lines = (await scrape()).split("\n").filter((line) => line.startsWith("msgd_requests_total"));
    expect(lines).toEqual([
      'msgd_requests_total{operation="unmatched",status="404"} 1',
      'msgd_requests_total{operation="upsertMerchant",status="200"} 1',
      'msgd_requests_total{operation="listMerchants",status="401"} 1',
      'msgd_requests_total{operation="sendSms",status="200"} 2',
      'msgd_requests_total{operation="sendSms",status="400"} 1',
    ]);
  });

  it("counts each tenant's sends, and the tenants that are disabled", async () => {
    await givenMerchant();
    await send("+12025550100");
    await send("+12025550100");
    const { tenantId } = service.credential;
    expect(await countsOf("msgd_tenant_messages_total")).toEqual({ [tenantId]: 2, other: 0 });
    expect(await countsOf("msgd_tenants_disabled")).toEqual({ "": 0 });
    const standing = { disabledAt: 1, disabledReason: "x", disabledBy: "Ann", rateLimit: null };
    await service.store.write((tx) => saveStanding(tx, { tenantId, ...standing }));
    await service.clock.advanceBy(1_000);
    expect(await countsOf("msgd_tenants_disabled")).toEqual({ "": 1 });
  });

  it("shows the messages that wait, for how long, and those that ended UNKNOWN", async () => {
    await givenMerchant();
    const queued = {
      tenantId: 1,
      merchantId: "m1",
      channel: "SMS",
      type: "OTP",
      purpose: "SEND",
      subject: null,
    } as const;
    const free = { content: "Hi", units: 0, creditUnits: 0, period: "2026-01-01", now: service.clock.now() };
    // the dispatcher is notified of none of them
    for (const last of ["00", "02", "05"]) {
      const message = { ...queued, ...free, messageId: `msg_${last}`, recipient: `+120255501${last}` };
      await service.store.write((tx) => addMessage(tx, message));
    }
    await service.clock.advanceBy(5_000);
    const before = await scrape();
    expect(before).toContain('\nmsgd_outbox_depth{kind="none"} 3\n');
    // every kind is shown before any tenant has a carrier
    expect(before).toContain('\nmsgd_carriers{kind="smpp",state="up"} 0\n');
    expect(before).toContain('\nmsgd_outbox_oldest_age_seconds{kind="none"} 5\n');
    expect(before).toContain("\nmsgd_store_readable 1\n");
    await service.start();
    await service.clock.advanceBy(60_000);
    const during = await scrape();
    expect(during).toContain('\nmsgd_outbox_depth{kind="none"} 0\n');
    expect(during).toContain('\nmsgd_outbox_oldest_age_seconds{kind="none"} 0\n');
    expect(during).toContain("\nmsgd_outcomes_in_doubt 1\n");
    await service.clock.advanceBy(73 * 60 * 60 * 1_000);
    const after = await scrape();
    expect(after).toContain("\nmsgd_outcomes_unknown 2\n");
    expect(after).toContain("\nmsgd_outcomes_in_doubt 0\n");
  });

  it("identifies its process by host and, once the server listens, by port", async () => {
    expect(await countsOf("msgd_instance_info")).toEqual({ [hostname()]: 1 });
    await service.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = service.app.server.address() as AddressInfo;
    expect(await countsOf("msgd_instance_info")).toEqual({ [`${hostname()}:${port}`]: 1 });
  });

  it("stops counting at its limit, and says so", async () => {
    await service.store.write((tx) =>
      tx.run(
        `INSERT INTO jobs (tenant_id, kind, subject, due_at)
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10050)
          SELECT 1, 'none', 's', 0 FROM n`,
      ),
    );
    const page = await scrape();
    expect(page).toContain("\nmsgd_jobs_due 10000\n");
    expect(page).toContain("# HELP msgd_jobs_due Jobs that are due and not done. 10000 means 10000 or more.\n");
  });

  it("queries the database at most once a second, however many requests there are", async () => {
    const read = vi.spyOn(service.store, "read");
    await Promise.all(Array.from({ length: 50 }, scrape));
    await scrape();
    expect(read).toHaveBeenCalledTimes(1);
    await service.clock.advanceBy(1_000);
    await scrape();
    expect(read).toHaveBeenCalledTimes(2);
  });

  it.each([
    ["127.0.0.1:4800", 200],
    ["10.1.2.3", 200],
    ["[fd00::1]:4800", 200],
    ["LOCALHOST:4800", 200],
    ["Msgd.Internal:4800", 200],
    ["evil.example", 421],
    ["evil.example:4800", 421],
    ["127.0.0.1.evil.example", 421],
    ["msgd.internal.evil.example", 421],
    ["localhost.evil.example", 421],
  ])("answers the Host %s with %i", async (host, status) => {
    const app = fastify();
    addMetricsRoute(app, { ...service, metrics: new Metrics(), metricsHosts: ["msgd.internal"] });
    const reply = await app.inject({ url: "/metrics", headers: { host } });
    expect(reply.statusCode).toBe(status);
    if (status === 200) return;
    expect(reply.json()).toMatchObject({ type: "about:blank", title: "Misdirected Request", code: "host_not_allowed" });
  });

  it("counts commits and their sizes", async () => {
    await Promise.all([givenMerchant(), givenMerchant(), givenMerchant()]);
    const count = (text: string, name: string) => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
    const page = await scrape();
    expect(count(page, "msgd_commit_batch_size_sum")).toBeGreaterThanOrEqual(3);
    expect(count(page, "msgd_commit_batch_size_count")).toBe(count(page, "msgd_commit_seconds_count"));
  });

  it("times replies by operation and class of status, up to their end", async () => {
    await givenMerchant();
    await send("+12025550100");
    await send("nobody");
    await send("+12025550100");
    await service.call("GET", "/nowhere", { as: null });
    const samples = readScrapedPage(await scrape()).get("msgd_request_duration_seconds")?.samples ?? [];
    const counts = samples.filter(({ name }) => name.endsWith("_count")).map(({ labels, value }) => [labels, value]);
    expect(counts).toEqual([
      [{ operation: "upsertMerchant", status_class: "2xx" }, 1],
      [{ operation: "sendSms", status_class: "2xx" }, 2],
      [{ operation: "sendSms", status_class: "4xx" }, 1],
    ]);
    expect(samples.filter(({ name }) => name.endsWith("_sum")).every(({ value }) => value > 0)).toBe(true);
  });

  it("counts outcomes of messages by channel, each status once", async () => {
    await givenMerchant();
    await service.start();
    // the simulated carrier delivers the first message and refuses the second
    for (const to of ["+12025550100", "+12025550120"]) await send(to);
    await service.clock.advanceBy(60_000);
    const statuses = await countsOf("msgd_messages_total");
    expect(statuses).toMatchObject({ "SMS QUEUED": 2, "SMS SENT": 1, "SMS DELIVERED": 1, "SMS FAILED": 1 });
    expect(Object.values(statuses).reduce((sum, count) => sum + count)).toBe(5);
  });

  it("counts payments by status", async () => {
    await givenMerchant();
    await service.start();
    const body = { merchantId: "m1", channel: "SMS", units: 10 };
    expect((await service.call("POST", "/api/v1/billing/upgrade", { body })).statusCode).toBe(200);
    await service.clock.advanceBy(60 * 60_000);
    const families = readScrapedPage(await scrape());
    const counts = families.get("msgd_payments_total")?.samples.map(({ labels, value }) => [labels.status, value]);
    expect(Object.fromEntries(counts ?? [])).toMatchObject({ PENDING: 1, SUCCEEDED: 1, FAILED: 0 });
  });

  it("counts nothing for a request that is refused or replayed", async () => {
    await givenMerchant();
    const headers = { "idempotency-key": "once" };
    const body = { merchantId: "m1", to: "+12025550100", message: "Hi", type: "TRANSACTIONAL" };
    for (const _ of [1, 2]) await service.call("POST", "/api/v1/messages/sms", { body, headers });
    await send("nobody");
    expect(await countsOf("msgd_messages_total")).toMatchObject({ "SMS QUEUED": 1 });
  });

  it("is well-formed, and has every series of the counters from the start", async () => {
    const families = readScrapedPage(await scrape());
    const sizes = [
      "msgd_messages_total",
      "msgd_callback_attempts_total",
      "msgd_callbacks_total",
      "msgd_payments_total",
      "msgd_checkpoints_total",
    ];
    expect(sizes.map((name) => families.get(name)?.samples.length)).toEqual([24, 9, 2, 6, 3]);
  });
});

it("omits metrics that need the database if it cannot be read", () => {
  const page = new Metrics().render({ instance: "here", backlog: undefined, now: 0 });
  expect(page).toContain("msgd_store_readable 0\n");
  expect(page).not.toContain("msgd_outbox_depth");
});

it("shows how much waits in carriers' queues and for the operator, and for how long", () => {
  const nothing = { waiting: 0, oldestDueAt: null, inDoubt: 0, unknown: 0, jobsDue: 0, callbacksPending: 0 };
  const carriers = [
    { kind: "smtp", up: 1, down: 0, waiting: 92, oldestAt: 10_000 },
    { kind: "smpp", up: 0, down: 0, waiting: 0, oldestAt: null },
  ] as const;
  const decided = { payments: { count: 2, since: 40_000 }, registrations: { count: 0, since: null } };
  const uncarried = { waiting: 3, oldestAt: 280_000 };
  const processors = [{ kind: "stripe", up: 2, down: 1 }];
  const backlog = { ...nothing, unmatchedTexts: 0, ...decided, carriers, uncarried, processors };
  const families = readScrapedPage(new Metrics().render({ instance: "here", backlog, now: 340_000 }));
  const shown = ["msgd_outbox_depth", "msgd_outbox_oldest_age_seconds"].map((name) =>
    families.get(name)?.samples.map(({ labels, value }) => [labels.kind, value]),
  );
  const nothings = [
    ["none", 0],
    ["smpp", 0],
  ];
  expect(shown.map((samples) => samples?.sort())).toEqual([
    [["no_carrier", 3], ...nothings, ["smtp", 92]],
    [["no_carrier", 60], ...nothings, ["smtp", 330]],
  ]);
  const valuesOf = (name: string) => families.get(name)?.samples.map(({ value }) => value);
  for (const [name, values] of [
    ["msgd_payments_waiting", [2]],
    ["msgd_payments_waiting_oldest_age_seconds", [300]],
    ["msgd_registrations_waiting", [0]],
    ["msgd_registrations_waiting_oldest_age_seconds", [0]],
    ["msgd_processors", [2, 1]],
  ] as const) {
    expect([name, valuesOf(name)]).toEqual([name, values]);
  }
});

it("reads the event loop's delay and resets it", () => {
  let resets = 0;
  const loopDelay = {
    max: 2e9,
    percentile: (percent: number) => (percent === 50 ? Number.NaN : 1e6 * percent),
    longestTurn: 4e7,
    reset: () => {
      resets += 1;
    },
  };
  const page = new Metrics().render({ instance: "here", backlog: undefined, loopDelay, now: 0 });
  expect(readScrapedPage(page).get("msgd_event_loop_delay_seconds")?.type).toBe("summary");
  expect(page).toContain('msgd_event_loop_delay_seconds{quantile="0.50"} 0\n');
  expect(page).toContain('msgd_event_loop_delay_seconds{quantile="0.99"} 0.099\n');
  expect(page).toContain("msgd_event_loop_delay_max_seconds 2\n");
  expect(page).toContain("msgd_event_loop_longest_turn_seconds 0.04\n");
  expect(resets).toBe(1);
});

it("counts a value in the first bucket whose bound is not below it", () => {
  const histogram = new Histogram([1, 10], 0.1);
  for (const value of [0, 1, 1.1, 10, 11]) histogram.observe(value);
  expect(histogram.render("h")).toBe(
    'h_bucket{le="0.1"} 2\nh_bucket{le="1"} 4\nh_bucket{le="+Inf"} 5\nh_sum 2.31\nh_count 5\n',
  );
});
