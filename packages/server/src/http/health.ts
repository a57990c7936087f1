// For whoever runs the server: whether the process answers (/healthz), and whether it should be sent requests (/readyz).
// Neither asks for a credential, and neither tells more than that.

import type { FastifyInstance } from "fastify";
import type { Clock } from "../platform/clock.ts";
import { checkWrite, hasKnownTables } from "../store/readiness.ts";
import type { Store } from "../store/store.ts";
import { onceASecond } from "./once-a-second.ts";
import { replyWithBareProblem } from "./replies/problems.ts";

/** A write that takes longer is no sign of a server that can take requests. */
const SLOWEST_WRITE_MS = 2_000;

export interface Readiness {
  /** Why the server should be sent no request now; undefined when it is ready. */
  findObstacle(): Promise<string | undefined>;
  /** From now on it is not ready: it is being stopped. */
  beginStop(): void;
}

/** Ready is a server that writes to a database of its own version, and is not being stopped. */
export function createReadiness({ store, clock }: { store: Store; clock: Clock }): Readiness {
  let isStopping = false;
  const findFault = onceASecond(
    () =>
      store
        .write(async (tx) => {
          if (!(await hasKnownTables(tx))) return "The database has the tables of another version of msgd.";
          await checkWrite(tx, clock.now());
          return undefined;
        })
        .catch(() => "The database takes no writes."),
    () => performance.now(),
  );

  return {
    async findObstacle() {
      if (isStopping) return "The server is being stopped.";
      let timer: NodeJS.Timeout | undefined;
      const tooSlow = new Promise<string>((resolve) => {
        timer = setTimeout(
          () => resolve(`The database took no write within ${SLOWEST_WRITE_MS} ms.`),
          SLOWEST_WRITE_MS,
        );
      });
      const obstacle = await Promise.race([findFault(), tooSlow]);
      clearTimeout(timer);
      return obstacle;
    },
    beginStop() {
      isStopping = true;
    },
  };
}

export function addHealthRoutes(app: FastifyInstance, readiness: Readiness): void {
  const method = ["GET", "HEAD"];
  app.route({
    method,
    url: "/healthz",
    handler: (_request, reply) => reply.header("Cache-Control", "no-store").send({ status: "ok" }),
  });
  app.route({
    method,
    url: "/readyz",
    async handler(request, reply) {
      const obstacle = await readiness.findObstacle();
      reply.header("Cache-Control", "no-store");
      if (obstacle === undefined) return reply.send({ status: "ready" });
      const problem = { status: 503, code: "not_ready", detail: obstacle };
      return replyWithBareProblem(problem, request, reply);
    },
  });
}
