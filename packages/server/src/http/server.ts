// Creates the HTTP server: the contract's operations, documentation, metrics, health checks and, below /dashboard, the
// dashboard.

import { type OperationId, problems } from "@msgctl/contract";
import type { FastifyInstance, FastifyServerOptions } from "fastify";
import type { MessageTokens } from "../domain/message-tokens.ts";
import { contractApi } from "./api.ts";
import { type CommonAppOptions, createApp, type Reply, readTarget } from "./app.ts";
import { replyNothingThere } from "./assets.ts";
import { addCarrierEventsRoute, type FindReceiver } from "./carrier-events.ts";
import { type ClientAddressOptions, createClientAddresses } from "./client-addresses.ts";
import { createServerFactory, renderMalformed } from "./connections/connections.ts";
import { addContractRoutes, type ContractFiles, readContractVersion } from "./contract-document.ts";
import {
  API_KEY_CHALLENGE,
  type Authenticate,
  BASIC_CHALLENGE,
  BASIC_OPERATION,
  orBasic,
} from "./credentials/authentication.ts";
import { addHealthRoutes, type Readiness } from "./health.ts";
import { defaultReplyBounds } from "./lists/list-replies.ts";
import { addMetricsRoute, type MetricsServices } from "./metrics/metrics-route.ts";
import type { OperationFaults } from "./operation-faults.ts";
import { namesHtml, requireAcceptable } from "./replies/accept.ts";
import { createUnmatchedReply } from "./replies/unmatched.ts";
import { createRequestIds, type RequestLog } from "./request-log.ts";
import { addRoutes, type RouteServices } from "./routes.ts";
import { addSpeechRoute } from "./speech.ts";
import { addUnsubscribeRoutes } from "./unsubscribe.ts";

const OF_DASHBOARD = /^\/dashboard(?:[/?]|$)/;

export interface HttpServerOptions
  extends Omit<RouteServices<OperationId>, "prefix" | "authenticatorOf" | "timeReplies">,
    MetricsServices,
    ClientAddressOptions {
  readonly authenticate: Authenticate;
  readonly logger: FastifyServerOptions["logger"];
  readonly readiness: Readiness;
  /** The contract's files. Without them `/openapi.yaml`, `/openapi.json` and `/docs` are not served. */
  readonly contractFiles?: ContractFiles;
  /** Adds the pages of `/docs`. */
  readonly addPages?: (app: FastifyInstance, files: ContractFiles) => void;
  /** Set only in development. */
  readonly development?: {
    readonly faults: OperationFaults;
    /** Adds the routes of the control API. */
    readonly addRoutes: (app: FastifyInstance) => void;
  };
  readonly dashboard?: ServedDashboard;
  /** Creates and reads the tokens of unsubscribe links. Without it, emails have no such links. */
  readonly unsubscribeTokens?: MessageTokens;
  /** Finds the carrier whose URL for events has this id. Without it, no carrier receives events. */
  readonly findReceiver?: FindReceiver;
  /** Finds the speech file of a link's token. Without it, no provider can fetch speech. */
  readonly findSpeechFile?: (token: string) => Promise<string | undefined>;
}

export interface ServedDashboard {
  /** Records the requests to the contract's operations. */
  readonly requests: RequestLog;
  /** Creates the app below `/dashboard`. Called at the first request to that path. */
  readonly createApp: (common: CommonAppOptions) => Promise<FastifyInstance>;
}

