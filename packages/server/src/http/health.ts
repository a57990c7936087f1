// Serves health checks without a credential. /healthz: is the process alive? /readyz: should it receive requests?

import type { FastifyInstance } from "fastify";
import type { Clock } from "../platform/clock.ts";
import { clearTimeout, performance, setTimeout } from "../platform/timers.ts";
import { checkWrite, findAge } from "../store/migrate.ts";
import { findRestoration, type Restoration } from "../store/restorations.ts";
import type { Store } from "../store/store.ts";
import { replyWithBareProblem } from "./replies/problems.ts";

/** How long an answer is reused, in milliseconds. */
const FRESH_MS = 1_000;

/**
 * Returns a function that calls `ask` at most once a second, and never before the last call has settled; other callers get
 * the last result. So frequent requests to a route without credentials cost nothing extra.
 */
export function onceASecond<T>(ask: () => Promise<T>, now: () => number): () => Promise<T> {
  let latest: Promise<T> | undefined;
  let askedAt = 0;
  let isPending = false;
  return () => {
    if (latest !== undefined && (isPending || Math.abs(now() - askedAt) < FRESH_MS)) return latest;
    askedAt = now();
    latest = ask();
    isPending = true;
    const settle = () => {
      isPending = false;
    };
    latest.then(settle, settle);
    return latest;
  };
}

/** The note of /readyz while secrets are sealed with an older key. It shows no counts, as callers have no credential. */
const RESEAL_NOTE = "Secrets are sealed with a key that is not the first of MSGD_SECRET_KEY: run msgd secrets reseal.";

const OLDER_TABLES = "The database's tables belong to an older version of msgd: run msgd migrate.";
/** The note of /readyz during a rolling upgrade, in which a newer instance has migrated the tables (docs/upgrading.md). */
const NEWER_TABLES_NOTE = "The database's tables belong to a newer version of msgd: upgrade this instance.";

/** If the test write takes longer than this, the server is not ready. */
const SLOWEST_WRITE_MS = 2_000;
/** How long the server stays not ready after it has found damage. Failed work is retried sooner, which restarts the period. */
const DAMAGED_MS = 60_000;

export interface Readiness {
  /** Returns the reason why the server should not receive requests now; undefined if it is ready. */
  findObstacle(): Promise<string | undefined>;
  /** Returns a note about a ready server, such as that its database was restored; undefined if there is none. */
  findNote(): Promise<string | undefined>;
  /** Call when work has found the database damaged: the test write may not find the damage itself. */
  noteDamage(): void;
  /** Makes the server ready. Call when all of it is running. */
  endStart(): void;
  /** Makes the server permanently not ready. Call when it begins to stop. */
  beginStop(): void;
}

interface ReadinessOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The row of the test write. Each instance on a database has its own. */
  readonly checkId: number;
  /** Compares this machine's clock with the database's. @default not compared */
  readonly clockWatch?: { findObstacle(): string | undefined; findNote(): string | undefined } | undefined;
  /** Counts the secrets that are sealed with an older key. @default 0 */
  readonly countOlderSeals?: (() => Promise<number>) | undefined;
}

/**
 * Creates the readiness check. Between its start and its stop, a server is ready if it can write to an undamaged database of
 * its own version or, during a rolling upgrade, a newer one, and if the database's clock agrees with this machine's.
 */
export function createReadiness({ store, clock, checkId, clockWatch, countOlderSeals }: ReadinessOptions): Readiness {
  let isStarting = true;
  let isStopping = false;
  let damagedAt = Number.NEGATIVE_INFINITY;
  const findFault = onceASecond(
    () =>
      store
        .write(async (tx) => {
          const age = await findAge(tx);
          if (age !== "current" && age !== "newer") return OLDER_TABLES;
          await checkWrite(tx, { checkId, now: clock.now() });
          return undefined;
        })
        .catch(() => "The database accepts no writes."),
    performance.now,
  );

  const findStoredNotes = onceASecond(async () => {
    const restoration = await store.read(findRestoration).catch(() => undefined);
    const olderSeals = (await countOlderSeals?.().catch(() => 0)) ?? 0;
    const age = await store.read((tx) => findAge(tx)).catch(() => undefined);
    return [
      describeRestoration(restoration),
      olderSeals === 0 ? undefined : RESEAL_NOTE,
      age === "newer" ? NEWER_TABLES_NOTE : undefined,
    ];
  }, performance.now);

  return {
    async findNote() {
      const found = [clockWatch?.findNote(), ...(await findStoredNotes())];
      const notes = found.filter((note) => note !== undefined);
      return notes.length === 0 ? undefined : notes.join(" ");
    },
    async findObstacle() {
      if (isStopping) return "The server is being stopped.";
      if (isStarting) return "The server is starting.";
      let timer: NodeJS.Timeout | undefined;
      const tooSlow = new Promise<string>((resolve) => {
        timer = setTimeout(
          () => resolve(`The database did not complete a test write within ${SLOWEST_WRITE_MS} ms.`),
          SLOWEST_WRITE_MS,
        );
      });
      const obstacle = await Promise.race([findFault(), tooSlow]);
      clearTimeout(timer);
      return clock.elapsed() < damagedAt + DAMAGED_MS
        ? "The database is damaged."
        : (obstacle ?? clockWatch?.findObstacle());
    },
    noteDamage() {
      damagedAt = clock.elapsed();
    },
    endStart() {
      isStarting = false;
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
      if (obstacle === undefined) {
        const note = await readiness.findNote();
        return reply.send({ status: "ready", ...(note === undefined ? {} : { note }) });
      }
      const problem = { status: 503, code: "not_ready", detail: obstacle };
      return replyWithBareProblem(problem, request, reply);
    },
  });
}

/** Returns the note about a restoration. It shows no counts, as callers have no credential. */
function describeRestoration(restoration: Restoration | undefined): string | undefined {
  if (restoration === undefined) return undefined;
  const { restoredAt, messages, calls, payments } = restoration;
  if (messages + calls + payments === 0) return undefined;
  return `The database was restored to an earlier state at ${new Date(restoredAt).toISOString()}: carriers are asked about each message that waited then before it is sent.`;
}
