// Creates the app below /dashboard: its pages, its API, and the contract's operations for signed-in users.

import type { IncomingHttpHeaders } from "node:http";
import type { OperationId as ContractOperationId } from "@msgctl/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { listTestRecipients } from "../carriers/simulated/behaviours.ts";
import { findIntrusion } from "../development/guard.ts";
import type { AnyHandler, AnyInput } from "../domain/handler.ts";
import { Refusal } from "../domain/refusal.ts";
import { findTenant } from "../domain/tenancy/rows.ts";
import { mayAs, type Role } from "../domain/users/rules.ts";
import { contractApi } from "../http/api.ts";
import { type CommonAppOptions, createApp } from "../http/app.ts";
import { openAssets, replyNothingThere, sendAsset } from "../http/assets.ts";
import type { LimitRate } from "../http/credentials/rate-limit.ts";
import type { Metrics } from "../http/metrics/metrics.ts";
import { replyWithBareProblem } from "../http/replies/problems.ts";
import { createUnmatchedReply } from "../http/replies/unmatched.ts";
import type { RequestLog } from "../http/request-log.ts";
import { type Authenticator, addRoutes, type BeforeHandler, type RouteServices } from "../http/routes.ts";
import { Compilations } from "../http/validation/ajv.ts";
import type { PasswordCost } from "../platform/password-hashes.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import type { Searches } from "../search/searches.ts";
import type { Store } from "../store/store.ts";
import { keyHandlers, userHandlers } from "./access-operations.ts";
import { alertHandlers } from "./alert-operations.ts";
import { type Asked, Audit, auditHandlers } from "./audit.ts";
import { callHandlers } from "./call-operations.ts";
import { callbackHandlers } from "./callback-operations.ts";
import { carrierHandlers } from "./carrier-operations.ts";
import { costHandlers } from "./cost-operations.ts";
import {
  type DashboardCaller,
  type DashboardHandlers,
  dashboardApi,
  isVisit,
  type OperationId,
  ownSchemas,
  type Permission,
  permissions,
} from "./dashboard-api.ts";
import { type HealthOptions, healthHandlers } from "./health-operations.ts";
import { createMailFrames } from "./mail-frames.ts";
import { AskedSearches, messageHandlers, recipientHandlers } from "./message-operations.ts";
import { noticeHandlers } from "./notices.ts";
import { paymentHandlers } from "./payment-operations.ts";
import { idLookupHandlers, requestHandlers } from "./request-operations.ts";
import { secondFactorHandlers } from "./second-factors.ts";
import {
  accountHandlers,
  createAdmitVisitor,
  createVisit,
  sessionHandlers,
  visitHandlers,
} from "./session-operations.ts";
import { Sessions } from "./sessions.ts";

const simulatorHandlers: DashboardHandlers<"listTestRecipients"> = {
  listTestRecipients: { answer: async () => listTestRecipients() },
};

type Services = Omit<
  RouteServices<ContractOperationId>,
  "prefix" | "compilations" | "authenticatorOf" | "timeReplies" | "limitRate" | "faults" | "beforeHandler"
>;

interface DashboardOptions {
  readonly services: Services;
  readonly metrics: Metrics;
  readonly requests: RequestLog;
  /** Health information that is not in the database. */
  readonly health: Omit<HealthOptions, "isDevelopment">;
  /** Undefined if the server has no search index. */
  readonly searches: Searches | undefined;
  /** The folder of the built pages, with a trailing slash. */
  readonly files: URL;
  readonly pepper: string;
  /** Seals and opens the secrets of second factors. */
  readonly secrets: SecretBox;
  /** The server's public URL; undefined if the operator has not set one. */
  readonly publicUrl: string | undefined;
  /** Limits the requests of each user like those of a key. */
  readonly limitRate: LimitRate;
  /** The cost of a new password's hash. @default `defaultPasswordCost` */
  readonly passwordCost: PasswordCost | undefined;
  /** Set in development, where there are no users: the tenant that anyone on this machine sees. */
  readonly developmentTenant: (() => number) | undefined;
}

