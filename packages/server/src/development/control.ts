// The development control API under /control: outside the contract, on loopback only, for tests against msgd.

import { operations, problems } from "@msgctl/contract";
import { CHANNEL_VALUES } from "@msgctl/contract/constants";
import type { FastifyInstance } from "fastify";
import type { ProviderFaultKind } from "../carriers/simulated/behaviours.ts";
import { parseDuration, viewTime } from "../domain/calendar.ts";
import { findSubscription, removeSubscription, saveSubscription } from "../domain/callbacks/event-rows.ts";
import { type CallbackRow, listCallbacks } from "../domain/callbacks/rows.ts";
import { findCallbackUrlFault } from "../domain/callbacks/rules.ts";
import {
  type ListedMessage,
  listAllMessages,
  listUndialledCalls,
  type MessageFilter,
  type UndialledCall,
} from "../domain/messages/list-rows.ts";
import { callMessageId, readCallMessageId } from "../domain/messages/rules.ts";
import { type FieldFault, refuseFaults } from "../domain/refusal.ts";
import { replyWithBareProblem } from "../http/replies/problems.ts";
import type { Compilations } from "../http/validation/ajv.ts";
import { createValueChecks } from "../http/validation/validation.ts";
import { FairSemaphore } from "../platform/fair-queue.ts";
import { emptyTables } from "../store/reset.ts";
import type { Store, Transaction } from "../store/store.ts";
import type { MovableClock } from "./clocks.ts";
import { findIntrusion } from "./guard.ts";
import type { PlannedFault, PlannedFaults } from "./planned-faults.ts";
import { applySeed, findSeedFaults, type Seed } from "./seed.ts";

/** The tenant for which a development server runs. */
export interface DevelopmentTenant {
  readonly tenantId: number;
  /** A key for the whole tenant, and the merchant to which the initial data belongs. */
  readonly credential: { readonly apiKey: string; readonly apiSecret: string; readonly merchantId: string };
  /** Recreates the tenant in an emptied database, with the same id, credential and initial data. */
  recreate(tx: Transaction, now: number): Promise<void>;
  /** Adds the tenant's initial data again. */
  seed(tx: Transaction, now: number): Promise<void>;
}

export interface Control {
  readonly store: Store;
  readonly clock: MovableClock;
  readonly faults: PlannedFaults;
  /** Known once the service has started. */
  readonly tenant: () => DevelopmentTenant;
  /** Returns how often the provider sent the message, according to its own ledger. */
  readonly countSends: (messageId: string) => Promise<number>;
  /** Makes every part drop the state that it keeps outside the database, as if the database were new. */
  readonly beginAnew: () => Promise<void>;
}

/** The parts that the routes of the control API share. */
interface ControlScope {
  readonly scope: FastifyInstance;
  readonly control: Control;
  readonly createCheck: ReturnType<typeof createValueChecks>;
  /** Runs calls in order, one at a time. Used for calls that move time or empty tables. */
  readonly oneByOne: <T>(work: () => Promise<T>) => Promise<T>;
}

export function addControlRoutes(app: FastifyInstance, control: Control, compilations: Compilations): void {
  const createCheck = createValueChecks(compilations);
  app.register(
    async (scope) => {
      scope.addHook("onRequest", (request, reply, done) => {
        const intrusion = findIntrusion(request.headers);
        if (intrusion === undefined) done();
        else replyWithBareProblem(intrusion, request, reply);
      });
      const semaphore = new FairSemaphore({ atOnce: 1 });
      // all calls have the same owner, so they run in order
      const parts: ControlScope = { scope, control, createCheck, oneByOne: (work) => semaphore.run(0, work) };
      addResetRoutes(parts);
      addClockRoutes(parts);
      addMessageRoutes(parts);
      addCallbackRoutes(parts);
      addEventRoutes(parts);
      addFaultRoutes(parts);
      addCredentialRoute(parts);
    },
    { prefix: "/control" },
  );
}

/** The schema of an object whose members are optional. */
function schemaOf(properties: object): object {
  return { type: "object", required: [], properties, additionalProperties: false };
}

