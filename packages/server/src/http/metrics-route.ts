import type { FastifyInstance } from "fastify";
import type { Clock } from "../clock.ts";
import { readBacklog } from "../store/backlog.ts";
import type { Store } from "../store/store.ts";
import type { LoopDelay, Metrics } from "./metrics.ts";

/** Prometheus' text format, version 0.0.4. */
const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Serves `/metrics`. It asks for no credential: whoever runs the server keeps it to itself. */
export function addMetricsRoute(
  app: FastifyInstance,
  { metrics, store, clock, loopDelay }: { metrics: Metrics; store: Store; clock: Clock; loopDelay?: LoopDelay },
): void {
  app.get("/metrics", async (_request, reply) => {
    const now = clock.now();
    const backlog = await store.read((tx) => readBacklog(tx, now)).catch(() => undefined);
    reply.header("Content-Type", CONTENT_TYPE).header("Cache-Control", "no-store");
    return metrics.render({ backlog, now, ...(loopDelay === undefined ? {} : { loopDelay }) });
  });
}
