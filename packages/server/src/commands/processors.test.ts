import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stripeEvents } from "../carriers/stripe/settings.ts";
import { insertPayment } from "../domain/billing/rows.ts";
import { EVERY_TENANT, listAuditEntries } from "../domain/tenancy/rows.ts";
import type { Transaction } from "../store/store.ts";
import { makeCommandEnvironment, type Printed, writeBeside } from "../testing/command-environment.ts";
import { StripeDouble } from "../testing/stripe-double.ts";
import type { CommandEnvironment } from "./environment.ts";
import { runPaymentsList } from "./payments.ts";
import { runProcessorsRemove, runProcessorsSet, runProcessorsShow, runProcessorsTest } from "./processors.ts";
import { runTenantsCreate } from "./tenants.ts";

const PUBLIC_URL = "https://msg.acme.example";
const document = { kind: "stripe", secretKey: "sk_test_canary-1", webhookSecret: "whsec_canary-2" };

let folder: string;
let environment: CommandEnvironment;
let printed: Printed;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "msgd-processors-"));
  ({ environment, printed } = makeCommandEnvironment(join(folder, "data")));
  environment = { ...environment, env: { ...environment.env, MSGD_PUBLIC_URL: PUBLIC_URL } };
  await runTenantsCreate("Acme", { output: "json", timezone: "UTC" }, environment);
  await runTenantsCreate("Trial", { output: "json", timezone: "UTC", test: true }, environment);
});
afterEach(() => rmSync(folder, { recursive: true }));

const flagsOf = (tenant: string) => ({ output: "json", tenant }) as const;

async function run<Flags extends object>(
  command: (flags: Flags, environment: CommandEnvironment) => Promise<void>,
  flags: Flags,
) {
  Object.assign(printed, { out: "", err: "" });
  await command(flags, environment);
  return JSON.parse(printed.out);
}

function set(given: unknown, tenant = "1", mode = 0o600) {
  const file = join(folder, "stripe.json");
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify(given), { mode });
  return run(runProcessorsSet, { ...flagsOf(tenant), file });
}

const show = (tenant = "1") => run(runProcessorsShow, flagsOf(tenant));

const write = <T>(work: (tx: Transaction) => Promise<T>) => writeBeside(environment, work);

describe("msgd processors set", () => {
  it("sets a processor, and names the URL and the events that Stripe has to post", async () => {
    const view = await set(document);
    expect(view).toEqual({
      ...{ name: expect.stringMatching(/^stripe-[\da-f]{10}$/), tenantId: "1", kind: "stripe" },
      setAt: expect.any(String),
    });
    expect(printed.err).toMatch(/Payments accepted from now on are charged through it\.\n/);
    expect(printed.err).toMatch(/https:\/\/msg\.acme\.example\/carriers\/[\w-]{22}\/events\n/);
    for (const event of stripeEvents) expect(printed.err).toContain(`  ${event}\n`);
  });

  it("keeps the URL when the processor is set again", async () => {
    const { name } = await set(document);
    const { eventsUrl } = await show();
    expect((await set(document)).name).not.toBe(name);
    expect(printed.err).toContain(`in place of ${name}`);
    expect((await show()).eventsUrl).toBe(eventsUrl);
    await run(runProcessorsRemove, flagsOf("1"));
    await set(document);
    expect((await show()).eventsUrl).toBe(eventsUrl);
  });

  it("writes no secret to the database or the terminal", async () => {
    await set(document);
    const { settings } = await show();
    expect(settings).toEqual({
      ...{ kind: "stripe", secretKey: "set", webhookSecret: "set", currencies: ["USD"] },
      baseUrl: "https://api.stripe.com",
    });
    const files = readdirSync(join(folder, "data")).map((name) => readFileSync(join(folder, "data", name), "latin1"));
    expect(`${files.join("")}${printed.out}${printed.err}`).not.toContain("canary");
  });

  it("says how many payments wait, and does not charge them", async () => {
    await write(async (tx) => {
      const price = { units: 1, amountCents: 100, currency: "USD", paymentMethod: null, note: null, referenceId: null };
      const account = { tenantId: 1, merchantId: "default", channel: "SMS" } as const;
      await insertPayment(tx, { ...account, ...price, paymentId: "pay_1", now: 1 });
    });
    await set(document);
    expect(printed.err).toContain("Payments that wait for you, and are not charged: 1 (msgd payments list).\n");
  });

  it("warns if Stripe cannot report to the server", async () => {
    environment = { ...environment, env: { MSGD_DATA: environment.env.MSGD_DATA } };
    await set(document);
    expect(printed.err).toContain("Warning: nothing is charged until the server has a public URL");
  });

  it.each<[string, unknown, string]>([
    ["another kind", { kind: "paypal" }, 'expected "stripe", received "paypal"'],
    ["a publishable key", { ...document, secretKey: "pk_live_1" }, "expected a secret key"],
    ["an API key as the signing secret", { ...document, webhookSecret: "sk_live_1" }, "expected the signing secret"],
    ["an unknown field", { ...document, key: 1 }, "key"],
    ["a currency of three decimals", { ...document, currencies: ["KWD"] }, 'received "KWD"'],
    ["an email as the customer", { ...document, customer: "a@acme.example" }, "the id of a customer"],
    ["an unencrypted URL", { ...document, baseUrl: "http://proxy.example" }, "an https URL"],
  ])("refuses %s", async (_what, given, words) => {
    await expect(set(given)).rejects.toThrow(words);
    await expect(show()).rejects.toThrow("tenant 1 has no processor of its own");
  });

  it("refuses a customer for all tenants, a test tenant, and a file that others can read", async () => {
    await expect(set({ ...document, customer: "cus_1" }, "all")).rejects.toThrow("have customers of their own");
    await expect(set(document, "2")).rejects.toThrow("tenant 2 is a test tenant");
    await expect(set(document, "1", 0o644)).rejects.toThrow("stripe.json");
  });

  it("is recorded in the audit of its tenant or, for all tenants, of operators, as is its removal", async () => {
    for (const [tenant, tenantId] of [["1", 1] as const, ["all", EVERY_TENANT] as const]) {
      const { name } = await set(document, tenant);
      await run(runProcessorsRemove, flagsOf(tenant));
      const entries = await write((tx) => listAuditEntries(tx, { tenantId, before: 1e9, limit: 2 }));
      expect(entries.map(({ operation, target }) => `${operation}, ${target}`)).toEqual([
        `processors remove, processor ${name}`,
        `processors set, processor ${name}`,
      ]);
    }
  });
});