const limitSchema = { type: "integer", minimum: 1, maximum: 1_000 };
const DEFAULT_LIMIT = 100;

/** `GET /callbacks?limit=`: lists every tenant's callbacks, posted or still to be posted, newest first. */
function addCallbackRoutes({ scope, control, createCheck }: ControlScope): void {
  const check = createCheck(schemaOf({ limit: limitSchema }), "/query");
  scope.get("/callbacks", async ({ query }) => {
    check(query);
    const { limit = DEFAULT_LIMIT } = query as { limit?: number };
    return (await control.store.read((tx) => listCallbacks(tx, { limit }))).map(viewCallback);
  });
}

function viewCallback({ body, nextAttemptAt, ...callback }: CallbackRow) {
  return { ...callback, nextAttemptAt: viewTime(nextAttemptAt), body: JSON.parse(body) };
}

const eventUrlSchema = {
  ...schemaOf({ url: { type: "string", minLength: 1, maxLength: 2_048 } }),
  required: ["url"],
};

/**
 * `PUT /event-subscription` sets the URL to which events of the demo tenant's messages are posted, and replies with the one of
 * before, or null. `GET` returns it, and `DELETE` removes it.
 */
function addEventRoutes({ scope, control: { store, clock, tenant }, createCheck }: ControlScope): void {
  const check = createCheck(eventUrlSchema, "", findEventUrlFaults);
  const find = async (tx: Transaction) => ({ url: (await findSubscription(tx, tenant().tenantId))?.url ?? null });
  scope.get("/event-subscription", () => store.read(find));
  scope.put("/event-subscription", ({ body }) => {
    check(body);
    const { url } = body as { url: string };
    const { tenantId } = tenant();
    return store.write(async (tx) => {
      const before = await find(tx);
      await saveSubscription(tx, { tenantId, url, tellsUpdates: 1, tellsTexts: 1, setAt: clock.now() });
      return before;
    });
  });
  scope.delete("/event-subscription", async (_request, reply) => {
    await store.write((tx) => removeSubscription(tx, tenant().tenantId));
    reply.code(204);
  });
}

function findEventUrlFaults(body: unknown): FieldFault[] {
  const { url } = Object(body) as { url?: unknown };
  const fault = typeof url === "string" ? findCallbackUrlFault(url, "loopback") : undefined;
  return fault === undefined ? [] : [{ pointer: "/url", ...fault }];
}

interface ClockMove {
  readonly advance?: string;
  readonly set?: string;
}

const clockSchema = schemaOf({ advance: { type: "string" }, set: { type: "string", format: "date-time" } });

/** Longest move of the clock. It is limited because the jobs that fall due during a move take real time. */
const LONGEST_MOVE_MS = 366 * 24 * 60 * 60 * 1_000;

/**
 * `GET /clock` returns the time. `POST /clock` advances it and replies when everything due by then has run. It stops
 * when the client disconnects.
 */
function addClockRoutes({ scope, control, createCheck, oneByOne }: ControlScope): void {
  const check = createCheck(clockSchema, "", findMoveFaults);
  scope.get("/clock", async () => viewClock(control));
  scope.post("/clock", ({ body }, { raw }) => {
    check(body);
    const gone = new AbortController();
    raw.once("close", () => gone.abort());
    return oneByOne(async () => {
      const { clock } = control;
      if (!gone.signal.aborted) await clock.advanceBy(requireMove(clock.now(), body as ClockMove), gone.signal);
      return viewClock(control);
    });
  });
}

function viewClock({ clock }: Control) {
  return { now: new Date(clock.now()).toISOString(), offsetMs: clock.offsetMs };
}

function findMoveFaults(body: unknown): FieldFault[] {
  const { advance, set } = Object(body) as { advance?: unknown; set?: unknown };
  if ((advance === undefined) === (set === undefined)) {
    return [{ pointer: "", code: "invalid", detail: "Expected either advance or set." }];
  }
  if (typeof advance !== "string" || parseDuration(advance) !== undefined) return [];
  const detail = `Expected a duration of days, hours, minutes and seconds in this order, such as 72h or 1h30m; received ${JSON.stringify(advance.slice(0, 60))}.`;
  return [{ pointer: "/advance", code: "invalid_duration", detail }];
}