/** Creates the app that answers below `/dashboard`. */
export function createDashboard(options: DashboardOptions, common: CommonAppOptions): FastifyInstance {
  const { services, metrics, requests, health, files, pepper, secrets, publicUrl } = options;
  const searches = new AskedSearches(options.searches);
  // compile no schema in advance: the contract's app compiles the same ones
  const compilations = new Compilations();
  const app = createApp({
    ...common,
    compilations,
    createUnmatchedReply: (to) => createUnmatchedReply(to, metrics, replyNothingThere),
  });
  const { sessions, audit, authenticate } = createAccess(options, app);
  if (audit === undefined) app.addHook("onRequest", refuseIntruders);
  else noteRefusals(audit, app);
  app.addHook("onRequest", keepNoReply);
  addPages(app, files);
  for (const [name, schema] of Object.entries(ownSchemas)) app.addSchema({ ...schema, $id: name });
  const mailFrames = createMailFrames({ ...services, pepper });
  mailFrames.addRoutes(app);
  const handlers = {
    ...mailFrames.handlers,
    ...sessionHandlers({ isDevelopment: sessions === undefined, canSearch: options.searches !== undefined }),
    ...visitHandlers(sessions),
    ...accountHandlers(sessions),
    ...secondFactorHandlers(sessions, { ...services, pepper, secrets, publicUrl }),
    ...messageHandlers(searches, services.clock, (sessionId) => sessions?.isOpen(sessionId)),
    ...callHandlers,
    ...costHandlers,
    ...alertHandlers(services),
    ...recipientHandlers(services, searches),
    ...requestHandlers(requests),
    ...idLookupHandlers(requests),
    ...callbackHandlers({ ...services, secrets }),
    ...carrierHandlers({ ...services, isDevelopment: sessions === undefined }),
    ...paymentHandlers({ isDevelopment: sessions === undefined }),
    ...healthHandlers(services, { ...health, isDevelopment: sessions === undefined }),
    ...noticeHandlers(services, { ...health, isDevelopment: sessions === undefined }),
    ...simulatorHandlers,
    ...userHandlers({ ...services, pepper, publicUrl }),
    ...keyHandlers({ ...services, pepper }),
    ...auditHandlers(audit),
  } satisfies DashboardHandlers as Readonly<Record<OperationId, AnyHandler>>;
  const note = metrics.timeReplies("dashboard");
  const shared = {
    ...services,
    beforeHandler: audit && noteIn(audit),
    compilations,
    createVisit,
    timeReplies: () => note,
    limitRate: ofUsers(options.limitRate),
  };
  const admitVisitor = createAdmitVisitor(publicUrl);
  if (sessions !== undefined) app.addHook("preClose", async () => sessions.close());
  const by = ({ role, setsUpSecondFactor = false }: Permission): Authenticator => ({
    async authenticate(headers) {
      const caller = await authenticate(headers);
      if (!setsUpSecondFactor) requireSecondFactor(caller);
      return requireRole(caller, role);
    },
    challenges,
  });
  addRoutes(app, dashboardApi, {
    ...shared,
    authenticatorOf: (operationId) =>
      isVisit(operationId) ? { authenticate: admitVisitor, challenges } : by(permissions[operationId]),
    findHandler: (operationId) => handlers[operationId],
  });
  addRoutes(app, contractApi, {
    ...shared,
    prefix: "/dashboard",
    authenticatorOf: (operationId) => by(permissions[operationId]),
  });
  return app;
}

/** Creates the authentication: users need a session; in development, anyone on this machine is admitted. */
function createAccess(
  { services, pepper, secrets, passwordCost, developmentTenant }: DashboardOptions,
  { log }: FastifyInstance,
) {
  const { store, clock } = services;
  if (developmentTenant !== undefined) {
    const authenticate = createDevelopmentSessions(store, developmentTenant);
    return { authenticate, sessions: undefined, audit: undefined };
  }
  const sessions = new Sessions({
    store,
    clock,
    pepper,
    secrets,
    passwordCost,
    onReuse: ({ userId }, { loggedAddress: address }) =>
      log.warn({ userId, address }, "a session's cookie was used a second time, and the session was ended"),
  });
  return {
    authenticate: (headers: IncomingHttpHeaders) => sessions.authenticate(headers),
    sessions,
    audit: new Audit({ store, clock, digestRecipient: services.settings.digestRecipient }),
  };
}

const challenges = ['Bearer realm="msgd"'];

function refuseIntruders(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const intrusion = findIntrusion(request.headers);
  if (intrusion === undefined) done();
  else replyWithBareProblem(intrusion, request, reply);
}

/** Keeps replies out of caches: they contain recipients, and secrets that are shown only once. */
function keepNoReply(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header("Cache-Control", "no-store");
  done();
}

