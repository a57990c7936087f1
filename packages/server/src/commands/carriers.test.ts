import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastify from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { saveCarrierState } from "../domain/carriers/rows.ts";
import { type Channel, createRecipientDigest } from "../domain/contacts.ts";
import { createMessageTokens } from "../domain/message-tokens.ts";
import { enterQueue, queueWithoutCarrier } from "../domain/messages/carrier-queue-rows.ts";
import { listDue, type OutboxRow, queueAgain } from "../domain/messages/outbox-rows.ts";
import { findMessageProgress, saveAttempt, saveStatus } from "../domain/messages/progress-rows.ts";
import { PROBE_WORDS } from "../domain/public-paths.ts";
import { type AuditRow, EVERY_TENANT, listAuditEntriesAbout } from "../domain/tenancy/rows.ts";
import { addUnsubscribeRoutes } from "../http/unsubscribe.ts";
import { readPepper } from "../platform/data-folder.ts";
import { QueueFloors } from "../store/queue/engine.ts";
import { listRecorded, makeCommandEnvironment, type Printed } from "../testing/command-environment.ts";
import { PostmarkDouble } from "../testing/mail-provider-double.ts";
import { addMessage } from "../testing/messages.ts";
import { openStoreAt } from "../testing/test-store.ts";
import { runCarriersTest } from "./carrier-test.ts";
import { runCarriersList, runCarriersRemove, runCarriersSet, runCarriersShow } from "./carriers.ts";
import { findInstallation } from "./database.ts";
import type { CommandEnvironment } from "./environment.ts";
import { runTenantsCreate } from "./tenants.ts";

const canary = "kW7-harbor-stone-19";
const smtp = { kind: "smtp", host: "smtp.acme.example", user: "acme", password: canary, from: "Acme <a@acme.example>" };
const smpp = {
  kind: "smpp",
  host: "10.0.0.7",
  port: 2775,
  systemId: "acme",
  password: "kW7harb",
  sender: "+12025550199",
};
const twilio = { kind: "twilio", accountSid: `AC${"0".repeat(32)}`, authToken: canary, from: "+12025550199" };
const freeswitch = {
  kind: "freeswitch",
  host: "127.0.0.1",
  password: canary,
  gateway: "carrier",
  callerId: "+12025550199",
};

function makeKey(modulusLength: number): string {
  const encodings = {
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  } as const;
  return generateKeyPairSync("rsa", { modulusLength, ...encodings }).privateKey.toString();
}

let folder: string;
let environment: CommandEnvironment;
let printed: Printed;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "msgd-carriers-"));
  ({ environment, printed } = makeCommandEnvironment(join(folder, "data")));
  await runTenantsCreate("Acme", { output: "json", timezone: "UTC" }, environment);
  await runTenantsCreate("Trial", { output: "json", timezone: "UTC", test: true }, environment);
  forget();
});
afterEach(() => rmSync(folder, { recursive: true }));

function forget(): void {
  Object.assign(printed, { out: "", err: "" });
}

const flagsOf = (tenant: string, channel: string) => ({ output: "json", tenant, channel }) as const;

async function set(
  document: unknown,
  { tenant = "1", channel = "EMAIL", second = false } = {},
): Promise<Record<string, string>> {
  forget();
  const file = join(folder, "carrier.json");
  writeFileSync(file, typeof document === "string" ? document : JSON.stringify(document), { mode: 0o600 });
  await runCarriersSet({ ...flagsOf(tenant, channel), file, second }, environment);
  return JSON.parse(printed.out);
}

async function list(): Promise<Record<string, string>[]> {
  forget();
  await runCarriersList({ output: "json" }, environment);
  return JSON.parse(printed.out);
}

/** Puts a message of the first tenant into a queue. */
async function waitIn(carrier: string, { at }: { at: number }): Promise<void> {
  const store = await openStoreAt({ file: join(folder, "data", "msgd.db") }, { now: () => at });
  const message = { messageId: `msg_${at}`, tenantId: 1, createdAt: at, asks: 0, isQueued: 0, giveUpAt: null } as const;
  await store.write((tx) => enterQueue(tx, message, { carrier, messageClass: 0, expiresAt: at + 60_000 }));
  await store.close();
}

/** Adds an accepted mail of a tenant. With `putOffMs` it waits for another attempt. */
async function accept({
  at,
  tenantId = 1,
  putOffMs,
}: {
  at: number;
  tenantId?: number;
  putOffMs?: number;
}): Promise<void> {
  const store = await openStoreAt({ file: join(folder, "data", "msgd.db") }, { now: () => at });
  const message = { messageId: `msg_${at}`, tenantId, merchantId: "default", channel: "EMAIL", now: at } as const;
  await store.write(async (tx) => {
    await addMessage(tx, {
      ...{ ...message, type: "TRANSACTIONAL", purpose: "SEND", recipient: "ann@example.com", subject: "Hi" },
      ...{ content: "Hello", units: 0, creditUnits: 0, period: "2026-01-01" },
    });
    if (putOffMs === undefined) return;
    const [row] = await listDue(tx, { now: at, limit: 1, scan: new QueueFloors(() => at).beginScan() });
    await saveAttempt(tx, { messageId: `msg_${at}`, status: "SENDING", provider: "smtp-a", now: at });
    await queueAgain(tx, row as OutboxRow, {
      state: "ready",
      dueAt: at + putOffMs,
      giveUpAt: at + 2 * putOffMs,
      now: at,
    });
  });
  await store.close();
}