/** Returns the length of the move, in milliseconds. Throws if the time is in the past or too far ahead. */
function requireMove(now: number, { advance, set }: ClockMove): number {
  const moveMs = set === undefined ? (parseDuration(advance ?? "") ?? 0) : Date.parse(set) - now;
  const pointer = set === undefined ? "/advance" : "/set";
  if (moveMs < 0) {
    const detail = `The clock reads ${new Date(now).toISOString()} and never goes back; received ${set}. POST /control/reset returns it to the machine's time.`;
    throw refuseFaults([{ pointer, code: "out_of_range", detail }]);
  }
  if (moveMs > LONGEST_MOVE_MS) {
    throw refuseFaults([{ pointer, code: "out_of_range", detail: "Expected a move of at most 366 days at once." }]);
  }
  return moveMs;
}

/** `GET /credential`: returns the demo tenant's credential, and a merchant to try it with. */
function addCredentialRoute({ scope, control }: ControlScope): void {
  scope.get("/credential", async (_request, reply) => {
    reply.header("Cache-Control", "no-store");
    return control.tenant().credential;
  });
}

const providerFaults: Readonly<Record<ProviderFaultKind, true>> = {
  timeout: true,
  lost_answer: true,
  server_error: true,
  rate_limit: true,
  lost_receipts: true,
  late_receipts: true,
  duplicate_receipts: true,
};

const faultSchema = schemaOf({
  operation: { type: "string", enum: Object.keys(operations) },
  code: { type: "string", enum: Object.keys(problems) },
  latencyMs: { type: "integer", minimum: 1, maximum: 60_000 },
  provider: { type: "string", enum: Object.keys(providerFaults) },
  times: { type: "integer", minimum: 1, maximum: 1_000_000 },
});

type FaultRequest = { operation?: string; code?: string; latencyMs?: number; provider?: string; times?: number };

/**
 * `POST /faults` plans failures, either of an operation (code, latencyMs or both): `{ "operation": "sendSms", "code":
 * "rate_limited", "latencyMs": 200, "times": 3 }`, or of the provider: `{ "provider": "timeout", "times": 3 }`. `times`
 * defaults to 1. `GET /faults` lists the pending faults, and `DELETE /faults` cancels them.
 */
function addFaultRoutes({ scope, control: { faults }, createCheck }: ControlScope): void {
  const check = createCheck(faultSchema, "", findRequestFaults);
  scope.get("/faults", async () => faults.list());
  scope.post("/faults", async ({ body }) => {
    check(body);
    const { times = 1, ...planned } = body as FaultRequest;
    faults.add(toFault(planned), times);
    return faults.list();
  });
  scope.delete("/faults", async (_request, reply) => {
    faults.clear();
    reply.code(204);
  });
}

function toFault({ operation, code, latencyMs, provider }: FaultRequest): PlannedFault {
  // the schema allows exactly the values of these types
  return provider === undefined
    ? ({ operation, code: code ?? null, latencyMs: latencyMs ?? 0 } as PlannedFault)
    : ({ provider } as PlannedFault);
}

function findRequestFaults(body: unknown): FieldFault[] {
  const { operation, code, latencyMs, provider } = Object(body) as Record<keyof FaultRequest, unknown>;
  if ((operation === undefined) === (provider === undefined)) {
    return [{ pointer: "", code: "invalid", detail: "Expected either operation or provider." }];
  }
  if (provider !== undefined) {
    return ["code", "latencyMs"]
      .filter((name) => Object.hasOwn(Object(body), name))
      .map((name) => ({
        pointer: `/${name}`,
        code: "not_allowed",
        detail: "Allowed only with operation, not with provider.",
      }));
  }
  if (code === undefined && latencyMs === undefined) {
    return [{ pointer: "", code: "invalid", detail: "Expected code, latencyMs or both." }];
  }
  return findUndocumented(operation, code);
}

