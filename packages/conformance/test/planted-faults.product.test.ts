// Servers with faults: msgd behind a proxy that adds one fault at a time. The checks find each fault, and report nothing for
// a server without a fault.

import { type OperationId, operations } from "@msgctl/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkConformance } from "../src/check-conformance.ts";
import type { Request, Send, SendOptions } from "../src/target/send.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Sends as over a connection: if Node's parser would refuse a request, it does not reach a route. */
const sendDirectly: Send = async ({ method, url, body }, { headers, as = world.credential } = {}) => {
  const sent = {
    ...(as === null ? {} : { "x-api-key": as.apiKey, "x-api-secret": as.apiSecret }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...headers,
  };
  const text = isText(body) ? body : JSON.stringify(body);
  const reply = await world.service.exchange({ method, url, headers: sent, ...(text !== undefined && { body: text }) });
  return { statusCode: reply.status, headers: reply.headers, body: reply.body };
};

// biome-ignore lint/suspicious/noExplicitAny: a fault may change anything in a reply
type Json = any;

/** A reply that a fault may change. */
interface Draft {
  statusCode: number;
  headers: Record<string, unknown>;
  /** The body's value; undefined if it has none. */
  json: Json;
}

type Plant = (send: Send) => Send;
type ChangeReply = (reply: Draft, asked: Request & SendOptions, send: Send) => void | Promise<void>;

const ids = Object.keys(operations) as OperationId[];

function operationOf({ method, url }: Request): OperationId | undefined {
  const [path = ""] = url.split("?", 1);
  return ids.find((id) => {
    const { method: own, path: pattern } = operations[id];
    return own === method && new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
  });
}

const isText = (value: unknown): value is string => typeof value === "string";

/** Changes replies of these operations, or of all operations if none is given. */
function onReply(of: readonly OperationId[], change: ChangeReply): Plant {
  return (send) => async (request, options) => {
    const reply = await send(request, options);
    const operationId = operationOf(request);
    if (of.length > 0 && (operationId === undefined || !of.includes(operationId))) return reply;
    const isJson = /^[[{]/.test(reply.body);
    const draft: Draft = {
      statusCode: reply.statusCode,
      headers: { ...reply.headers },
      json: isJson ? JSON.parse(reply.body) : undefined,
    };
    await change(draft, { ...request, ...options }, send);
    const { statusCode, headers, json } = draft;
    return { statusCode, headers, body: json === undefined ? reply.body : JSON.stringify(json) };
  };
}

/** Changes the body, or the headers, of requests of these operations. */
function onRequest(
  of: readonly OperationId[],
  change: (request: { body: Json; headers: Record<string, string> }) => void,
): Plant {
  return (send) => (request, options) => {
    const operationId = operationOf(request);
    if (operationId === undefined || !of.includes(operationId) || isText(request.body)) return send(request, options);
    const changed = { body: structuredClone(request.body) as Json, headers: { ...options?.headers } };
    change(changed);
    return send({ ...request, body: changed.body }, { ...options, headers: changed.headers });
  };
}

/** Changes successes of these operations. */
function onSuccess(of: readonly OperationId[], change: ChangeReply): Plant {
  return onReply(of, (reply, asked, send) => (reply.statusCode < 300 ? change(reply, asked, send) : undefined));
}

const merchantViews = ["upsertMerchant", "getMerchant", "listMerchants"] as const;

/** Changes every merchant that is shown. */
function onMerchants(change: (merchant: Json) => void): Plant {
  return onSuccess(merchantViews, ({ json }) => {
    for (const each of Array.isArray(json) ? json : [json]) change(each);
  });
}

/** Answers as if a send that was refused with one of these codes had been accepted. */
function takesAnyway(...codes: string[]): Plant {
  return onReply(["sendSms", "sendEmail", "sendVoice"], (reply, { body }) => {
    if (!codes.includes(reply.json?.code)) return;
    const { merchantId } = body as { merchantId: string };
    reply.statusCode = 200;
    reply.headers["content-type"] = "application/json";
    reply.json = { merchantId, channel: "SMS", messageId: `msg_${"0".repeat(26)}`, status: "QUEUED" };
  });
}

const emptied = (...of: OperationId[]): Plant =>
  onSuccess(of, (reply) => {
    reply.json = [];
  });
const changedFields = (of: OperationId, change: (view: Json) => void): Plant =>
  onSuccess([of], ({ json }) => change(json));
const isReplay = ({ headers }: Draft) => headers["idempotent-replayed"] === "true";
const everywhere = (value: Json, change: (name: string, value: unknown) => unknown): Json => {
  if (Array.isArray(value)) return value.map((each) => everywhere(each, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      typeof each === "object" ? everywhere(each, change) : change(name, each),
    ]),
  );
};
const registrationStatus = (change: (view: Json) => void) => changedFields("getRegistrationStatus", change);

interface Fault {
  readonly of: OperationId;
  readonly plant: () => Plant;
}

/** Faults by the description of the server. Each must be found in the operation `of`. */
const faults: Readonly<Record<string, Fault>> = {
  "ignores Idempotency-Key": {
    of: "sendSms",
    plant: () => onRequest(["sendSms"], ({ headers }) => void delete headers["idempotency-key"]),
  },
  "accepts a key again for another request": { of: "sendSms", plant: () => takesAnyway("idempotency_key_reused") },
  "counts a repeat again": {
    of: "sendSms",
    plant: () => {
      let repeats = 0;
      const counting = onSuccess(["sendSms"], (reply) => {
        if (isReplay(reply)) repeats += 1;
      });
      const showing = onMerchants((merchant) => {
        if (merchant.usage.smsUsed > 0) merchant.usage.smsUsed += repeats;
      });
      return (send) => showing(counting(send));
    },
  },
  "writes money to eight decimals": {
    of: "getUsageReport",
    plant: () =>
      changedFields("getUsageReport", (report) => {
        report.finalCharges += 0.000_000_01;
      }),
  },
  "writes instants without milliseconds": {
    of: "listConsents",
    plant: () =>
      onSuccess(["listConsents"], (reply) => {
        reply.json = everywhere(reply.json, (_, value) => (isText(value) ? value.replace(/\.\d{3}Z$/, "Z") : value));
      }),
  },
  "accepts unknown fields": {
    of: "sendSms",
    plant: () => onRequest(["sendSms"], ({ body }) => void delete body?.unheardOf),
  },
  "accepts any credential": {
    of: "listMerchants",
    plant: () => (send) => (request, options) =>
      send(request, options?.as === undefined ? options : { ...options, as: world.credential }),
  },
  "lets an unknown merchant send": { of: "sendSms", plant: () => takesAnyway("merchant_not_found") },
  "lets an inactive merchant send": { of: "sendSms", plant: () => takesAnyway("merchant_inactive") },
  "requires no consent": { of: "sendSms", plant: () => takesAnyway("consent_required", "consent_opted_out") },
  "ignores opt-outs": { of: "sendSms", plant: () => takesAnyway("consent_opted_out") },
  "has no quota": { of: "sendSms", plant: () => takesAnyway("quota_exceeded") },
  "accepts one send more than the limit": {
    of: "sendEmail",
    plant: () =>
      onRequest(["upsertMerchant"], ({ body }) => {
        if (body.emailLimit > 0) body.emailLimit += 1;
      }),
  },
  "lists no consents": { of: "listConsents", plant: () => emptied("listConsents") },
  "lists every consent as OPT_IN": {
    of: "listConsents",
    plant: () =>
      onSuccess(["listConsents"], ({ json }) => {
        for (const each of json) each.status = "OPT_IN";
      }),
  },
  "keeps the first decision": {
    of: "listConsents",
    plant: () => {
      const first = new Map<string, string>();
      return onSuccess(["listConsents"], ({ json }) => {
        for (const each of json) {
          const key = `${each.merchantId} ${each.channel} ${each.contact}`;
          if (!first.has(key)) first.set(key, each.status);
          each.status = first.get(key);
        }
      });
    },
  },
  "lists earlier decisions beside the latest one": {
    of: "listConsents",
    plant: () =>
      onSuccess(["listConsents"], (reply) => {
        reply.json = reply.json.flatMap((each: Json) => [each, { ...each, status: "OPT_OUT" }]);
      }),
  },
  "forgets a consent's source": {
    of: "recordConsent",
    plant: () =>
      onSuccess(["listConsents"], ({ json }) => {
        for (const each of json) each.source = null;
      }),
  },
  "records each consent for SMS": {
    of: "recordConsent",
    plant: () =>
      onSuccess(["listConsents"], (reply) => {
        reply.json = reply.json.filter(({ channel }: Json) => channel === "SMS");
      }),
  },
  "ignores the filter by merchant": {
    of: "listConsents",
    plant: () => (send) => (request, options) =>
      send(operationOf(request) === "listConsents" ? { ...request, url: "/api/v1/consents" } : request, options),
  },
  "loses a merchant's limits": {
    of: "upsertMerchant",
    plant: () =>
      onMerchants(({ limits }) => {
        limits.smsLimit = 0;
      }),
  },
  "loses a merchant's credits": {
    of: "upsertMerchant",
    plant: () =>
      onMerchants(({ credits }) => {
        credits.emailCredits = 0;
      }),
  },
  "shows every merchant as active": {
    of: "upsertMerchant",
    plant: () =>
      onMerchants((each) => {
        each.active = true;
      }),
  },
  "resets fields that an update omits": {
    of: "upsertMerchant",
    plant: () =>
      onRequest(["upsertMerchant"], ({ body }) => {
        body.emailLimit ??= 0;
      }),
  },
  "keeps a merchant's first name": {
    of: "upsertMerchant",
    plant: () => {
      const names = new Map<string, string>();
      return onMerchants((each) => {
        if (!names.has(each.merchantId)) names.set(each.merchantId, each.displayName);
        each.displayName = names.get(each.merchantId);
      });
    },
  },
  "lists all merchants but the newest": {
    of: "listMerchants",
    plant: () => {
      let newest: string;
      return onSuccess(["upsertMerchant", "listMerchants"], (reply) => {
        if (Array.isArray(reply.json)) reply.json = reply.json.filter(({ merchantId }) => merchantId !== newest);
        else newest = reply.json.merchantId;
      });
    },
  },
  "never counts a text": {
    of: "sendSms",
    plant: () =>
      onMerchants(({ usage }) => {
        usage.smsUsed = 0;
      }),
  },
  "never counts an email": {
    of: "sendEmail",
    plant: () =>
      onMerchants(({ usage }) => {
        usage.emailUsed = 0;
      }),
  },
  "counts texts, not segments": {
    of: "sendSms",
    plant: () =>
      onMerchants(({ usage }) => {
        usage.smsUsed = Math.ceil(usage.smsUsed / 2);
      }),
  },
  "adds no credits for an upgrade": {
    of: "requestUpgrade",
    plant: () =>
      onMerchants(({ credits }) => {
        credits.smsCredits = Math.min(credits.smsCredits, 5);
      }),
  },
  "reports that nothing was sent": {
    of: "getUsageReport",
    plant: () =>
      changedFields("getUsageReport", (report) => Object.assign(report, { totalSmsCount: 0, totalEmailCount: 0 })),
  },
  "reports no emails": {
    of: "getUsageReport",
    plant: () =>
      changedFields("getUsageReport", (report) => {
        report.totalEmailCount = 0;
      }),
  },
  "charges nothing": {
    of: "getUsageReport",
    plant: () =>
      changedFields("getUsageReport", (report) =>
        Object.assign(report, { providerCost: 0, hqMarkup: 0, finalCharges: 0 }),
      ),
  },
  "charges an amount that is not the sum of its parts": {
    of: "getUsageReport",
    plant: () =>
      changedFields("getUsageReport", (report) => {
        report.finalCharges = report.providerCost;
      }),
  },
  "lists no calls": { of: "listTtsCalls", plant: () => emptied("listTtsCalls") },
  "lists the oldest call first": {
    of: "listTtsCalls",
    plant: () => onSuccess(["listTtsCalls"], ({ json }) => void json.reverse()),
  },
  "ignores the limit of a list": {
    of: "listTtsCalls",
    plant: () => (send) => (request, options) =>
      send({ ...request, url: request.url.replace("?limit=1", "") }, options),
  },
  "ignores the filter by use case": {
    of: "listTtsCalls",
    plant: () => (send) => (request, options) =>
      send({ ...request, url: request.url.replace(/\?useCase=.*/, "") }, options),
  },
  "shows a call with another number": {
    of: "getTtsCall",
    plant: () =>
      changedFields("getTtsCall", (call) => {
        call.toNumber = "+12025550199";
      }),
  },
  "forgets a call's labels": {
    of: "getTtsCall",
    plant: () =>
      changedFields("getTtsCall", (call) => {
        call.campaignName = null;
      }),
  },
  "counts one call too few": {
    of: "getTtsBatchSummary",
    plant: () =>
      changedFields("getTtsBatchSummary", (batch) => {
        batch.totalCalls -= 1;
      }),
  },
  "counts one call in no state": {
    of: "getTtsBatchSummary",
    plant: () =>
      changedFields("getTtsBatchSummary", (batch) =>
        Object.assign(batch, { success: 0, failed: 0, partial: 0, pending: 0, scheduled: 0 }),
      ),
  },
  "has the numbers of a batch in another order": {
    of: "listTtsBatchNumbers",
    plant: () => onSuccess(["listTtsBatchNumbers"], ({ json }) => void json.reverse()),
  },
  "drops a number of a batch": {
    of: "listTtsBatchNumbers",
    plant: () => onSuccess(["listTtsBatchNumbers"], ({ json }) => void json.splice(2)),
  },
  "forgets brands": {
    of: "getRegistrationStatus",
    plant: () =>
      registrationStatus((view) => {
        view.brands = [];
      }),
  },
  "forgets campaigns": {
    of: "getRegistrationStatus",
    plant: () =>
      registrationStatus((view) => {
        view.campaigns = [];
      }),
  },
  "forgets numbers": {
    of: "getRegistrationStatus",
    plant: () =>
      registrationStatus((view) => {
        view.numbers = [];
      }),
  },
  "assigns no number": {
    of: "assignNumber",
    plant: () =>
      registrationStatus(({ numbers }) => {
        for (const each of numbers) each.campaignId = null;
      }),
  },
  "records no STOP": {
    of: "simulateReply",
    plant: () =>
      onRequest(["simulateReply"], ({ body }) => {
        if (body?.replyBody === "STOP") body.replyBody = "Hello";
      }),
  },
  "raises no alerts": { of: "listAlerts", plant: () => emptied("listAlerts") },
  "cuts a text at 1 000 characters": {
    of: "sendSms",
    plant: () =>
      onRequest(["sendSms"], ({ body }) => {
        body.message = body.message?.slice(0, 1_000);
      }),
  },
  "shows a merchant another merchant's data": {
    of: "listConsents",
    plant: () => (send) => (request, options) =>
      send(request, options?.as === world.others.merchant ? { ...options, as: world.credential } : options),
  },
};

let runs = 0;

/** Runs the tool against msgd with the fault, or without one. */
function check(plant: Plant, operationIds: readonly OperationId[]) {
  runs += 1;
  const { credential, others, newNumber, pause } = world;
  const surroundings = { credential, others, newNumber, pause, prefix: `run-${runs}-` };
  return checkConformance(plant(sendDirectly), surroundings, operationIds);
}

it("finds nothing in a server without a fault, twice in a row", async () => {
  await check((send) => send, ids);
  const { violations, promises } = await check((send) => send, ids);
  expect(violations.map(({ operationId, fault }) => `${operationId}: ${fault}`)).toEqual([]);
  expect(promises.filter(({ result }) => result !== "kept")).toEqual([]);
});

it.each(Object.entries(faults))("reports a server that %s", async (_words, { of, plant }) => {
  const { violations } = await check(plant(), [of]);
  expect(violations).not.toEqual([]);
});
