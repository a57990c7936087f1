// The development control API under /control: outside the contract, on loopback only, for tests against msgd.

import type { FastifyInstance } from "fastify";
import { replyWithBareProblem } from "../../http/replies/problems.ts";
import type { Compilations } from "../../http/validation/compilations.ts";
import { createValueChecks } from "../../http/validation/validation.ts";
import { FairSemaphore } from "../../platform/fair-line.ts";
import { addCallbackRoutes } from "./callback-routes.ts";
import { addClockRoutes } from "./clock-routes.ts";
import type { Control } from "./control.ts";
import type { ControlScope } from "./control-scope.ts";
import { addCredentialRoute } from "./credential-route.ts";
import { addFaultRoutes } from "./fault-routes.ts";
import { findIntrusion } from "./guard.ts";
import { addMessageRoutes } from "./message-routes.ts";
import { addResetRoutes } from "./reset-routes.ts";

/** The owner of all calls. */
const NOBODY = 0;

export function addControlRoutes(app: FastifyInstance, control: Control, compilations: Compilations): void {
  const createCheck = createValueChecks(compilations);
  app.register(
    async (scope) => {
      scope.addHook("onRequest", (request, reply, done) => {
        const intrusion = findIntrusion(request.headers);
        if (intrusion === undefined) done();
        else replyWithBareProblem(intrusion, request, reply);
      });
      const turns = new FairSemaphore({ atOnce: 1 });
      const parts: ControlScope = { scope, control, createCheck, inTurn: (work) => turns.run(NOBODY, work) };
      addResetRoutes(parts);
      addClockRoutes(parts);
      addMessageRoutes(parts);
      addCallbackRoutes(parts);
      addFaultRoutes(parts);
      addCredentialRoute(parts);
    },
    { prefix: "/control" },
  );
}
