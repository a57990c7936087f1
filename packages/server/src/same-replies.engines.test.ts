// Makes random calls, repeats calls and lets time pass on both engines in parallel. Every reply, list and callback must be
// the same on both, except for the ids that each engine draws.

import { type OperationId, operations } from "@msgctl/contract";
import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { ConsentPolicy } from "./domain/policies.ts";
import type { IssuedCredential } from "./domain/tenancy/tenants.ts";
import { checkInvariants } from "./store/invariants.ts";
import { takeDatabase } from "./testing/engine.ts";
import { type InMemoryService, openInMemoryService } from "./testing/in-memory-service.ts";
import { exampleProvisioning, storeProvisioning } from "./testing/provisioning-example.ts";
import { type GeneratedRequest, validRequest } from "./testing/request-arbitraries.ts";

const RUNS = 6;
const MOST_STEPS = 50;
/** Weight of known values beside random ones. */
const KNOWN = 20;
const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];
const most = Number.MAX_SAFE_INTEGER;

/** A step of a run. Both worlds take it. */
type Step =
  | { readonly operationId: OperationId; readonly request: GeneratedRequest; readonly as: Role; readonly key: string }
  | { readonly again: number }
  | { readonly waitMs: number };
type Role = "tenant" | "merchant";

/** Texts that engines may store, order or compare differently. */
const texts = [
  ..."aBbzZ10 ",
  "ä",
  "Ä",
  "é",
  "e\u0301",
  "ß",
  "ſ",
  "İ",
  "𝔘",
  "👩‍👩‍👧 👍🏽",
  "\uffff",
  "a_b",
  "a.b",
  "a-b",
  "a:b",
  "a b",
  "it's",
  'say "x"',
  "\\",
  "\\x41",
  "\\u0000",
  "{1,NULL}",
  "NULL",
  "%",
  "$1",
  "'; DROP TABLE messages;--",
  "\ud800",
  " padded ",
  "x".repeat(128),
];
const longTexts = [...texts, "a\tb\r\nc", "STOP", "start", "Help", "é€".repeat(80), "x".repeat(1_600)];
const emails = [
  "delivered@simulator.example",
  "timeout+1@simulator.example",
  "Ada.Lovelace@Example.COM",
  "a_b@example.com",
  "a-b@example.com",
  "a.b@example.com",
  "B@example.com",
  "x@bücher.example",
];
const phones = ["+12025550100", "+12025550103", "+12125550117", "+13125550120", "+442079460000", "+14155550139"];
const merchantIds = ["m1", "default", "a", "B", "b", "_", "-x", ":", "a.b", "a-b", "a:b", "a_b", "Z".repeat(64)];
const allowances = [0, 1, 2, 3, 5, 10, 100, most - 1, most];

/** Requests contain placeholders for ids: the first, second, … id that a world has returned. */
const PLACES = 3;
const messagePlaces = Array.from({ length: PLACES }, (_, place) => `msg_PLACE${place}`);
const numericPlaces = (digit: number) => Array.from({ length: PLACES }, (_, place) => digit * 1_000_000 + place);
const places = {
  message: messagePlaces,
  request: numericPlaces(71),
  batch: numericPlaces(72),
  campaign: numericPlaces(73),
  number: numericPlaces(74),
  brand: [],
  payment: [],
  speech: [],
} as const;
type Kind = keyof typeof places;

