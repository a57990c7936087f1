// Creates the server's Fastify apps with everything that they share: request ids, checks of the request's head, JSON
// bodies, problem replies for errors, and the contract's serializers.

import type { IncomingMessage } from "node:http";
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from "fastify";
import { Refusal, refuseFaults } from "../domain/refusal.ts";
import { isProject, PROJECT_WORDS } from "../domain/tenancy/credentials.ts";
import { showText } from "../domain/unicode.ts";
import { contractApi } from "./api.ts";
import { findRepeatedHeader, readJsonBodies } from "./bodies/body.ts";
import type { ClientAddresses } from "./client-addresses.ts";
import { HEADERS_LIMIT_BYTES } from "./connections/connections.ts";
import { replyWithProblem } from "./replies/problems.ts";
import { answerHead, createCompilersFactory } from "./replies/replies.ts";
import type { Compilations } from "./validation/ajv.ts";
import { parseQuery } from "./validation/validation.ts";

const ABSOLUTE = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)/i;
/** Matches a registered name or an address, with an optional port. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/**
 * Returns the request's path and query, without a fragment or origin (RFC 9112, 3.2). The host of an absolute URL replaces
 * the Host header, so later code reads `url` and `headers.host` alone.
 */
export function readTarget({ url = "/", headers }: Pick<IncomingMessage, "url" | "headers">): string {
  const isPath = url.charCodeAt(0) === 0x2f;
  if (isPath && !url.includes("#")) return url;
  const [origin = "", scheme = "", authority = ""] = isPath ? [] : (ABSOLUTE.exec(url) ?? []);
  // a URL with another scheme is not for this server: turn it into an invalid host
  if (origin !== "" && headers.host !== undefined) headers.host = /^https?$/i.test(scheme) ? authority : origin;
  const [target = ""] = url.slice(origin.length).split("#", 1);
  return target.startsWith("/") || origin === "" ? target : `/${target}`;
}

/** Describes the fault of a request's host; undefined if it is valid. */
function findHostFault({ headers: { host }, httpVersion }: IncomingMessage): string | undefined {
  if (host === undefined) return httpVersion === "1.1" ? "The request has no Host header." : undefined;
  if (HOST.test(host)) return undefined;
  return "The Host header is invalid: expected a name or an address, optionally with a port, such as 127.0.0.1:4800.";
}

/** Answers a request. */
export type Reply = (request: FastifyRequest, reply: FastifyReply) => void;

export interface AppOptions
  extends Pick<FastifyServerOptions, "logger" | "loggerInstance" | "rewriteUrl" | "serverFactory"> {
  readonly newRequestId: () => string;
  readonly clients: ClientAddresses;
  readonly compilations: Compilations;
  /** Whether requests may name a project. */
  readonly isDevelopment: boolean;
  /** Creates the reply to requests without a route. */
  readonly createUnmatchedReply: (app: FastifyInstance) => Reply;
}

/** Options that all apps of a server share. */
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
    // the router's own limit is lifted: the contract limits the length of ids
    routerOptions: { maxParamLength: HEADERS_LIMIT_BYTES, querystringParser: parseQuery },
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

declare module "fastify" {
  interface FastifyRequest {
    /** Label of created objects: `X-Project`, else the key's name. Null if there is neither, and outside development. */
    project: string | null;
  }
}

/** Length of the quoted part of an invalid label, in UTF-16 units. */
const SHOWN = 80;

/** Reads the label of every request. Refuses an invalid header with `validation_error`. */
function readProjects(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const given = request.headers["x-project"];
    if (given === undefined) done();
    else if (typeof given === "string" && isProject(given)) {
      request.project = given;
      done();
    } else {
      const detail = `Expected ${PROJECT_WORDS}; received ${showText(String(given), SHOWN)}.`;
      done(refuseFaults([{ pointer: "/header/X-Project", code: "invalid", detail }]));
    }
  });
  // in preParsing the caller is already authenticated
  app.addHook("preParsing", (request, _reply, payload, done) => {
    request.project ??= request.caller?.keyName ?? null;
    done(null, payload);
  });
}
