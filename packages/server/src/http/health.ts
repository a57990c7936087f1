// Health checks: whether the process is alive (/healthz), and whether it should receive requests (/readyz). Neither
// requires a credential or reveals more than that.

import type { FastifyInstance } from "fastify";
import type { Clock } from "../platform/clock.ts";
import { clearTimeout, performance, setTimeout } from "../platform/timers.ts";
import { checkWrite, hasKnownTables } from "../store/migrate.ts";
import { findRestoration, type Restoration } from "../store/restorations.ts";
import type { Store } from "../store/store.ts";
import { replyWithBareProblem } from "./replies/problems.ts";

/** How long an answer is reused, in milliseconds. */
const FRESH_MS = 1_000;

/**
 * Shares one call of `ask` among all callers within a second of `now`, and never calls it again before it has settled.
 * So an unauthenticated route costs no more however often it is requested.
 */
export function onceASecond<T>(ask: () => Promise<T>, now: () => number): () => Promise<T> {
  let latest: { askedAt: number; isAnswered: boolean; answer: Promise<T> } | undefined;
  return () => {
    const askedAt = now();
    if (latest !== undefined && (!latest.isAnswered || Math.abs(askedAt - latest.askedAt) < FRESH_MS)) {
      return latest.answer;
    }
    const asked = { askedAt, isAnswered: false, answer: ask() };
    const close = () => {
      asked.isAnswered = true;
    };
    asked.answer.then(close, close);
    latest = asked;
    return asked.answer;
  };
}

/** Note of /readyz while an older secret key is needed. It has no counts: the caller has no credential. */
const RESEAL_NOTE = "Secrets are sealed with a key that is not the first of MSGD_SECRET_KEY: run msgd secrets reseal.";

/** If the test write takes longer, the server is not ready. */
const SLOWEST_WRITE_MS = 2_000;
/** How long the server is not ready after it has met damage: longer than work that failed is put off. */
const DAMAGED_MS = 60_000;

export interface Readiness {
  /** Returns why the server should not receive requests now; undefined when it is ready. */
  findObstacle(): Promise<string | undefined>;
  /** Returns what a ready server should say of itself, such as that its database was put back; undefined if nothing. */
  findNote(): Promise<string | undefined>;
  /** Notes that work has met damage of the database, which the test write need not meet. */
  noteDamage(): void;
  /** Lets the server be ready: all of it is at work. */
  endStart(): void;
  /** Makes the server not ready for good, because it is being stopped. */
  beginStop(): void;
}

export interface ReadinessOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The row that it writes, another for each instance on a database. */
  readonly checkId: number;
  /** @default the clock is compared with no other */
  readonly clockWatch?: { findObstacle(): string | undefined; findNote(): string | undefined } | undefined;
  /** Counts the secrets that are sealed with an older key. @default none are */
  readonly countOlderSeals?: (() => Promise<number>) | undefined;
}

/**
 * A server is ready if it can write to a database of its own version in which it meets no damage and whose clock agrees with
 * its own, its start has ended and its stop has not begun.
 */
export function createReadiness({ store, clock, checkId, clockWatch, countOlderSeals }: ReadinessOptions): Readiness {
  let isStarting = true;
  let isStopping = false;
  let damagedAt = Number.NEGATIVE_INFINITY;
  const findFault = onceASecond(
    () =>
      store
        .write(async (tx) => {
          if (!(await hasKnownTables(tx))) return "The database has the tables of another version of msgd.";
          await checkWrite(tx, { checkId, now: clock.now() });
          return undefined;
        })
        .catch(() => "The database takes no writes."),
    () => performance.now(),
  );

  const findRestorationNote = onceASecond(
    () => store.read(findRestoration).then(describeRestoration, () => undefined),
    () => performance.now(),
  );

  const findSealNote = onceASecond(
    () =>
      (countOlderSeals?.() ?? Promise.resolve(0)).then(
        (count) => (count === 0 ? undefined : RESEAL_NOTE),
        () => undefined,
      ),
    () => performance.now(),
  );

  return {
    async findNote() {
      const found = [clockWatch?.findNote(), await findRestorationNote(), await findSealNote()];
      const notes = found.filter((note) => note !== undefined);
      return notes.length === 0 ? undefined : notes.join(" ");
    },
    async findObstacle() {
      if (isStopping) return "The server is being stopped.";
      if (isStarting) return "The server is starting.";
      let timer: NodeJS.Timeout | undefined;
      const tooSlow = new Promise<string>((resolve) => {
        timer = setTimeout(
          () => resolve(`The database took no write within ${SLOWEST_WRITE_MS} ms.`),
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

/** Without counts: whoever may ask for it has no credential. */
function describeRestoration(restoration: Restoration | undefined): string | undefined {
  if (restoration === undefined) return undefined;
  const { restoredAt, messages, calls, payments } = restoration;
  if (messages + calls + payments === 0) return undefined;
  return `The database went back, or was put back, at ${new Date(restoredAt).toISOString()}: what waited in it is asked about before it is sent.`;
}