const known: Readonly<Record<string, readonly unknown[]>> = {
  // most requests are about objects that exist from the start
  merchantId: [...Array(30).fill("m1"), ...Array(5).fill("default"), ...merchantIds],
  displayName: texts,
  contact: [...phones, ...emails],
  to: [...phones, ...emails, "2026-01-15", "2026-01-31", "2026-02-28"],
  toNumber: phones,
  source: texts,
  message: longTexts,
  text: longTexts,
  messageText: longTexts,
  subject: texts,
  body: [...longTexts, "ü".repeat(5_000)],
  useCase: [...texts, ...Array(20).fill("CUSTOMER_CARE"), "MARKETING", "marketing", "OTP"],
  subUseCases: [[]],
  idempotencyKey: ["k1", "k2", "k3"],
  amountCents: [1_000],
  from: ["2026-01-01", "2026-01-15"],
  sourceSystem: texts,
  tenantId: ["1", ...texts],
  replyBody: longTexts,
  callbackUrl: ["ok", "gone", "down"].map((name) => `https://${name}.receiver.example/`),
  sipUsername: ["dana", "1001", "DANA", "dana@acme.sip.example", "none"],
  identifier: ["dana", "1001", "Dana", "\u0000", "none", "\ud800", "'"],
  smsLimit: allowances,
  voiceMinutesLimit: allowances,
  emailLimit: allowances,
  smsCredits: allowances,
  voiceMinutesCredits: allowances,
  emailCredits: allowances,
  units: [1, 10, most],
  legalBusinessName: texts,
  campaignReference: ["a", "A", "ä", "it's"],
  providerBrandId: ["a", "A"],
  providerCampaignId: ["a", "A"],
  externalBrandRef: ["a", "A", "ä"],
  optOutKeywords: [["STOP", "Ende"]],
  country: ["US"],
  state: ["CA"],
  postalCode: ["94105"],
  countryCode: ["US"],
  phoneNumber: phones,
  capabilities: [["SMS"], ["SMS", "VOICE"], ["VOICE"]],
  messageId: messagePlaces,
  requestId: places.request,
  batchId: places.batch,
  campaignId: places.campaign,
  numberId: places.number,
};

const weights: Partial<Record<OperationId, number>> = {
  sendSms: 6,
  sendEmail: 3,
  sendVoice: 3,
  sendDirectSms: 3,
  createTtsCalls: 5,
  upsertMerchant: 4,
  recordConsent: 4,
  simulateReply: 3,
  requestUpgrade: 3,
  registerBrand: 3,
  registerCampaign: 3,
  registerNumber: 3,
  assignNumber: 3,
};

const call = (operationId: OperationId): Arbitrary<Step> =>
  fc.record({
    operationId: fc.constant(operationId),
    request: validRequest(operationId, known, KNOWN),
    as: fc.oneof({ weight: 8, arbitrary: fc.constant<Role>("tenant") }, fc.constant<Role>("merchant")),
    // few keys, so that one is used for several requests
    key: fc.constantFrom("", "", "", "k1", "k2", "k3"),
  });

const calls = fc.oneof(
  ...(Object.keys(operations) as OperationId[]).map((id) => ({ weight: weights[id] ?? 1, arbitrary: call(id) })),
);

const steps: Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: calls },
    { weight: 2, arbitrary: fc.record({ again: fc.nat(MOST_STEPS) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        waitMs: fc.constantFrom(
          secondMs,
          30 * secondMs,
          10 * minuteMs,
          hourMs,
          8 * hourMs,
          80 * hourMs,
          24 * 20 * hourMs,
        ),
      }),
    },
  ),
  { maxLength: MOST_STEPS, size: "max" },
);

const policies = fc.constantFrom<ConsentPolicy>("opt_out_only", "opt_out_only", "strict");

/** Gives ids the same name in both worlds: the kind and the position among those returned. */
class Names {
  readonly #ids = new Map<Kind, string[]>();

