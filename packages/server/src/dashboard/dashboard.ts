// The dashboard under /dashboard: its pages, its own API, and the contract's operations by its sessions.

import type { OperationId as ContractOperationId } from "@msgctl/contract";
import type { FastifyInstance } from "fastify";
import { findIntrusion } from "../development/control/guard.ts";
import { contractApi } from "../http/api.ts";
import type { Authenticate } from "../http/credentials/authentication.ts";
import type { Metrics } from "../http/metrics/metrics.ts";
import { replyWithBareProblem } from "../http/replies/problems.ts";
import type { RequestLog } from "../http/request-log.ts";
import { addRoutes, type RouteServices } from "../http/routes.ts";
import type { Searches } from "../search/searches.ts";
import type { AnyHandler } from "../steps/operation.ts";
import { type DashboardHandlers, dashboardApi, type OperationId, ownSchemas } from "./dashboard-api.ts";
import { createDevelopmentSessions } from "./development-sessions.ts";
import { messageHandlers } from "./message-operations.ts";
import { addPages } from "./pages.ts";
import { requestHandlers } from "./request-operations.ts";
import { sessionHandlers } from "./session-operations.ts";
import { simulatorHandlers } from "./simulator-operations.ts";

type Services = Omit<
  RouteServices<ContractOperationId>,
  "prefix" | "authenticatorOf" | "timeReplies" | "limitRate" | "faults"
>;

export interface DashboardParts {
  readonly services: Services;
  readonly metrics: Metrics;
  readonly requests: RequestLog;
  /** Undefined for a server without an index of its messages. */
  readonly searches: Searches | undefined;
  /** The folder of the built pages, with a trailing slash. */
  readonly files: URL;
  /** The tenant that is shown to whoever is on this machine. */
  readonly developmentTenant: () => number;
}

export function addDashboard(app: FastifyInstance, parts: DashboardParts): void {
  const { services, metrics, requests, searches, files, developmentTenant } = parts;
  addPages(app, files);
  app.register(async (scope) => {
    scope.addHook("onRequest", (request, reply, done) => {
      const intrusion = findIntrusion(request.headers);
      if (intrusion === undefined) done();
      else replyWithBareProblem(intrusion, request, reply);
    });
    for (const [name, schema] of Object.entries(ownSchemas)) scope.addSchema({ ...schema, $id: name });
    const handlers = {
      ...sessionHandlers({ isDevelopment: true, canSearch: searches !== undefined }),
      ...messageHandlers(searches, services.clock),
      ...requestHandlers(requests),
      ...simulatorHandlers,
    } satisfies DashboardHandlers as Readonly<Record<OperationId, AnyHandler>>;
    const authenticate: Authenticate = createDevelopmentSessions(services.store, developmentTenant);
    const note = metrics.timeReplies("dashboard");
    const common = {
      ...services,
      authenticatorOf: () => ({ authenticate, acceptsBasic: false }),
      timeReplies: () => note,
    };
    addRoutes(scope, dashboardApi, { ...common, findHandler: (operationId: OperationId) => handlers[operationId] });
    addRoutes(scope, contractApi, { ...common, prefix: "/dashboard" });
  });
}
