// The load, in a process of its own that outlives every server it talks to: many hands do one action after the other,
// each until it is acknowledged, and write down every acknowledgement before the next.

import { closeSync, openSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Acknowledgement, type Action, type ActionKind, makeAction, readId } from "./actions.ts";

export interface LoadPlan {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Where acknowledgements are written, one JSON document a line. */
  readonly file: string;
}

/** What the load tells when it has finished. */
export interface LoadReport {
  /** Replies that nothing of the contract explains. */
  readonly surprises: readonly string[];
  /** Kinds of action that the server does not have yet. */
  readonly unsupported: readonly ActionKind[];
}

const HANDS = 24;
/** So that a hundred rounds can still be dispatched and compared in a minute. */
const LONGEST_REST_MS = 40;
const RETRY_MS = 20;
/** How many actions are repeated after they were acknowledged. */
const REPEATED_SHARE = 0.05;

class Load {
  readonly #plan: LoadPlan;
  readonly #file: number;
  readonly #unsupported = new Set<ActionKind>();
  readonly #surprises: string[] = [];
  #count = 0;
  #isFinishing = false;

  constructor(plan: LoadPlan) {
    this.#plan = plan;
    this.#file = openSync(plan.file, "a");
  }

  /** Begins nothing new, and repeats what is open until it is acknowledged. */
  finish(): void {
    this.#isFinishing = true;
  }

  async run(): Promise<LoadReport> {
    await Promise.all(Array.from({ length: HANDS }, () => this.#work()));
    closeSync(this.#file);
    return { surprises: this.#surprises, unsupported: [...this.#unsupported] };
  }

  async #work(): Promise<void> {
    while (!this.#isFinishing) {
      this.#count += 1;
      const action = makeAction(this.#count, this.#unsupported);
      await this.#complete(action);
      if (Math.random() < REPEATED_SHARE) await this.#complete(action);
      await sleep(Math.random() * LONGEST_REST_MS);
    }
  }

  async #complete(action: Action): Promise<void> {
    while (!(await this.#try(action))) await sleep(RETRY_MS);
  }

  /** Whether there is no need to try again. */
  async #try(action: Action): Promise<boolean> {
    const { baseUrl, apiKey, apiSecret } = this.#plan;
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
        signal: AbortSignal.timeout(10_000),
      });
      const content = (await reply.json()) as Record<string, unknown>;
      return this.#settle(action, reply, content);
    } catch {
      // the server was killed: nobody knows what became of this one
      return false;
    }
  }

  #settle({ key, kind }: Action, { status, headers }: Response, content: Record<string, unknown>): boolean {
    if (status === 501) {
      this.#unsupported.add(kind);
      return true;
    }
    // going away, or too busy: nothing was done
    if (status === 503 || status === 429 || content.code === "idempotency_in_progress") return false;
    if (status !== 200) {
      this.#surprises.push(`${kind} ${key}: ${status} ${JSON.stringify(content)}`);
      return true;
    }
    const isReplay = headers.get("idempotent-replayed") === "true";
    const acknowledgement: Acknowledgement = { key, kind, id: readId(kind, content), isReplay };
    writeSync(this.#file, `${JSON.stringify(acknowledgement)}\n`);
    return true;
  }
}

const [plan] = process.argv.slice(2);
if (plan !== undefined && process.send !== undefined) {
  const load = new Load(JSON.parse(plan));
  process.on("message", () => load.finish());
  // whoever started the load is gone
  process.on("disconnect", () => process.exit(1));
  const report = await load.run();
  process.send(report, () => process.disconnect());
}