/** Creates the contract's HTTP server. It does not listen yet. */
export function createHttpServer({
  logger,
  development,
  dashboard,
  readiness,
  contractFiles,
  addPages,
  unsubscribeTokens,
  findReceiver,
  findSpeechFile,
  trustedProxies,
  logAddresses,
  ...services
}: HttpServerOptions): FastifyInstance {
  const newRequestId = createRequestIds();
  const countMalformed = services.metrics.countReplies("malformed");
  const clients = createClientAddresses({ trustedProxies, logAddresses });
  const common = { newRequestId, clients, isDevelopment: development !== undefined };
  const app = createApp({
    ...common,
    compilations: services.compilations,
    ...(logger === undefined ? {} : { logger }),
    serverFactory: createServerFactory({
      render(refusal) {
        countMalformed(problems[refusal.code].status);
        return renderMalformed(refusal, newRequestId());
      },
      stalledMs: (services.replyBounds ?? defaultReplyBounds).stalledMs,
    }),
    rewriteUrl: readTarget,
    createUnmatchedReply(to) {
      const replyUnmatched = createUnmatchedReply(to, services.metrics, contractFiles && replyNothingThere);
      if (dashboard === undefined) return replyUnmatched;
      const handOver = createHandOver(to, () => dashboard.createApp({ ...common, loggerInstance: to.log }));
      return (request, reply) => {
        if (OF_DASHBOARD.test(request.url)) handOver(request, reply);
        else replyUnmatched(request, reply);
      };
    },
  });
  if (dashboard !== undefined) {
    const { requests } = dashboard;
    app.addHook("onResponse", (request, reply, done) => {
      if (request.url.startsWith("/api/")) requests.note(request, reply);
      done();
    });
  }
  addMetricsRoute(app, services);
  addHealthRoutes(app, readiness);
  if (contractFiles !== undefined) {
    addContractRoutes(app, contractFiles);
    addPages?.(app, contractFiles);
  }
  if (unsubscribeTokens !== undefined) {
    const { store, clock } = services;
    addUnsubscribeRoutes(app, { store, clock, tokens: unsubscribeTokens });
  }
  if (findReceiver !== undefined) addCarrierEventsRoute(app, { findReceiver });
  if (findSpeechFile !== undefined) addSpeechRoute(app, { findFile: findSpeechFile });
  if (dashboard !== undefined || contractFiles !== undefined) {
    const hasDashboard = dashboard !== undefined;
    addStart(app, { hasDashboard, contractFiles, hasDocs: contractFiles !== undefined && addPages !== undefined });
  }
  const { authenticate } = services;
  addRoutes(app, contractApi, {
    ...services,
    ...(development === undefined ? {} : { faults: development.faults }),
    authenticatorOf: (operationId) =>
      operationId === BASIC_OPERATION
        ? { authenticate: orBasic(authenticate), challenges: [API_KEY_CHALLENGE, BASIC_CHALLENGE] }
        : { authenticate, challenges: [API_KEY_CHALLENGE] },
    timeReplies: (operationId) => services.metrics.timeReplies(operationId),
  });
  development?.addRoutes(app);
  return app;
}

/**
 * Creates a reply that passes requests of `app` to another app. The other app is created at the first such request and
 * closes with `app`. Call the reply in `onRequest`, so that the other app reads the body.
 *
 * @param create if it fails, it is called again at the next request
 */
export function createHandOver(app: FastifyInstance, create: () => Promise<FastifyInstance>): Reply {
  let creating: Promise<FastifyInstance> | undefined;
  let isClosing = false;
  async function open(): Promise<FastifyInstance> {
    const other = await create();
    await other.ready();
    // the other app still answers this request, but leaves no stream open
    if (isClosing) await other.close();
    return other;
  }
  app.addHook("preClose", async () => {
    isClosing = true;
    await (await creating?.catch(() => undefined))?.close();
  });
  return (request, reply) => {
    creating ??= open().catch((error) => {
      creating = undefined;
      throw error;
    });
    creating.then(
      (other) => {
        reply.hijack();
        other.routing(request.raw, reply.raw);
      },
      (error) => reply.send(error),
    );
  };
}

interface StartOptions {
  readonly hasDashboard: boolean;
  readonly hasDocs: boolean;
  readonly contractFiles: ContractFiles | undefined;
}

/** Redirects a browser from `/` to the start page, and tells other clients what this server is and where its parts are. */
function addStart(app: FastifyInstance, { hasDashboard, hasDocs, contractFiles }: StartOptions): void {
  /** Kept after the first request: the contract is a large file. */
  let version: string | undefined;
  app.get("/", async (request, reply) => {
    reply.header("Vary", "Accept");
    const { accept } = request.headers;
    if (namesHtml(accept)) return reply.redirect(hasDashboard ? "/dashboard" : "/docs", 303);
    requireAcceptable(accept, "text/plain");
    if (contractFiles !== undefined) version ??= await readContractVersion(contractFiles);
    const lines = [
      "msgd sends SMS, calls and email for merchants.",
      ...(hasDocs ? ["Documentation: /docs"] : []),
      ...(version === undefined ? [] : [`Contract ${version}: /openapi.yaml, /openapi.json`]),
      ...(hasDashboard ? ["Dashboard: /dashboard"] : []),
      "Health: /healthz (is it alive?), /readyz (should it receive requests?)",
    ];
    return reply.type("text/plain; charset=utf-8").send(`${lines.join("\n")}\n`);
  });
}
