// What every Fastify app of this server does alike: ids of requests, checks of their heads, JSON bodies, problems as errors,
// and the views of the contract.

import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from "fastify";
import { Refusal } from "../rules/refusal.ts";
import { contractApi } from "./api.ts";
import { readJsonBodies } from "./bodies/body.ts";
import { findRepeatedHeader } from "./bodies/single-headers.ts";
import type { ClientAddresses } from "./client-addresses.ts";
import { HEADERS_LIMIT_BYTES } from "./connections/connections.ts";
import { readProjects } from "./projects.ts";
import { answerHead } from "./replies/head.ts";
import { replyWithProblem } from "./replies/problems.ts";
import { createCompilersFactory } from "./replies/serialization.ts";
import { findHostFault } from "./request-target.ts";
import type { Compilations } from "./validation/compilations.ts";
import { parseQuery } from "./validation/query.ts";

/** As much as is read of a path, so that an id that is too long is refused by the contract's own limit. */
const LONGEST_PATH_VALUE = HEADERS_LIMIT_BYTES;

/** Answers a request. */
export type Reply = (request: FastifyRequest, reply: FastifyReply) => void;

export interface AppOptions
  extends Pick<FastifyServerOptions, "logger" | "loggerInstance" | "rewriteUrl" | "serverFactory"> {
  readonly newRequestId: () => string;
  readonly clients: ClientAddresses;
  readonly compilations: Compilations;
  /** Whether requests may have a project's label. */
  readonly isDevelopment: boolean;
  /** Creates the reply to requests that no route takes. */
  readonly createUnmatchedReply: (app: FastifyInstance) => Reply;
}

/** What all apps of a server have in common. */
export type CommonAppOptions = Omit<AppOptions, "compilations" | "createUnmatchedReply">;

/** Creates an app without routes. */
export function createApp({
  newRequestId,
  clients,
  compilations,
  isDevelopment,
  createUnmatchedReply,
  ...own
}: AppOptions): FastifyInstance {
  const app: FastifyInstance = fastify({
    ...own,
    logController: new LogController({ disableRequestLogging: true }),
    // no child logger for each request: log lines name their request themselves
    childLoggerFactory: (parent) => parent,
    genReqId: newRequestId,
    // the servers handle client errors themselves
    clientErrorHandler: () => {},
    requestIdHeader: false,
    schemaController: { compilersFactory: createCompilersFactory(compilations) },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: LONGEST_PATH_VALUE, querystringParser: parseQuery },
    frameworkErrors: (error, request, reply) => {
      reply.header("X-Request-Id", request.id);
      return replyWithProblem(error, request, reply);
    },
  });
  answerHead(app);
  const replyUnmatched = createUnmatchedReply(app);
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("X-Request-Id", request.id);
    const fault = findHostFault(request.raw) ?? findRepeatedHeader(request.raw);
    if (fault !== undefined) {
      replyWithProblem(new Refusal("malformed_http", fault), request, reply);
      return;
    }
    if (request.is404) {
      replyUnmatched(request, reply);
      return;
    }
    done();
  });
  app.decorateRequest("project", null);
  if (isDevelopment) readProjects(app);
  app.decorateRequest<string, "clientAddress">("clientAddress", {
    getter() {
      return clients.of(this);
    },
  });
  app.decorateRequest<string | undefined, "loggedAddress">("loggedAddress", {
    getter() {
      return clients.logged(this);
    },
  });
  app.decorateRequest("caller", null);
  app.decorateRequest("refusal", null);
  app.decorateRequest("operationId", null);
  app.setErrorHandler(replyWithProblem);
  readJsonBodies(app);
  for (const [name, schema] of Object.entries(contractApi.schemas)) app.addSchema({ ...schema, $id: name });
  return app;
}
