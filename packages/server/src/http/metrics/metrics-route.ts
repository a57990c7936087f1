import type { Server } from "node:http";
import { hostname } from "node:os";
import type { FastifyInstance } from "fastify";
import { type Backlog, readBacklog } from "../../domain/reports/backlog-rows.ts";
import { countAllUncarried } from "../../domain/reports/tenant-carriers.ts";
import { listDisabled } from "../../domain/tenancy/rows.ts";
import type { Clock } from "../../platform/clock.ts";
import type { LoopDelay } from "../../platform/event-loop-delay.ts";
import { QueueFloors } from "../../store/queue/engine.ts";
import type { Store, Transaction } from "../../store/store.ts";
import { onceASecond } from "../health.ts";
import { isKnownHost } from "../host-names.ts";
import { type BareProblem, replyWithBareProblem } from "../replies/problems.ts";
import type { Metrics } from "./metrics.ts";
import type { DiskRoom } from "./metrics-gauges.ts";

/** Prometheus' text format, version 0.0.4. */
const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const misdirected: BareProblem = {
  status: 421,
  code: "host_not_allowed",
  detail:
    "The metrics are not served under the host name in the Host header. Use the server's address, or add the name to --metrics-hosts when starting msgd.",
};

export interface MetricsServices {
  readonly metrics: Metrics;
  readonly store: Store;
  readonly clock: Clock;
  /** The event loop's delay; undefined if not measured. */
  readonly loopDelay?: LoopDelay;
  /** Returns how far this machine's clock is ahead of the database's, in milliseconds; undefined if not compared. */
  readonly findClockAhead?: (() => number | undefined) | undefined;
  /** Returns the space on the disk. Omitted if the data is not on this machine's disk. */
  readonly findDiskRoom?: () => Promise<DiskRoom>;
  /** Finds the time of the last backup, in epoch milliseconds. Omitted if msgd makes no backups. */
  readonly findLastBackup?: (tx: Transaction) => Promise<number | undefined>;
  /** Host names that may request `/metrics`, besides addresses and localhost. @default none */
  readonly metricsHosts?: readonly string[];
  /** Kinds of carriers that are shown, with 0, even if no tenant has one. @default none */
  readonly carrierKinds?: readonly string[];
  /** The same for kinds of payment processors. @default none */
  readonly processorKinds?: readonly string[];
}

/** Adds the kinds of carriers and processors that no tenant has, so that every kind has its series from the start. */
function withKinds(
  { carrierKinds = [], processorKinds = [] }: Pick<MetricsServices, "carrierKinds" | "processorKinds">,
  backlog: Backlog,
): Backlog {
  const none = { up: 0, down: 0 };
  const carriers = listMissing(carrierKinds, backlog.carriers);
  const processors = listMissing(processorKinds, backlog.processors);
  return {
    ...backlog,
    carriers: [...backlog.carriers, ...carriers.map((kind) => ({ kind, ...none, waiting: 0, oldestAt: null }))],
    processors: [...backlog.processors, ...processors.map((kind) => ({ kind, ...none }))],
  };
}

function listMissing(kinds: readonly string[], found: readonly { readonly kind: string }[]): string[] {
  return kinds.filter((kind) => found.every((one) => one.kind !== kind));
}

/** Serves `/metrics`. It requires no credential: the operator must keep it private. */
export function addMetricsRoute(
  app: FastifyInstance,
  {
    metrics,
    store,
    clock,
    loopDelay,
    findClockAhead,
    findDiskRoom,
    findLastBackup,
    metricsHosts = [],
    ...kinds
  }: MetricsServices,
): void {
  const names = new Set(metricsHosts.map((name) => name.toLowerCase()));
  const floors = new QueueFloors(clock.elapsed);
  const ask = onceASecond(async () => {
    const scan = floors.beginScan();
    const read = async (tx: Transaction) => ({
      backlog: {
        ...withKinds(kinds, await readBacklog(tx, clock.now(), scan)),
        uncarried: await countAllUncarried(tx),
      },
      disabledTenants: (await listDisabled(tx)).length,
      lastBackup: findLastBackup === undefined ? undefined : ((await findLastBackup(tx)) ?? null),
    });
    const nothing = { backlog: undefined, disabledTenants: undefined, lastBackup: undefined };
    const found = await store.read(read).catch(() => nothing);
    const disk = await findDiskRoom?.().catch(() => undefined);
    return { ...found, disk };
  }, clock.now);
  app.get("/metrics", async (request, reply) => {
    const { host } = request.headers;
    // Accept a request without a Host header: it is HTTP/1.0, which browsers do not use.
    if (host !== undefined && !isKnownHost(host, names)) return replyWithBareProblem(misdirected, request, reply);
    const answers = await ask();
    reply.header("Content-Type", CONTENT_TYPE).header("Cache-Control", "no-store");
    const own = { clockAheadMs: findClockAhead?.(), instance: nameInstance(app.server), loopDelay, now: clock.now() };
    return metrics.render({ ...answers, ...own });
  });
}

/** Returns a name that is unique among instances: `host:port`, or the host alone before the server listens. */
function nameInstance(server: Server): string {
  const address = server.address();
  const host = hostname().replace(/[^\w.-]/g, "_");
  return typeof address === "object" && address !== null ? `${host}:${address.port}` : host;
}