describe("msgd processors remove", () => {
  it("leaves open payments to the operator", async () => {
    const { name } = await set(document);
    await write(async (tx) => {
      const price = { units: 1, amountCents: 100, currency: "USD", paymentMethod: null, note: null, referenceId: null };
      const account = { tenantId: 1, merchantId: "default", channel: "SMS" } as const;
      await insertPayment(tx, { ...account, ...price, paymentId: "pay_1", now: 1 });
      await tx.run("UPDATE payments SET begun_at = 1, requested_at = 1, processor = $1", name);
    });
    expect(await show()).toMatchObject({ openPayments: 1 });
    expect(await run(runPaymentsList, { output: "json" as const })).toEqual([]);
    expect(await run(runProcessorsRemove, flagsOf("1"))).toMatchObject({ name, openPayments: 1 });
    const undecided = `its processor ${name} was removed`;
    expect(await run(runPaymentsList, { output: "json" as const })).toMatchObject([{ paymentId: "pay_1", undecided }]);
    await expect(run(runProcessorsRemove, flagsOf("1"))).rejects.toThrow("set one with msgd processors set");
  });
});

describe("msgd processors test", () => {
  let stripe: StripeDouble;
  let posted: { url: string; signature: string | undefined }[];
  let status: number;
  beforeEach(async () => {
    stripe = await StripeDouble.listen(environment.clock);
    [posted, status] = [[], 204];
    environment = {
      ...environment,
      async fetch(url, request) {
        const headers = new Headers(request?.headers);
        posted.push({ url: String(url), signature: headers.get("stripe-signature") ?? undefined });
        return new Response(null, { status });
      },
    };
    await set(stripe.settings());
  });
  afterEach(() => stripe.close());

  it("accepts a key, an endpoint with all events, and a server that accepts a signed event", async () => {
    const { eventsUrl, ...before } = await show();
    expect(before).toMatchObject({ answeredAt: null, downSince: null, downWords: null });
    stripe.endpoints.push({ url: eventsUrl, enabled_events: [...stripeEvents], status: "enabled" });
    await run(runProcessorsTest, flagsOf("1"));
    expect(printed.err).toContain("Stripe accepts the key, a test key: no money moves.");
    expect(printed.err).toContain("The server accepts signed events at its URL.");
    expect(posted).toEqual([{ url: eventsUrl, signature: expect.stringMatching(/^t=\d+,v1=[\da-f]{64}$/) }]);
    expect(stripe.intents.size).toBe(0);
    expect((await show()).answeredAt).not.toBeNull();
  });

  it("reports a refused key", async () => {
    await set(stripe.settings({ secretKey: "sk_test_other" }));
    await expect(run(runProcessorsTest, flagsOf("1"))).rejects.toThrow("Stripe refuses the key: Invalid API Key");
  });

  it("reports a missing endpoint, a disabled one, one that lacks events, and a server that refuses the event", async () => {
    const test = () => run(runProcessorsTest, flagsOf("1"));
    await expect(test()).rejects.toThrow("Stripe has no webhook endpoint with this server's URL");
    const { eventsUrl } = await show();
    const endpoint = { url: eventsUrl, enabled_events: ["charge.refunded"], status: "disabled" };
    stripe.endpoints.push(endpoint);
    await expect(test()).rejects.toThrow("is disabled at Stripe");
    endpoint.status = "enabled";
    await expect(test()).rejects.toThrow("lacks events: payment_intent.succeeded");
    endpoint.enabled_events = ["*"];
    status = 404;
    await expect(test()).rejects.toThrow("a signed event was answered with 404");
  });

  it("asks to check the endpoint by hand if the key may not list it", async () => {
    stripe.treat = ({ path }) =>
      path.includes("webhook") ? { status: 403, error: { type: "invalid_request_error", message: "no" } } : "answer";
    await run(runProcessorsTest, flagsOf("1"));
    expect(printed.err).toContain("The key may not list webhook endpoints. Check at Stripe");
  });
});
