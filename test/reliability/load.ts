// The load, in a separate process that outlives every server that it uses. Each of many workers performs one action after the
// other, repeats it until it is acknowledged, and records the acknowledgement before the next action.

import { closeSync, openSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProblemCode } from "@msgctl/contract";
import { type Acknowledgement, type Action, type ActionKind, makeAction, readId } from "./actions.ts";

export interface LoadPlan {
  /** URLs of the servers, which the load uses in turn. */
  readonly baseUrls: readonly string[];
  readonly apiKey: string;
  readonly apiSecret: string;
  /** File of acknowledgements, one JSON document per line. */
  readonly file: string;
  /** Timeout of a reply, in milliseconds. @default 10000 */
  readonly patienceMs?: number;
}

/** Report of a finished load. */
export interface LoadReport {
  /** Replies that the contract does not explain. */
  readonly surprises: readonly string[];
  /** Number of actions whose replies before the last all said that nothing was done. */
  readonly refused: number;
  /** Refused actions that had been performed nevertheless. */
  readonly denied: readonly string[];
  /** Kinds of action that the server does not support yet. */
  readonly unsupported: readonly ActionKind[];
}

const HANDS = 24;
/** Longest pause between actions: low enough to load the server, high enough to settle a hundred rounds in a minute. */
const LONGEST_REST_MS = 40;
const RETRY_MS = 100;
const PAUSE_LOOK_MS = 5;
/** Shares of actions that are repeated after their acknowledgement, and that are sent to two servers at once. */
const REPEATED_SHARE = 0.05;
const TWICE_SHARE = 0.05;

/** Outcome of one try of an action: `unheard` reached no server; the result of a `doubtful` one is unknown. */
type Try = "settled" | "replayed" | "refused" | "unheard" | "doubtful";

/** Problem codes of a server that is stopping, is too busy, was paused, or has a failed disk. Any other is a surprise. */
const tryByCode: ReadonlyMap<unknown, Try> = new Map<ProblemCode, Try>([
  ["unavailable", "refused"],
  ["rate_limited", "refused"],
  ["request_timeout", "refused"],
  ["outcome_unknown", "doubtful"],
  ["idempotency_in_progress", "doubtful"],
]);

class Load {
  readonly #plan: LoadPlan;
  readonly #file: number;
  readonly #unsupported = new Set<ActionKind>();
  readonly #surprises: string[] = [];
  readonly #denied: string[] = [];
  #refused = 0;
  #count = 0;
  #tries = 0;
  #working = 0;
  #isPaused = false;
  #isFinishing = false;

  constructor(plan: LoadPlan) {
    this.#plan = plan;
    this.#file = openSync(plan.file, "a");
  }

  /** Stops starting actions, and repeats open ones until they are acknowledged. */
  finish(): void {
    this.#isFinishing = true;
  }

  /** Stops starting actions until `goOn`. Resolves when all started ones are acknowledged. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    while (this.#working > 0) await sleep(PAUSE_LOOK_MS);
  }

  goOn(): void {
    this.#isPaused = false;
  }

  async run(): Promise<LoadReport> {
    await Promise.all(Array.from({ length: HANDS }, () => this.#work()));
    closeSync(this.#file);
    const unsupported = [...this.#unsupported];
    return { surprises: this.#surprises, refused: this.#refused, denied: this.#denied, unsupported };
  }

  async #work(): Promise<void> {
    while (!this.#isFinishing) {
      if (!this.#isPaused) await this.#act();
      await sleep(Math.random() * LONGEST_REST_MS);
    }
  }

  async #act(): Promise<void> {
    this.#working += 1;
    this.#count += 1;
    const action = makeAction(this.#count, this.#unsupported);
    const { baseUrls } = this.#plan;
    const twin = baseUrls.length > 1 && Math.random() < TWICE_SHARE ? this.#repeat(action) : undefined;
    await this.#complete(action, twin !== undefined);
    if (Math.random() < REPEATED_SHARE) await this.#repeat(action);
    await twin;
    this.#working -= 1;
  }

  async #repeat(action: Action): Promise<void> {
    while (!isOver(await this.#try(action))) await sleep(RETRY_MS);
  }

  /** Repeats an action until it is acknowledged. If it has a twin, the twin may have performed it. */
  async #complete(action: Action, hasTwin: boolean): Promise<void> {
    const tries: Try[] = [];
    for (;;) {
      const came = await this.#try(action);
      if (isOver(came)) {
        const wasRefused = tries.includes("refused") && !tries.includes("doubtful");
        if (wasRefused) this.#refused += 1;
        if (wasRefused && !hasTwin && came === "replayed") this.#denied.push(`${action.kind} ${action.key}`);
        return;
      }
      tries.push(came);
      await sleep(RETRY_MS);
    }
  }

  async #try(action: Action): Promise<Try> {
    const { baseUrls, apiKey, apiSecret, patienceMs = 10_000 } = this.#plan;
    const baseUrl = baseUrls[this.#tries % baseUrls.length];
    this.#tries += 1;
    try {
      const reply = await fetch(`${baseUrl}/api/v1/${action.path}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-api-key": apiKey,
          "x-api-secret": apiSecret,
          "idempotency-key": action.key,
        },
        body: JSON.stringify(action.body),
        signal: AbortSignal.timeout(patienceMs),
      });
      const content = (await reply.json()) as Record<string, unknown>;
      return this.#settle(action, reply, content);
    } catch (error) {
      // the server was killed
      const cause = (error as { cause?: { code?: string } }).cause;
      return cause?.code === "ECONNREFUSED" ? "unheard" : "doubtful";
    }
  }

  #settle({ key, kind }: Action, { status, headers }: Response, content: Record<string, unknown>): Try {
    if (status === 501) {
      this.#unsupported.add(kind);
      return "settled";
    }
    if (status !== 200) {
      const told = tryByCode.get(content.code);
      // each of these says when to retry, except 408, after which a retry may follow at once
      if (told !== undefined && (headers.has("retry-after") || status === 408)) return told;
      this.#surprises.push(`${kind} ${key}: ${status} ${JSON.stringify(content)}`);
      return "settled";
    }
    const isReplay = headers.get("idempotent-replayed") === "true";
    const acknowledgement: Acknowledgement = { key, kind, id: readId(kind, content), isReplay };
    writeSync(this.#file, `${JSON.stringify(acknowledgement)}\n`);
    return isReplay ? "replayed" : "settled";
  }
}

/** Whether no further try is needed. */
function isOver(came: Try): boolean {
  return came === "settled" || came === "replayed";
}

const [plan] = process.argv.slice(2);
if (plan !== undefined && process.send !== undefined) {
  const load = new Load(JSON.parse(plan));
  process.on("message", async (order) => {
    if (order === "finish") load.finish();
    if (order === "go on") load.goOn();
    if (order === "pause") await load.pause().then(() => process.send?.("paused"));
  });
  // the parent process has exited
  process.on("disconnect", () => process.exit(1));
  const report = await load.run();
  process.send(report, () => process.disconnect());
}
