import { type OperationId, problems } from "@msgctl/contract";
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from "fastify";
import { Refusal } from "../rules/refusal.ts";
import { contractApi } from "./api.ts";
import { readJsonBodies } from "./bodies/body.ts";
import { findRepeatedHeader } from "./bodies/single-headers.ts";
import { createServerFactory, HEADERS_LIMIT_BYTES } from "./connections/connections.ts";
import { renderMalformed } from "./connections/malformed.ts";
import { addContractRoutes, type ContractFiles } from "./contract-document.ts";
import { API_KEY_CHALLENGE, type Authenticate } from "./credentials/authentication.ts";
import { BASIC_CHALLENGE, BASIC_OPERATION, orBasic } from "./credentials/basic-credentials.ts";
import { replyNothingThere } from "./docs/nothing-there.ts";
import { addDocsRoutes } from "./docs/routes.ts";
import { addHealthRoutes, type Readiness } from "./health.ts";
import { defaultReplyBounds } from "./lists/reply-bounds.ts";
import { addMetricsRoute, type MetricsServices } from "./metrics/metrics-route.ts";
import type { OperationFaults } from "./operation-faults.ts";
import { readProjects } from "./projects.ts";
import { answerHead } from "./replies/head.ts";
import { replyWithProblem } from "./replies/problems.ts";
import { createCompilersFactory } from "./replies/serialization.ts";
import { createUnmatchedReply } from "./replies/unmatched.ts";
import { createRequestIds } from "./request-id.ts";
import type { RequestLog } from "./request-log.ts";
import { findHostFault, readTarget } from "./request-target.ts";
import { addRoutes, type RouteServices } from "./routes.ts";
import { addStart } from "./start.ts";
import { parseQuery } from "./validation/query.ts";

/** As much as is read of a path, so that an id that is too long is refused by the contract's own limit. */
const LONGEST_PATH_VALUE = HEADERS_LIMIT_BYTES;

export interface HttpServerOptions
  extends Omit<RouteServices<OperationId>, "prefix" | "authenticatorOf" | "timeReplies">,
    MetricsServices {
  readonly authenticate: Authenticate;
  readonly logger: FastifyServerOptions["logger"];
  readonly readiness: Readiness;
  /** The contract's files for `/openapi.yaml`, `/openapi.json` and `/docs`; without them these are not served. */
  readonly contractFiles?: ContractFiles;
  /** Parts for development only. */
  readonly development?: {
    readonly faults: OperationFaults;
    /** Adds the routes of the control API. */
    readonly addRoutes: (app: FastifyInstance) => void;
  };
  readonly dashboard?: {
    /** Keeps what was asked of the contract. */
    readonly requests: RequestLog;
    readonly addRoutes: (app: FastifyInstance) => void;
  };
}

/** Creates the contract's HTTP server. It does not listen yet. */
export function createHttpServer({
  logger,
  development,
  dashboard,
  readiness,
  contractFiles,
  ...services
}: HttpServerOptions): FastifyInstance {
  const newRequestId = createRequestIds();
  const countMalformed = services.metrics.countReplies("malformed");
  const app = fastify({
    ...(logger === undefined ? {} : { logger }),
    logController: new LogController({ disableRequestLogging: true }),
    // no child logger for each request: log lines name their request themselves
    childLoggerFactory: (parent) => parent,
    genReqId: newRequestId,
    serverFactory: createServerFactory({
      render(refusal) {
        countMalformed(problems[refusal.code].status);
        return renderMalformed(refusal, newRequestId());
      },
      stalledMs: (services.replyBounds ?? defaultReplyBounds).stalledMs,
    }),
    // the factory's servers handle client errors themselves
    clientErrorHandler: () => {},
    rewriteUrl: readTarget,
    requestIdHeader: false,
    schemaController: { compilersFactory: createCompilersFactory(services.compilations) },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: LONGEST_PATH_VALUE, querystringParser: parseQuery },
    frameworkErrors: (error, request, reply) => {
      reply.header("X-Request-Id", request.id);
      return replyWithProblem(error, request, reply);
    },
  });
  answerHead(app);
  const replyUnmatched = createUnmatchedReply(app, services.metrics, contractFiles && replyNothingThere);
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
  if (dashboard !== undefined) {
    const { requests } = dashboard;
    app.addHook("onResponse", (request, reply, done) => {
      if (request.url.startsWith("/api/")) requests.note(request, reply);
      done();
    });
  }
  app.decorateRequest("project", null);
  if (development !== undefined) readProjects(app);
  app.setErrorHandler(replyWithProblem);
  readJsonBodies(app);
  for (const [name, schema] of Object.entries(contractApi.schemas)) app.addSchema({ ...schema, $id: name });
  addMetricsRoute(app, services);
  addHealthRoutes(app, readiness);
  if (contractFiles !== undefined) {
    addContractRoutes(app, contractFiles);
    addDocsRoutes(app, contractFiles, { isDevelopment: development !== undefined });
  }
  if (dashboard !== undefined) addStart(app, "/dashboard");
  else if (contractFiles !== undefined) addStart(app, "/docs");
  app.decorateRequest("caller", null);
  app.decorateRequest("refusal", null);
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
  dashboard?.addRoutes(app);
  return app;
}