async function show(
  channel: Channel,
  tenant = "1",
): Promise<{ name: string; eventsUrl?: string; settings: Record<string, unknown> }> {
  forget();
  await runCarriersShow(flagsOf(tenant, channel), environment);
  return JSON.parse(printed.out);
}

it("carriers set says how many merchants' texts a STOP to a shared sender ends", async () => {
  await set(smpp, { channel: "SMS" });
  expect(printed.err).not.toContain("merchants share");
  await runTenantsCreate("Other", { output: "json", timezone: "UTC" }, environment);
  await set(twilio, { tenant: "3", channel: "VOICE" });
  expect(printed.err).not.toContain("merchants share");
  await set(smpp, { channel: "SMS" });
  expect(printed.err).not.toContain("merchants share");
  await set(smpp, { tenant: "3", channel: "SMS" });
  expect(printed.err).toContain(
    "2 merchants share +12025550199: a STOP sent to it ends the texts of all of them, even one-time passwords.",
  );
});

describe("carriers set", () => {
  it("stores a carrier's settings sealed, and prints its name", async () => {
    const carrier = await set(smtp);
    expect(carrier).toMatchObject({ tenantId: "1", channel: "EMAIL", kind: "smtp" });
    expect(carrier.name).toMatch(/^smtp-[\da-f]{10}$/);
    expect(printed.err).toContain("within a second");
    expect(printed.out + printed.err).not.toContain(canary);
    for (const file of readdirSync(join(folder, "data"))) {
      const text = readFileSync(join(folder, "data", file)).toString("latin1");
      expect(text, file).not.toContain(canary);
      expect(text, file).not.toContain("smtp.acme.example");
    }
  });

  it("replaces a carrier by another, which gets another name", async () => {
    const first = await set(smtp);
    const second = await set({ ...smtp, host: "other.acme.example" });
    expect(printed.err).toContain(`in place of ${first.name}`);
    expect(second.name).not.toBe(first.name);
    expect((await list()).map(({ name }) => name)).toEqual([second.name]);
  });

  it("keeps the URL for the provider's events when the carrier is set again, but not for another slot or account", async () => {
    environment.env.MSGD_PUBLIC_URL = "https://msg.acme.example";
    await set(twilio, { channel: "SMS" });
    const { err } = printed;
    const { eventsUrl } = await show("SMS");
    expect(eventsUrl).toMatch(/^https:\/\/msg\.acme\.example\/carriers\/[\w-]{22}\/events$/);
    expect(err).toContain(eventsUrl);
    await set(smpp, { channel: "SMS" });
    expect((await show("SMS")).eventsUrl).toBeUndefined();
    await set({ ...twilio, from: "+12025550142" }, { channel: "SMS" });
    expect((await show("SMS")).eventsUrl).toBe(eventsUrl);
    const otherAccount = { ...twilio, accountSid: `AC${"2".repeat(32)}` };
    await set(otherAccount, { channel: "SMS" });
    expect((await show("SMS")).eventsUrl).not.toBe(eventsUrl);
    await set(twilio, { channel: "SMS" });
    expect((await show("SMS")).eventsUrl).toBe(eventsUrl);
    await set(twilio, { tenant: "all", channel: "SMS" });
    expect((await show("SMS", "all")).eventsUrl).not.toBe(eventsUrl);
  });

  it("keeps the URL for events of a mail provider when the carrier is set again", async () => {
    environment.env.MSGD_PUBLIC_URL = "https://msg.acme.example";
    const { settings: events } = new PostmarkDouble();
    await set({ ...smtp, events });
    const { eventsUrl } = await show("EMAIL");
    await set({ ...smtp, host: "other.example", events });
    expect((await show("EMAIL")).eventsUrl).toBe(eventsUrl);
    expect(eventsUrl).toBeDefined();
  });

  it("warns that a carrier with events needs the server's public URL", async () => {
    await set(twilio, { channel: "SMS" });
    expect(printed.err).toContain(
      "Warning: it is not used until the server has a public URL (msgd serve --public-url)",
    );
  });

  it("says whether to enter the URL for events at the provider", async () => {
    environment.env.MSGD_PUBLIC_URL = "https://msg.acme.example";
    await set(twilio, { channel: "SMS" });
    expect(printed.err).toContain("For texts from phones, enter it at the provider; it is secret:\n  https://msg.");
    await set(twilio, { channel: "VOICE" });
    expect(printed.err).toContain("Each message names this URL for events, which is secret:\n  https://msg.");
    const { settings: events } = new PostmarkDouble();
    await set({ ...smtp, events });
    expect(printed.err).toContain(
      "Enter this URL, which is secret, at its provider as the URL of events:\n  https://msg.",
    );
  });

  it("gives a mail carrier with events a URL under the tenant's own domain", async () => {
    environment.env.MSGD_PUBLIC_URL = "https://msg.acme.example";
    const { settings: events } = new PostmarkDouble();
    await set({ ...smtp, events });
    expect((await show("EMAIL")).eventsUrl).toMatch(/^https:\/\/msg\.acme\.example\/carriers\//);
    await set({ ...smtp, events, publicUrl: "https://mail.shop.example" });
    const shown = await show("EMAIL");
    expect(shown.eventsUrl).toMatch(/^https:\/\/mail\.shop\.example\/carriers\/[\w-]{22}\/events$/);
    expect(shown.settings.events).toEqual({ provider: "postmark", user: "postmark", password: "set" });
    await set(smtp);
    expect((await show("EMAIL")).eventsUrl).toBeUndefined();
  });

  it("distinguishes the carriers of a tenant, of a channel and of all tenants", async () => {
    const carriers = [
      await set(smtp),
      await set(smpp, { channel: "SMS" }),
      await set(smtp, { tenant: "all" }),
      await set(smpp, { tenant: "all", channel: "SMS" }),
    ];
    expect(new Set((await list()).map(({ name }) => name))).toEqual(new Set(carriers.map(({ name }) => name)));
    expect((await list()).map(({ tenantId }) => tenantId)).toEqual(["all", "all", "1", "1"]);
  });

  it("says how many waiting messages it will send", async () => {
    await waitIn(queueWithoutCarrier("EMAIL"), { at: Date.UTC(2026, 0, 5) });
    await set(smtp);
    const line = "1 message waits, the oldest since 2026-01-05T00:00:00.000Z: this carrier sends it.";
    expect(printed.err).toContain(line);
    await set(smtp, { tenant: "all" });
    expect(printed.err).toContain(line);
  });

  it("sets the simulated carrier explicitly, and has no second one for it", async () => {
    forget();
    const flags = flagsOf("1", "EMAIL");
    await runCarriersSet({ ...flags, simulated: true }, environment);
    expect(JSON.parse(printed.out)).toMatchObject({ kind: "simulated", name: expect.stringMatching(/^simulated-/) });
    expect(printed.err).toContain("It sends nothing: messages end DELIVERED and are charged, but reach nobody.");
    expect((await show("EMAIL")).settings).toEqual({ kind: "simulated" });
    const second = { ...flags, second: true };
    await expect(runCarriersSet({ ...second, simulated: true }, environment)).rejects.toThrow(
      "--second: expected --file, received --simulated",
    );
    await expect(set(smtp, { second: true })).rejects.toThrow("is simulated and can always be reached");
    await expect(runCarriersTest({ ...flags, to: "a@acme.example", wait: "0s" }, environment)).rejects.toThrow(
      "is simulated: it sends nothing, so it cannot be tested",
    );
  });

  it("refuses to simulate waiting messages for real recipients", async () => {
    const { name = "" } = await set(smtp);
    await waitIn(name, { at: Date.UTC(2026, 0, 5) });
    await expect(runCarriersSet({ ...flagsOf("1", "EMAIL"), simulated: true }, environment)).rejects.toThrow(
      "1 message waits, the oldest since 2026-01-05T00:00:00.000Z. A simulated carrier would charge for them",
    );
    expect((await list()).map((carrier) => carrier.name)).toEqual([name]);
    await set(smtp);
    expect(printed.err).toContain("1 message waits, the oldest since 2026-01-05T00:00:00.000Z: this carrier sends it.");
  });

  it.each([
    ["was put off", { putOffMs: 1_800_000 }],
    ["was accepted a moment ago", {}],
  ])("refuses to simulate a message that %s", async (_which, how) => {
    const at = environment.clock.now();
    await set(smtp);
    await accept({ at, ...how });
    const simulate = (tenant: string) => runCarriersSet({ ...flagsOf(tenant, "EMAIL"), simulated: true }, environment);
    await expect(simulate("1")).rejects.toThrow("1 message waits");
    await simulate("all");
    await runCarriersRemove(flagsOf("all", "EMAIL"), environment);
    await runCarriersRemove(flagsOf("1", "EMAIL"), environment);
    expect(printed.err).toContain("1 message waits");
    await expect(simulate("all")).rejects.toThrow("1 message waits");
    await runCarriersRemove({ ...flagsOf("1", "EMAIL"), discard: true }, environment);
    await simulate("1");
  });

  it("needs --file or --simulated", async () => {
    const set = (which: object) => runCarriersSet({ ...flagsOf("1", "EMAIL"), ...which }, environment);
    const expected = "expected one of --file <file>, which describes the carrier, and --simulated: received";
    await expect(set({})).rejects.toThrow(`${expected} neither`);
    await expect(set({ file: "-", simulated: true })).rejects.toThrow(`${expected} both`);
  });

  it("refuses a test tenant and an unknown tenant", async () => {
    await expect(set(smtp, { tenant: "2" })).rejects.toThrow("tenant 2 is a test tenant, which stays simulated");
    await expect(set(smtp, { tenant: "9" })).rejects.toThrow("there is no tenant 9");
    await expect(set(smtp, { tenant: "x" })).rejects.toThrow('--tenant: expected the number of a tenant, received "x"');
    await expect(set(smtp, { channel: "FAX" })).rejects.toThrow(
      '--channel: expected one of EMAIL, SMS, VOICE, received "FAX"',
    );
    expect(await list()).toEqual([]);
  });
});

describe("a public URL", () => {
  const withUrl = { ...smtp, publicUrl: "https://msg.acme.example/" };
  const asked: string[] = [];
  beforeEach(() => asked.splice(0));

  /** Makes the servers of the hosts answer as the test specifies. */
  function answer(reply: (url: URL, method: string) => Response | Promise<Response>): void {
    environment = {
      ...environment,
      fetch: async (url, { method = "" } = {}) => {
        asked.push(`${method} ${new URL(String(url)).origin}`);
        return reply(new URL(String(url)), method);
      },
    };
  }

  it("that leads to this installation causes no warning", async () => {
    const installation = findInstallation({}, environment.env);
    const store = await environment.openStore(installation.database);
    const tokens = createMessageTokens(await installation.readPepper(store), "unsubscribe");
    const app = fastify();
    addUnsubscribeRoutes(app, { store, clock: environment.clock, tokens });
    answer(async ({ pathname }, method) => {
      const { statusCode, body } = await app.inject({ url: pathname, method: method as "GET" });
      return new Response(body, { status: statusCode });
    });
    await set(withUrl);
    expect(asked).toEqual(["POST https://msg.acme.example", "GET https://msg.acme.example"]);
    expect(printed.err).not.toContain("Warning");
    await app.close();
    await store.close();
  });

  it.each([
    ["a proxy that passes nothing", () => new Response("", { status: 404 }), "POST", "was answered with 404"],
    ["another site", () => new Response("Welcome"), "POST", "was answered by another server"],
    ["a redirect", () => new Response(null, { status: 302 }), "POST", "was answered with 302"],
    [
      "a proxy that lets nobody open the link",
      (method: string) => (method === "POST" ? new Response(PROBE_WORDS) : new Response("", { status: 403 })),
      "GET",
      "was answered with 403",
    ],
    [
      "nobody",
      () => Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ENOTFOUND" }) })),
      "POST",
      "was not answered (ENOTFOUND)",
    ],
  ] as const)("that leads to %s causes a warning, but is set", async (_whom, reply, method, words) => {
    answer((_url, by) => reply(by));
    const { name } = await set(withUrl);
    expect(printed.err).toContain(
      `Warning: recipients of MARKETING mails cannot unsubscribe. ${method} https://msg.acme.example/unsubscribe/… ${words}. Have the proxy at msg.acme.example pass /unsubscribe/ to msgd serve`,
    );
    expect((await list()).map((carrier) => carrier.name)).toEqual([name]);
  });

  it("that nobody has set causes a warning", async () => {
    await set(smtp);
    expect(printed.err).toContain("Warning: MARKETING mails have no link to unsubscribe: set publicUrl");
  });

  it("is also checked by carriers test", async () => {
    answer(() => new Response("", { status: 502 }));
    await set(withUrl);
    forget();
    const flags = { ...flagsOf("1", "EMAIL"), to: "ada@example.com", wait: "0s" };
    await expect(runCarriersTest(flags, environment)).rejects.toThrow("no server has picked up the message");
    expect(printed.err).toContain("POST https://msg.acme.example/unsubscribe/… was answered with 502");
  });

  it("of the server, without which the carrier is down, is named by carriers test", async () => {
    const { name = "" } = await set(twilio, { channel: "SMS" });
    expect(printed.err).toContain("Test it: msgd carriers test --tenant 1 --channel SMS --to <yourself>");
    const store = await openStoreAt({ file: join(folder, "data", "msgd.db") }, { now: () => 0 });
    await store.write((tx) => saveCarrierState(tx, { name, downWords: "set --public-url", now: 0 }));
    await store.close();
    const flags = { ...flagsOf("1", "SMS"), to: "+12025550100", wait: "0s" };
    await expect(runCarriersTest(flags, environment)).rejects.toThrow(
      `the message waits: ${name} is down since 1970-01-01T00:00:00.000Z: set --public-url. It is sent once a running server`,
    );
  });

  it("is that of the server if the carrier has none", async () => {
    answer(() => new Response("", { status: 404 }));
    environment = { ...environment, env: { ...environment.env, MSGD_PUBLIC_URL: "https://msg.example.com" } };
    await set(smtp);
    await set(withUrl);
    expect(asked).toEqual(["POST https://msg.example.com", "POST https://msg.acme.example"]);
  });

  it("is not checked for texts, or for mails without one", async () => {
    answer(() => new Response("", { status: 404 }));
    await set(smtp);
    await set(smpp, { channel: "SMS" });
    expect(asked).toEqual([]);
  });
});

/** Waits for the message of a carrier test, and returns its id. */
async function readQueuedId(): Promise<string> {
  const find = () => /msg_\w+/.exec(printed.err)?.[0];
  await expect.poll(find).toBeDefined();
  return find() ?? "";
}

it("a test that an opt-out ends names the command that shows the opt-out", async () => {
  await set(twilio, { channel: "SMS" });
  const flags = { ...flagsOf("1", "SMS"), to: "+12025550100", wait: "100s" };
  const tested = expect(runCarriersTest(flags, environment)).rejects.toThrow(
    "because the recipient has opted out: see msgd recipients show +12025550100 --tenant 1",
  );
  const messageId = await readQueuedId();
  const store = await openStoreAt({ file: join(folder, "data", "msgd.db") }, environment.clock);
  await store.write(async (tx) => {
    const message = await findMessageProgress(tx, messageId);
    if (message === undefined) throw new Error(`there is no ${messageId}`);
    await saveStatus(tx, message, { status: "FAILED", deliveryReason: "OPTED_OUT", now: environment.clock.now() });
  });
  await store.close();
  await tested;
});

it("a test whose message waits for another attempt says that the server keeps trying", async () => {
  const { name = "" } = await set(smtp);
  let now = 0;
  const waiting = { ...environment, clock: { ...environment.clock, now: () => now } };
  const tested = expect(
    runCarriersTest({ ...flagsOf("1", "EMAIL"), to: "ada@example.com", wait: "3s" }, waiting),
  ).rejects.toThrow("it was not sent yet; the server keeps trying");
  const messageId = await readQueuedId();
  const store = await openStoreAt({ file: join(folder, "data", "msgd.db") }, waiting.clock);
  await store.write(async (tx) => {
    const [row] = await listDue(tx, { now, limit: 1, scan: new QueueFloors(waiting.clock.now).beginScan() });
    await saveAttempt(tx, { messageId, status: "SENDING", provider: name, now });
    await queueAgain(tx, row as OutboxRow, { state: "ready", dueAt: 60_000, giveUpAt: 120_000, now });
  });
  await store.close();
  now = 3_000;
  await tested;
});

describe("a document", () => {
  const strong = makeKey(2_048);
  const accepted: [string, object, Channel][] = [
    ["of little", { kind: "smtp", host: "127.0.0.1", from: "a@b.example" }, "EMAIL"],
    [
      "with a password over an unencrypted connection to this machine",
      { ...smtp, host: "localhost", tls: "none" },
      "EMAIL",
    ],
    [
      "of everything",
      {
        ...smtp,
        port: 465,
        tls: "tls",
        replyTo: "b@acme.example",
        returnPath: "bounces@acme.example",
        publicUrl: "https://acme.example/x",
        dkim: { domain: "acme.example", selector: "a.b", privateKey: strong },
        connections: 100,
      },
      "EMAIL",
    ],
    ["of texts", smpp, "SMS"],
    ["for texts, with a short code as the sender", { ...smpp, sender: "40404" }, "SMS"],
    ["for texts, with a name as the sender", { ...smpp, sender: "Acme 24" }, "SMS"],
    ["for texts, with a name that has punctuation", { ...smpp, sender: "A&B-24._ x" }, "SMS"],
    [
      "for texts, with every field",
      {
        ...smpp,
        tls: "tls",
        systemType: "",
        bind: "separate",
        serviceType: "CMT",
        senderTon: 0,
        senderNpi: 1,
        recipientTon: 6,
        recipientNpi: 18,
        binds: 10,
        window: 1,
        longTexts: "sar",
        alphabet: "latin1",
        receipts: "one",
        receiptIds: "hex-as-decimal",
      },
      "SMS",
    ],
    ["of calls", freeswitch, "VOICE"],
    [
      "for calls, with every field",
      {
        ...freeswitch,
        port: 8022,
        callerName: "Müller & Co. 24",
        calls: 1_000,
        speechFolder: "/var/spool/msgd/speech",
        recordingFolder: "/var/spool/msgd/recordings",
        callRecordFolder: "/var/log/freeswitch/json_cdr",
        presence: true,
        marketing: { intro: "{merchant} calls. Press 9 for no more calls.", optOutKey: "9" },
      },
      "VOICE",
    ],
    [
      "for calls over Twilio, with the key of MARKETING calls",
      { ...twilio, marketing: { intro: "{merchant} calls. Press 9 for no more calls.", optOutKey: "9" } },
      "VOICE",
    ],
  ];
  it.each(accepted)("%s is accepted", async (_what, document, channel) => {
    expect((await set(document, { channel })).kind).toBe((document as { kind: string }).kind);
  });

  const refused: [string, unknown, Channel, string[]][] = [
    ["that is an empty list", [], "EMAIL", ['/kind: expected "smtp" or "http", which carry EMAIL, received none']],
    ["of another kind", smpp, "EMAIL", ['/kind: expected "smtp" or "http", which carry EMAIL, received "smpp"']],
    [
      "without any required field",
      { kind: "smpp" },
      "SMS",
      ["/host: Required", "/port: Required", "/systemId: Required", "/password: Required", "/sender: Required"],
    ],
    ["with a typo", { ...smtp, hots: "x" }, "EMAIL", ["/hots: Not a field"]],
    [
      "with a URL as its host",
      { ...smtp, host: "smtp://h:25" },
      "EMAIL",
      ["/host: expected a host name or an address, without a port"],
    ],
    ["with an invalid port", { ...smtp, port: 70_000 }, "EMAIL", ["/port: Expected 65535 or less"]],
    [
      "with a sender that would add a second header",
      { ...smtp, from: "a@b.example\r\nBcc: eve@b.example" },
      "EMAIL",
      ["/from: expected an address"],
    ],
    [
      "with a user but no password",
      { ...smtp, password: undefined },
      "EMAIL",
      ["/password: expected a user and a password"],
    ],
    [
      "with a password over an unencrypted connection",
      { ...smtp, tls: "none" },
      "EMAIL",
      ["/tls: expected starttls or tls"],
    ],
    [
      "with a password beside OAuth",
      { ...smtp, oauth: { tokenUrl: "https://login.example/token", clientId: "c", clientSecret: "s" } },
      "EMAIL",
      ["/password: expected a user and no password with oauth"],
    ],
    [
      "with an unencrypted token URL",
      { ...smtp, password: undefined, oauth: { tokenUrl: "http://login.example", clientId: "c", clientSecret: "s" } },
      "EMAIL",
      ["/oauth/tokenUrl: expected the https URL of a token endpoint"],
    ],
    [
      "with a return path that is too long or has a tag",
      { ...smtp, returnPath: "bounces-of-all-the-mails@acme.example" },
      "EMAIL",
      ["/returnPath: expected an address without +, of at most 20 characters"],
    ],
    [
      "with an unencrypted public URL",
      { ...smtp, publicUrl: "http://acme.example" },
      "EMAIL",
      ["/publicUrl: expected an https URL"],
    ],
    [
      "with a weak key",
      { ...smtp, dkim: { domain: "acme.example", selector: "a b", privateKey: makeKey(512) } },
      "EMAIL",
      [
        "/dkim/selector: expected a label",
        "/dkim/privateKey: expected an RSA key in PEM, of 1024 bits or more, without a passphrase, received one of 512 bits",
      ],
    ],
    [
      "with a postal address that has no text or a control character",
      { ...smtp, postalAddress: "Acme\r\nBcc: eve@b.example" },
      "EMAIL",
      ["/postalAddress: expected one or more lines of text"],
    ],
    ["with events of nobody", { ...smtp, events: {} }, "EMAIL", ["/events/provider: Required"]],
    ["with events of a stranger", { ...smtp, events: { provider: "x" } }, "EMAIL", ["/events/provider: Expected"]],
    [
      "with events that miss their key, and have another provider's",
      { ...smtp, events: { provider: "sendgrid", signingKey: "k" } },
      "EMAIL",
      [
        "/events/verificationKey: expected the verification key of the signed event webhook, as SendGrid shows it",
        "/events/signingKey: expected only verificationKey beside sendgrid",
      ],
    ],
    [
      "with the key of another curve",
      { ...smtp, events: { provider: "sendgrid", verificationKey: "MCowBQYDK2VwAyEA" } },
      "EMAIL",
      [
        '/events/verificationKey: expected the verification key of the signed event webhook, as SendGrid shows it, received "MC',
      ],
    ],
    [
      "with a topic elsewhere",
      { ...smtp, events: { provider: "ses", topicArn: "arn:aws:sqs:us-east-1:123456789012:mail" } },
      "EMAIL",
      ["/events/topicArn: expected the ARN of an SNS topic"],
    ],
    [
      "with a short password for events",
      { ...smtp, events: { provider: "postmark", user: "a:b", password: "short" } },
      "EMAIL",
      ["/events/user: expected a user name of your choice", "/events/password: expected a password of your choice"],
    ],
    ["with an invalid certificate", { ...smtp, ca: "x" }, "EMAIL", ["/ca: expected certificates in PEM"]],
    [
      "for texts, with many wrong fields",
      {
        ...smpp,
        systemId: "é",
        password: "ü7",
        systemType: "\n",
        bind: "both",
        serviceType: "\t",
        sender: "Acme-Shop.24",
        senderTon: 7,
        recipientNpi: 19,
        binds: 0,
        window: 1_001,
        longTexts: "x",
      },
      "SMS",
      [
        "/systemId: expected printable ASCII",
        "/password: expected printable ASCII",
        "/systemType: expected printable ASCII",
        "/bind: Expected one of transceiver, separate",
        "/serviceType: expected printable ASCII",
        "/sender: expected an E.164 number, a short code of 3 to 8 digits, or up to 11 letters and digits, blanks and & - . _",
        "/senderTon: Expected 6 or less",
        "/recipientNpi: Expected 18 or less",
        "/binds:",
        "/window:",
        "/longTexts: Expected one of udh, sar, payload",
      ],
    ],
    [
      "for calls, with many wrong fields",
      {
        ...freeswitch,
        password: `${canary}\n\napi shutdown`,
        gateway: "carrier/+1202",
        callerId: "2025550199",
        callerName: "Acme',x='",
        calls: 0,
        speechFolder: "speech",
        recordingFolder: "/var/$" + "{x}",
        callRecordFolder: "/var/../etc",
        presence: "yes",
        marketing: { intro: "{name} calls.", optOutKey: "#" },
      },
      "VOICE",
      [
        "/password:",
        "/gateway: expected the name of a gateway: letters, digits, . _ and -",
        "/callerId: expected an E.164 number, such as +12025550199",
        "/callerName: expected letters, digits, spaces and . & -",
        "/calls:",
        "/speechFolder: expected an absolute path",
        "/recordingFolder: expected an absolute path",
        "/callRecordFolder: expected an absolute path",
        "/presence:",
        "/marketing/intro: expected words without control characters",
        '/marketing/optOutKey: expected a digit, 0 to 9, received "#"',
      ],
    ],
  ];
  it.each(refused)("%s is refused with all its faults", async (_what, document, channel, faults) => {
    const error = await set(document, { channel }).then(
      () => new Error("it was set"),
      (reason: Error) => reason,
    );
    for (const fault of faults) expect(error.message).toContain(fault);
    expect(error.message.split("\n")).toHaveLength(faults.length + 1);
    expect(error.message).toContain("nothing was set");
    for (const secret of [canary, "kW7harb", "ü7", "PRIVATE KEY"]) expect(error.message).not.toContain(secret);
    expect(await list()).toEqual([]);
  });

  it("for the calls of all tenants may have no phones, because phones belong to one tenant", async () => {
    const withPhones = { ...freeswitch, presence: true };
    await expect(set(withPhones, { tenant: "all", channel: "VOICE" })).rejects.toThrow(
      "/presence: expected false for all tenants; set it for the tenant that has the phones",
    );
    expect((await set(freeswitch, { tenant: "all", channel: "VOICE" })).kind).toBe("freeswitch");
  });

  it("that is not JSON is refused with the position of the fault, without quoting the text", async () => {
    await expect(set(`{"kind":"smtp","password":"${canary}" oops}`)).rejects.toThrow(
      /not JSON: fault at line 1, column \d+$/,
    );
    await expect(
      runCarriersSet({ ...flagsOf("1", "EMAIL"), file: join(folder, "none.json") }, environment),
    ).rejects.toThrow("there is no such file");
  });
});

describe("a second carrier", () => {
  it("is set, shown and replaced independently of the first", async () => {
    const first = await set(smtp);
    await set({ ...smtp, host: "b.acme.example" }, { second: true });
    expect(printed.err).toContain("--channel EMAIL --second --to");
    const second = await set({ ...smtp, host: "c.acme.example" }, { second: true });
    expect(await list()).toMatchObject([
      { name: first.name, rank: "first" },
      { name: second.name, rank: "second" },
    ]);
    forget();
    await runCarriersShow({ ...flagsOf("1", "EMAIL"), second: true }, environment);
    expect(JSON.parse(printed.out)).toMatchObject({ name: second.name, settings: { host: "c.acme.example" } });
    await runCarriersList({ output: "text" }, environment);
    expect(printed.out).toContain("tenant 1, second  set ");
  });

  it("needs a first one, which cannot be removed before the second", async () => {
    await expect(set(smtp, { second: true })).rejects.toThrow(
      "tenant 1 has no carrier of its own for EMAIL: set that first, without --second",
    );
    await set(smtp);
    await set(smtp, { second: true });
    const flags = flagsOf("1", "EMAIL");
    await expect(runCarriersRemove(flags, environment)).rejects.toThrow(
      "there is a second carrier for EMAIL: first remove it with --second",
    );
    await runCarriersRemove({ ...flags, second: true }, environment);
    await runCarriersRemove(flags, environment);
    expect(await list()).toEqual([]);
    await expect(runCarriersRemove({ ...flags, second: true }, environment)).rejects.toThrow(
      "tenant 1 has no second carrier of its own for EMAIL",
    );
  });
});

describe("carriers show", () => {
  it("shows all settings except secrets, including defaults", async () => {
    const { name } = await set({
      ...smtp,
      dkim: { domain: "acme.example", selector: "s", privateKey: makeKey(1_024) },
    });
    const shown = await show("EMAIL");
    expect(shown).toMatchObject({
      name,
      settings: { host: "smtp.acme.example", port: 587, tls: "starttls", connections: 8 },
    });
    expect(shown.settings).toMatchObject({ password: "set", dkim: { domain: "acme.example", privateKey: "set" } });
    expect(printed.out).not.toContain(canary);
    await runCarriersShow({ ...flagsOf("1", "EMAIL"), output: "text" }, environment);
    expect(printed.out).not.toContain(canary);
  });

  it("reports that there is none", async () => {
    await expect(show("SMS")).rejects.toThrow("tenant 1 has no carrier of its own for SMS: msgd carriers list shows");
    await expect(show("SMS", "all")).rejects.toThrow("tenants have no common carrier for SMS");
  });
});

describe("the audit", () => {
  const entriesOf = async (tenantId: number) => {
    const entries = await listRecorded(environment, tenantId);
    expect(JSON.stringify(entries)).not.toContain(canary);
    return entries.reverse();
  };
  const shown = ({ operation, target }: AuditRow) => `${operation}: ${target}`;

  it("names each carrier that was set, replaced or removed, without its settings", async () => {
    const { name: old } = await set(smtp);
    const { name } = await set(smtp);
    const { name: second } = await set(smtp, { second: true });
    await runCarriersRemove({ ...flagsOf("1", "EMAIL"), second: true }, environment);
    await runCarriersRemove(flagsOf("1", "EMAIL"), environment);
    await runCarriersRemove({ ...flagsOf("1", "EMAIL"), discard: true }, environment);
    expect((await entriesOf(1)).map(shown)).toEqual([
      `carriers set: carrier ${old}, EMAIL`,
      `carriers set: carrier ${name}, EMAIL, in place of ${old}`,
      `carriers set: carrier ${second}, EMAIL, second`,
      `carriers remove: carrier ${second}, EMAIL, second`,
      `carriers remove: carrier ${name}, EMAIL`,
      "carriers remove: carrier none, EMAIL, waiting messages ended",
    ]);
    await expect(runCarriersRemove(flagsOf("1", "EMAIL"), environment)).rejects.toThrow("has no carrier of its own");
    expect(await entriesOf(1)).toHaveLength(6);
  });

  it("of operators names the carriers of all tenants", async () => {
    const { name } = await set(smtp, { tenant: "all" });
    await runCarriersRemove(flagsOf("all", "EMAIL"), environment);
    expect((await entriesOf(EVERY_TENANT)).map(shown)).toEqual([
      `carriers set: carrier ${name}, EMAIL`,
      `carriers remove: carrier ${name}, EMAIL`,
    ]);
    expect(await entriesOf(1)).toEqual([]);
  });

  it("finds a test by its recipient, without showing the recipient", async () => {
    const { name } = await set(smtp);
    const to = "ann@example.com";
    await expect(runCarriersTest({ ...flagsOf("1", "EMAIL"), to, wait: "0s" }, environment)).rejects.toThrow(
      "no server has picked up",
    );
    const pepper = readPepper(findInstallation({}, environment.env).folder);
    const [, entry] = await entriesOf(1);
    expect(entry && shown(entry)).toMatch(
      new RegExp(`^carriers test: carrier ${name}, EMAIL, messageId msg_\\w{26}, a•••@example.com$`),
    );
    const store = await openStoreAt({ file: join(folder, "data", "msgd.db") }, { now: () => 0 });
    const subject = createRecipientDigest(pepper)(1, to);
    const about = await store.read((tx) => listAuditEntriesAbout(tx, { tenantId: 1, subject, before: 1e9, limit: 10 }));
    await store.close();
    expect(about.map(({ operation }) => operation)).toEqual(["carriers test"]);
  });
});

describe("carriers list", () => {
  it("shows how many messages wait for each carrier, and since when", async () => {
    const { name = "" } = await set(smpp, { channel: "SMS" });
    await set(smtp);
    const at = Date.UTC(2026, 0, 5);
    await waitIn(name, { at });
    expect(await list()).toMatchObject([
      { channel: "EMAIL", waiting: 0, waitingSince: null },
      { channel: "SMS", waiting: 1, waitingSince: "2026-01-05T00:00:00.000Z" },
    ]);
    forget();
    await runCarriersList({ output: "text" }, environment);
    expect(printed.out.split("\n").map((line) => line.includes(" 1 waiting since 2026-01-05T"))).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe("carriers remove", () => {
  it("removes a carrier once", async () => {
    await set(smtp);
    await runCarriersRemove(flagsOf("1", "EMAIL"), environment);
    expect(await list()).toEqual([]);
    await expect(runCarriersRemove(flagsOf("1", "EMAIL"), environment)).rejects.toThrow("has no carrier of its own");
  });

  it("says whether reports about accepted messages are still processed", async () => {
    await set(smtp);
    await runCarriersRemove(flagsOf("1", "EMAIL"), environment);
    expect(printed.err).toContain("Reports about messages that it accepted are still processed.");
    await set(smpp, { channel: "SMS" });
    forget();
    await runCarriersRemove(flagsOf("1", "SMS"), environment);
    expect(printed.err).toContain("are processed only once it is set again, and only if they are repeated.");
  });

  it("says for how long reports to its URL are processed", async () => {
    await set({ ...smtp, events: new PostmarkDouble().settings });
    await set(twilio, { channel: "SMS" });
    for (const channel of ["EMAIL", "SMS"]) {
      forget();
      await runCarriersRemove(flagsOf("1", channel), environment);
      expect(printed.err).toContain("Reports about messages that it accepted are still processed for 30 days.");
    }
  });

  it("says how many messages wait for the carrier, and what happens to them", async () => {
    const { name = "" } = await set(smtp);
    const at = Date.UTC(2026, 0, 5);
    await waitIn(name, { at });
    await waitIn(queueWithoutCarrier("EMAIL"), { at: at - 60_000 });
    forget();
    await runCarriersRemove(flagsOf("1", "EMAIL"), environment);
    expect(JSON.parse(printed.out)).toMatchObject({ name, waiting: 2, waitingSince: "2026-01-04T23:59:00.000Z" });
    expect(printed.err).toContain(
      "2 messages wait, the oldest since 2026-01-04T23:59:00.000Z. They wait on. New messages wait",
    );
    expect(printed.err).toContain("msgd carriers remove --tenant 1 --channel EMAIL --discard");
  });

  it("gives the waiting messages to the carrier of all tenants", async () => {
    const common = await set(smtp, { tenant: "all" });
    await set(smtp);
    const flags = flagsOf("1", "EMAIL");
    const refused = runCarriersRemove({ ...flags, discard: true }, environment);
    await expect(refused).rejects.toThrow(`--discard: ${common.name} carries EMAIL for all tenants`);
    await runCarriersRemove(flags, environment);
    expect(printed.err).toContain(`Nothing waits. ${common.name}, the carrier of all tenants, carries EMAIL now`);
  });

  it("discards the waiting messages of a tenant that never had a carrier", async () => {
    await waitIn(queueWithoutCarrier("EMAIL"), { at: Date.UTC(2026, 0, 5) });
    await runCarriersRemove({ ...flagsOf("1", "EMAIL"), discard: true }, environment);
    expect(printed.err).toContain("It ends FAILED and uncharged");
    expect(await list()).toEqual([]);
    const store = await openStoreAt({ file: join(folder, "data", "msgd.db") }, { now: () => 0 });
    const rows = await store.read((tx) => tx.all("SELECT discarded_at > 0 AS is_discarded FROM carriers"));
    expect(rows).toEqual([{ is_discarded: 1 }]);
    await store.close();
  });

  it("refuses an unknown tenant and a test tenant", async () => {
    await expect(runCarriersRemove(flagsOf("9", "EMAIL"), environment)).rejects.toThrow("there is no tenant 9");
    await expect(runCarriersRemove(flagsOf("2", "EMAIL"), environment)).rejects.toThrow("tenant 2 is a test tenant");
  });

  it("discards the waiting messages, also in a later command", async () => {
    const flags = { ...flagsOf("1", "EMAIL"), discard: true };
    await set(smtp);
    await runCarriersRemove(flagsOf("1", "EMAIL"), environment);
    await waitIn(queueWithoutCarrier("EMAIL"), { at: Date.UTC(2026, 0, 5) });
    forget();
    await runCarriersRemove(flags, environment);
    expect(JSON.parse(printed.out)).toEqual({
      ...{ tenantId: "1", channel: "EMAIL", waiting: 1, waitingSince: "2026-01-05T00:00:00.000Z" },
    });
    expect(printed.err).toContain(
      "1 message waits, the oldest since 2026-01-05T00:00:00.000Z. It ends FAILED and uncharged",
    );
    await expect(runCarriersRemove({ ...flags, second: true }, environment)).rejects.toThrow(
      "cannot be combined with --second",
    );
  });
});