/** Records each audited request before its handler runs. */
function noteIn(audit: Audit): BeforeHandler {
  return (request, input) => {
    const { caller } = request;
    const asked = readAsked(request);
    if (asked === undefined || caller === null) return undefined;
    return audit.note(caller as DashboardCaller, { ...asked, ...input });
  };
}

/** Records requests for which the user's role did not suffice. They are refused even if they cannot be recorded. */
function noteRefusals(audit: Audit, app: FastifyInstance): void {
  app.addHook("onError", async (request, _reply, error) => {
    if (!(error instanceof RoleTooLow)) return;
    const asked = readAsked(request);
    if (asked === undefined) return;
    await audit
      .noteRefusal(error.caller, asked)
      .catch((fault) => request.log.warn({ err: fault }, "a refusal could not be recorded in the audit"));
  });
}

/** Returns the operation of an audited request; undefined for other requests. */
function readAsked({ id, method, operationId }: FastifyRequest): Omit<Asked, keyof AnyInput> | undefined {
  const permission = permissions[operationId as keyof typeof permissions];
  if (operationId === null || !permission?.isAudited) return undefined;
  return { operationId, requestId: id, isRead: method === "GET" };
}

class RoleTooLow extends Refusal {
  readonly caller: DashboardCaller;

  constructor(caller: DashboardCaller, least: Role) {
    const { email, role } = caller;
    super("merchant_scope_denied", `This needs the role ${least}, but ${email ?? "you"} has the role ${role}.`);
    this.caller = caller;
  }
}

/** Limits the requests of each user across sessions. Sign-ins of visitors are limited separately. */
function ofUsers(limitRate: LimitRate): LimitRate {
  return (caller, reply) => {
    if (typeof (caller as DashboardCaller).userId === "number") limitRate(caller, reply);
  };
}

/** Throws `merchant_scope_denied` if the user has to set up a second factor first. */
function requireSecondFactor({ needsSecondFactor }: DashboardCaller): void {
  if (!needsSecondFactor) return;
  const detail =
    "Your tenant requires a second factor, and you have none: set one up in the dashboard, then try again.";
  throw new Refusal("merchant_scope_denied", detail);
}

/** Throws `merchant_scope_denied` if the user's role does not suffice. In development, everyone has every role. */
function requireRole(caller: DashboardCaller, least: Role | null): DashboardCaller {
  if (least === null || caller.userId === null || mayAs(caller.role, least)) return caller;
  throw new RoleTooLow(caller, least);
}

const API = "/dashboard/api/";

/** Files may be cached forever, because their names change with their contents. */
const FOREVER = "public, max-age=31536000, immutable";

/** Adds the built page, one document for all paths below /dashboard, and the files that it loads. */
function addPages(app: FastifyInstance, files: URL): void {
  const find = openAssets(files);
  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (request.url.startsWith(API)) return replyNothingThere("The dashboard's API has no such path.", request, reply);
    const page = await find("index.html");
    if (page === undefined) return replyNothingThere("The dashboard was not built.", request, reply);
    return sendAsset(request, reply, page);
  }
  app.get("/dashboard", sendPage);
  app.get("/dashboard/*", sendPage);
  app.get<{ Params: { name: string } }>("/dashboard/files/:name", async (request, reply) => {
    const asset = await find(request.params.name);
    if (asset === undefined) return replyNothingThere("The dashboard has no such file.", request, reply);
    return sendAsset(request, reply, asset, FOREVER);
  });
}

/** Creates the authentication in development: callers act as the demo tenant or the one in the X-Dashboard-Tenant header. */
function createDevelopmentSessions(store: Store, demoTenantId: () => number) {
  return async (headers: IncomingHttpHeaders): Promise<DashboardCaller> => {
    const asked = headers["x-dashboard-tenant"];
    const tenantId = asked === undefined ? demoTenantId() : Number(asked);
    const tenant = Number.isSafeInteger(tenantId) ? await store.read((tx) => findTenant(tx, tenantId)) : undefined;
    if (tenant === undefined) {
      throw new Refusal("credentials_invalid", "X-Dashboard-Tenant: expected the id of a tenant of this server.");
    }
    const { timezone } = tenant;
    const nobody = { userId: null, email: null, sessionId: null, needsSecondFactor: false };
    return { apiKey: "dashboard", tenantId, timezone, merchantId: null, role: "admin", ...nobody };
  };
}