  /** Returns a copy of the reply with names in place of ids. */
  replaceIds(value: unknown, kindOfId?: Kind): unknown {
    if (Array.isArray(value)) return value.map((item) => this.replaceIds(item, kindOfId));
    if (typeof value === "string") return this.#replaceIn(value);
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => {
      const kind = name === "id" ? kindOfId : kindsOfMembers[name];
      const isId =
        kind !== undefined && (typeof member === "number" || /^(?:(?:msg|pay)_\w+|\d{12,})$/.test(String(member)));
      return [
        name,
        isId ? this.#nameOf(kind, String(member)) : this.replaceIds(member, kindsOfLists[name] ?? kindOfId),
      ];
    });
    return Object.fromEntries(members);
  }

  /** Returns the request with the world's ids in place of names. */
  fillPlaces(text: string): string {
    let filled = text;
    for (const [kind, ofKind] of Object.entries(places) as [Kind, readonly (string | number)[]][]) {
      const ids = this.#ids.get(kind) ?? [];
      for (const [place, stand] of ofKind.entries()) {
        const id = ids.at(place % Math.max(1, ids.length));
        if (id !== undefined) filled = filled.replaceAll(String(stand), id);
      }
    }
    return filled;
  }

  /** Ids are kept by kind, because in one world two kinds may have the same id. */
  #nameOf(kind: Kind, id: string): string {
    const ids = this.#ids.get(kind) ?? [];
    this.#ids.set(kind, ids);
    const known = ids.indexOf(id);
    return `${kind} ${known < 0 ? ids.push(id) : known + 1}`;
  }

  #findName(id: string): string | undefined {
    for (const [kind, ids] of this.#ids) if (ids.includes(id)) return this.#nameOf(kind, id);
    return undefined;
  }

  /** Ids within a text. */
  #replaceIn(text: string): string {
    const named = text.replaceAll(/(msg|pay)_[0-9A-Z]{26}/g, (id, prefix) =>
      this.#nameOf(prefix === "msg" ? "message" : "payment", id),
    );
    // if several calls end at once, any of them may be the one that reaches a threshold
    const anyReaches = named.replace(/(?<=^VOICE usage has reached \d+ % of the monthly limit: )\d+/, "some");
    return anyReaches.replaceAll(/\d{12,}/g, (id) => this.#findName(id) ?? id);
  }
}

const kindsOfMembers: Readonly<Record<string, Kind>> = {
  messageId: "message",
  requestId: "request",
  batchId: "batch",
  brandId: "brand",
  campaignId: "campaign",
  numberId: "number",
  paymentId: "payment",
  callSessionId: "request",
  ttsAssetId: "speech",
};
const kindsOfLists: Readonly<Record<string, Kind>> = { brands: "brand", campaigns: "campaign", numbers: "number" };
const kindsOfReplies: Partial<Record<OperationId, Kind>> = {
  registerBrand: "brand",
  registerCampaign: "campaign",
  registerNumber: "number",
  assignNumber: "number",
};

/** A service on one engine, and everything that it has returned. */
class World {
  readonly #service: InMemoryService;
  readonly #names = new Names();
  readonly #posted: string[];
  readonly #release: () => Promise<void>;
  #merchant: IssuedCredential | undefined;
  readonly #asked: Exclude<Step, { waitMs: number } | { again: number }>[] = [];

  constructor(service: InMemoryService, posted: string[], release: () => Promise<void>) {
    this.#service = service;
    this.#posted = posted;
    this.#release = release;
  }

  async prepare(): Promise<void> {
    const limits = { smsLimit: 20, smsCredits: 3, emailLimit: 10, voiceMinutesLimit: 10, voiceMinutesCredits: 2 };
    for (const merchantId of ["m1", "default"]) {
      await this.#service.call("POST", "/api/v1/merchants", { body: { merchantId, displayName: "One", ...limits } });
    }
    const approved = { legalBusinessName: "One", status: "APPROVED", verificationStatus: "VERIFIED" };
    await this.#service.call("POST", "/api/v1/merchants/m1/messaging/brand", { body: approved });
    await storeProvisioning(this.#service.store, exampleProvisioning(1));
    this.#merchant = await this.#service.issue({ merchantId: "m1" });
    await this.#service.start();
  }

  /** Takes the step, and returns what a caller sees of it. */
  async take(step: Step): Promise<unknown> {
    if ("waitMs" in step) return this.#service.clock.advanceBy(step.waitMs);
    const asked = "again" in step ? this.#asked.at(step.again % Math.max(1, this.#asked.length)) : step;
    if (asked === undefined) return undefined;
    if (!("again" in step)) this.#asked.push(step);
    const { operationId, request, as, key } = asked;
    const { method, url, body } = request;
    const reply = await this.#service.call(method, this.#names.fillPlaces(url), {
      body: body && this.#names.fillPlaces(body),
      headers: {
        "content-type": "application/json",
        ...(key === "" || body?.includes("idempotencyKey") ? {} : { "idempotency-key": key }),
      },
      as: as === "merchant" ? (this.#merchant ?? null) : this.#service.credential,
    });
    await this.#service.clock.settle();
    return {
      operationId,
      status: reply.statusCode,
      replayed: reply.headers["idempotent-replayed"],
      retryAfter: reply.headers["retry-after"],
      type: reply.headers["content-type"],
      body: this.#names.replaceIds(readBody(reply), kindsOfReplies[operationId]),
    };
  }

