import { schemas } from "@msgctl/contract/schemas";
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from "fastify";
import { BODY_LIMIT_BYTES, readJsonBodies } from "./body.ts";
import { addContractRoutes, type ContractFiles } from "./contract-document.ts";
import type { Control } from "./control/control.ts";
import { addControlRoutes } from "./control/control-routes.ts";
import { addDocsRoutes } from "./docs/routes.ts";
import { addHealthRoutes, type Readiness } from "./health.ts";
import { defaultReplyBounds } from "./lists/reply-bounds.ts";
import { createMalformedHandler, hostMissing } from "./malformed.ts";
import { addMetricsRoute } from "./metrics-route.ts";
import { replyWithBareProblem, replyWithProblem } from "./problems.ts";
import { createRequestIds } from "./request-id.ts";
import { addRoutes, type RouteServices } from "./routes.ts";
import { createCompilersFactory } from "./serialization.ts";
import { endStalledReplies } from "./stalled-replies.ts";
import { createUnmatchedReply } from "./unmatched.ts";

/** A request that has not arrived whole by then is given up: headers trickling in cannot hold a connection. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How often Node looks for such requests. Its own 30 s would let one live for twice its time. */
const TIMEOUT_CHECK_MS = 2_000;
const KEEP_ALIVE_MS = 72_000;
/** As much as Node takes of a path and the headers, so that an id too long is told so by the contract's own limit. */
const LONGEST_PATH_VALUE = 16_384;

export interface HttpServerOptions extends RouteServices {
  readonly logger: FastifyServerOptions["logger"];
  readonly readiness: Readiness;
  /** Where the contract lies, for `/openapi.yaml` and `/openapi.json`; without it they are not served. */
  readonly contractFiles?: ContractFiles;
  /** Adds the control API: in development only. */
  readonly control?: Control;
}

/** The HTTP face of the contract. It does not listen yet. */
export function createHttpServer({
  logger,
  control,
  readiness,
  contractFiles,
  ...services
}: HttpServerOptions): FastifyInstance {
  const newRequestId = createRequestIds();
  const app = fastify({
    ...(logger === undefined ? {} : { logger }),
    logController: new LogController({ disableRequestLogging: true }),
    // no child logger for each request: what is logged names its request itself
    childLoggerFactory: (parent) => parent,
    genReqId: newRequestId,
    clientErrorHandler: createMalformedHandler(newRequestId),
    http: {
      // Node's own answer to a request without it has neither body nor request id
      requireHostHeader: false,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // longer than the request's, as by default, Node 20 would never give up a body that trickles in
      headersTimeout: REQUEST_TIMEOUT_MS,
    },
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT_BYTES,
    schemaController: { compilersFactory: createCompilersFactory(services.compilations) },
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: LONGEST_PATH_VALUE },
    frameworkErrors: (error, request, reply) => {
      reply.header("X-Request-Id", request.id);
      return replyWithProblem(error, request, reply);
    },
  });
  const replyUnmatched = createUnmatchedReply(app, services.metrics);
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("X-Request-Id", request.id);
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") {
      replyWithBareProblem(hostMissing, request, reply);
      return;
    }
    if (request.is404) {
      replyUnmatched(request, reply);
      return;
    }
    done();
  });
  // an expectation that Node does not know is passed over, as RFC 9110 (10.1.1) allows: its 417 would have no request id
  app.server.on("checkExpectation", app.routing);
  endStalledReplies(app.server, (services.replyBounds ?? defaultReplyBounds).stalledMs);
  app.setErrorHandler(replyWithProblem);
  readJsonBodies(app);
  for (const [name, schema] of Object.entries(schemas)) app.addSchema({ ...schema, $id: name });
  addMetricsRoute(app, services);
  addHealthRoutes(app, readiness);
  if (contractFiles !== undefined) {
    addContractRoutes(app, contractFiles);
    addDocsRoutes(app, contractFiles.json);
  }
  addRoutes(app, control === undefined ? services : { ...services, faults: control.faults });
  if (control !== undefined) addControlRoutes(app, control, services.compilations);
  return app;
}
