import type { Poster, PostResult } from "../../src/dispatch/callbacks/post.ts";
import type { CarrierOptions } from "./carrier.ts";
import type { MachineProcess } from "./machine.ts";

const SECOND_US = 1_000_000;
/** How long an instance waits for a receiver's answer. */
const TIMEOUT_US = 15 * SECOND_US;

/** A callback that an instance tried to post. */
export interface Posted {
  readonly url: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const receiverUrls = ["https://one.example/hook", "https://two.example/hook"] as const;

/** The receivers of callbacks: two hosts, independent of the instances. */
export class Receivers {
  readonly hosts = receiverUrls;
  readonly posted = new Map<string, Posted>();
  /** Callbacks in the order of their first attempts. */
  readonly begun = new Map<string, Posted>();
  /** Receivers that have answered 410 (Gone). */
  readonly gone = new Set<string>();
  readonly #down = new Set<string>();
  readonly #options: CarrierOptions;

  constructor(options: CarrierOptions) {
    this.#options = options;
  }

  setDown(index: number, isDown: boolean): void {
    const host = this.hosts[index] ?? "";
    if (isDown) this.#down.add(host);
    else this.#down.delete(host);
  }

  isDown(url: string): boolean {
    return this.#down.has(url);
  }

  connect(process: MachineProcess): Poster {
    const { scheduler, wires, chances } = this.#options;
    const underWay = new Set<(result: PostResult) => void>();
    return {
      post: ({ url, headers, body }) =>
        new Promise((resolve) => {
          const settle = (result: PostResult) => {
            timeout.cancel();
            underWay.delete(settle);
            resolve(result);
          };
          underWay.add(settle);
          const timeout = scheduler.in(TIMEOUT_US, `${url} timeout`, process, () =>
            settle({ status: undefined, outcome: "timeout" }),
          );
          const fate = {
            isUnreached: this.#down.has(url) || chances.happens("receiver is not reached"),
            isAnswerLost: chances.happens("receiver's answer is lost"),
          };
          const webhookId = headers["webhook-id"] ?? "";
          this.#begin(webhookId, { url, ...JSON.parse(body) });
          wires.ask(process, `${url} ${webhookId}`, fate, () => this.#receive(url, webhookId)).then(settle);
        }),
      close() {
        for (const settle of [...underWay]) settle({ status: undefined, outcome: "interrupted" });
      },
    };
  }

  #begin(webhookId: string, { url, type, data }: Posted): void {
    const known = this.begun.get(webhookId);
    const posted = { url, type, data };
    if (known === undefined) this.begun.set(webhookId, posted);
    else if (JSON.stringify(known) !== JSON.stringify(posted)) {
      this.#options.fail("a callback says the same each time", `${webhookId}: ${JSON.stringify(posted)}`);
    }
  }

  #receive(url: string, webhookId: string): PostResult | undefined {
    const { chances } = this.#options;
    if (this.#down.has(url)) return undefined;
    if (chances.happens("receiver is gone", 0.1)) {
      this.gone.add(url);
      return { status: 410, outcome: "410" };
    }
    if (chances.happens("receiver refuses")) return { status: 500, outcome: "500" };
    const posted = this.begun.get(webhookId);
    if (posted !== undefined && !this.posted.has(webhookId)) this.posted.set(webhookId, posted);
    return { status: 200, outcome: "200" };
  }
}