  /** Returns the final lists, callbacks and history of consents. */
  async look(): Promise<unknown> {
    const { store } = this.#service;
    const lists = ["/api/v1/merchants", "/api/v1/consents", "/api/v1/alerts", "/api/v1/voice/tts-calls?limit=200"];
    const registrations = ["m1", "default"].map((id) => `/api/v1/merchants/${id}/messaging/status`);
    const reports = ["/api/v1/reports/usage", "/api/v1/reports/usage?from=2026-01-01&to=2026-01-31"];
    const seen: Record<string, unknown> = {};
    for (const url of [
      ...lists,
      ...registrations,
      ...reports,
      "/api/v1/voice/provisioning",
      "/control/messages?limit=1000",
    ]) {
      seen[url] = this.#names.replaceIds(readBody(await this.#service.call("GET", url)));
    }
    // simultaneous changes of calls are reported in any order, and a failing receiver gets callbacks in varying order
    seen.posted = [
      ...new Set(this.#posted.map((text) => JSON.stringify(this.#names.replaceIds(JSON.parse(text))))),
    ].sort();
    const history = await store.read((tx) =>
      tx.all<{ by: string }>(
        `SELECT merchant_id AS "merchantId", channel, contact, status, source, changed_by AS by, changed_at AS at
           FROM consent_history ORDER BY change_id`,
      ),
    );
    seen.history = history.map((row) => ({ ...row, by: row.by === this.#merchant?.apiKey ? "merchant" : "tenant" }));
    seen.faults = (await store.read(checkInvariants)).filter(({ faults }) => faults.length > 0);
    return seen;
  }

  async close(): Promise<void> {
    await this.#service.close();
    await this.#release();
  }
}

/** Every problem has the id of its request, and every list of callbacks their ids. Both are random. */
function readBody({ body, headers }: { body: string; headers: Record<string, unknown> }): unknown {
  if (!String(headers["content-type"]).includes("json")) return body;
  return JSON.parse(body, (name, value) => {
    const isDrawn = name === "requestId" ? !/^\d+$/.test(String(value)) : /^evt_[0-9a-f]{32}$/.test(String(value));
    return isDrawn ? "drawn" : value;
  });
}

async function openWorld(engine: "sqlite" | "postgres", consentPolicy: ConsentPolicy): Promise<World> {
  const { location, release } =
    engine === "postgres" ? await takeDatabase() : { location: { file: ":memory:" }, release: async () => {} };
  const posted: string[] = [];
  const answers: Readonly<Record<string, number>> = { ok: 200, gone: 410, down: 503 };
  const service = await openInMemoryService({
    database: location,
    isDevelopment: true,
    consentPolicy,
    poster: {
      async post({ url, body }) {
        posted.push(JSON.stringify({ url, ...JSON.parse(body) }));
        const status = answers[new URL(url).hostname.split(".")[0] ?? ""] ?? 404;
        return { status, outcome: String(status) };
      },
      close() {},
    },
  });
  const world = new World(service, posted, release);
  await world.prepare();
  return world;
}

// delays before a retry are also random
beforeAll(() => void vi.spyOn(Math, "random").mockReturnValue(0.5));
afterAll(() => vi.restoreAllMocks());

it("both engines return the same replies, lists and callbacks", { timeout: 900_000 }, async () => {
  const property = fc.asyncProperty(policies, steps, async (policy, all) => {
    const worlds = await Promise.all([openWorld("sqlite", policy), openWorld("postgres", policy)]);
    const both = async (ask: (world: World) => Promise<unknown>) => {
      const [onSqlite, onPostgres] = await Promise.all(worlds.map(ask));
      expect(onPostgres).toEqual(onSqlite);
    };
    try {
      for (const step of all) await both((world) => world.take(step));
      await both((world) => world.look());
      await both((world) => world.take({ waitMs: 100 * hourMs }));
      await both((world) => world.look());
    } finally {
      await Promise.all(worlds.map((world) => world.close()));
    }
  });
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
});