/** Rejects a code that the contract does not document for the operation, because clients must never see one. */
function findUndocumented(operation: unknown, code: unknown): FieldFault[] {
  if (typeof operation !== "string" || typeof code !== "string" || !Object.hasOwn(operations, operation)) return [];
  const documented = Object.values(operations[operation as keyof typeof operations].errors).flat() as string[];
  if (documented.includes(code) || !Object.hasOwn(problems, code)) return [];
  const detail = `Expected a code that the contract documents for ${operation}: ${documented.join(", ")}; received "${code}".`;
  return [{ pointer: "/code", code: "not_allowed", detail }];
}

const messageSchema = schemaOf({
  messageId: { type: "string" },
  to: { type: "string" },
  channel: { type: "string", enum: CHANNEL_VALUES },
  limit: limitSchema,
});

/** `GET /messages?messageId=&to=&channel=&limit=`: lists the messages and calls of every tenant, newest first. */
function addMessageRoutes({ scope, control, createCheck }: ControlScope): void {
  const check = createCheck(messageSchema, "/query");
  scope.get("/messages", async ({ query }) => {
    check(query);
    const filter = { limit: DEFAULT_LIMIT, ...(query as Partial<MessageFilter>) };
    const messages = await control.store.read((tx) => listMessages(tx, filter));
    return Promise.all(messages.map((message) => viewMessage(message, control)));
  });
}

/** Includes calls that are not dialled yet, each with the id that its message will get. */
async function listMessages(tx: Transaction, filter: MessageFilter): Promise<ListedMessage[]> {
  const { messageId, to, channel = "VOICE", limit } = filter;
  const requestId = messageId === undefined ? undefined : readCallMessageId(messageId);
  const mayBeCall = channel === "VOICE" && (messageId === undefined || requestId !== undefined);
  const calls = mayBeCall ? await listUndialledCalls(tx, { requestId, to, limit }) : [];
  const undialled = calls.map(toMessage).filter((call) => messageId === undefined || call.messageId === messageId);
  return [...(await listAllMessages(tx, filter)), ...undialled]
    .sort((one, other) => (one.messageId < other.messageId ? 1 : -1))
    .slice(0, limit);
}

function toMessage({ requestId, finalStatus, ...call }: UndialledCall): ListedMessage {
  const status = finalStatus === "FAILED" ? "FAILED" : "QUEUED";
  return { messageId: callMessageId({ requestId, createdAt: call.createdAt }), ...call, status, attempts: 0 };
}

async function viewMessage({ tenantId, createdAt, updatedAt, ...message }: ListedMessage, { countSends }: Control) {
  return {
    ...message,
    tenantId: String(tenantId),
    providerSends: await countSends(message.messageId),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

/** More than a test needs, but few enough for one transaction. */
const LARGEST_SEED = 10_000;

const seedSchema = schemaOf({
  merchants: { type: "array", maxItems: LARGEST_SEED, items: { $ref: "V1MerchantUpsertRequest#" } },
  consents: { type: "array", maxItems: LARGEST_SEED, items: { $ref: "V1MerchantConsentRequest#" } },
});

/**
 * `POST /reset` restores the demo tenant's initial state with the same credential, and removes everything else: data,
 * planned faults and the clock's offset. `POST /seed` adds merchants and consents, by default the initial ones.
 */
function addResetRoutes({ scope, control, createCheck, oneByOne }: ControlScope): void {
  const check = createCheck(seedSchema, "", findSeedFaults);
  const { store, clock, faults } = control;

  scope.post("/reset", (_request, reply) =>
    oneByOne(async () => {
      const tenant = control.tenant();
      faults.clear();
      // let work in flight finish in the tables that are about to be emptied
      await clock.settle();
      clock.returnToBase();
      await store.write(async (tx) => {
        await emptyTables(tx);
        await tenant.recreate(tx, clock.now());
      });
      await control.beginAnew();
      reply.code(204);
    }),
  );

  scope.post("/seed", ({ body }, reply) => {
    if (body !== undefined) check(body);
    return oneByOne(async () => {
      const tenant = control.tenant();
      const now = clock.now();
      await store.write((tx) =>
        body === undefined ? tenant.seed(tx, now) : applySeed(tx, { tenantId: tenant.tenantId, now }, body as Seed),
      );
      reply.code(204);
    });
  });
}
