// A small pool of an instance's connections to the world's PostgreSQL.

import type { SessionPool } from "../../../src/platform/postgres/connections.ts";
import { WAIT_MS } from "../../../src/platform/postgres/limits.ts";
import type { SessionPort } from "../../../src/platform/postgres/sessions.ts";
import type { Scheduled } from "../scheduler.ts";
import { type SessionOptions, SimulatedSession } from "./simulated-session.ts";
import type { Backend } from "./statement-server.ts";

const MS = 1_000;

export interface PoolOptions extends Omit<SessionOptions, "name" | "backend"> {
  readonly name: string;
  /** Maximum number of connections open at once. */
  readonly most: number;
  /** Connects to the real server. */
  readonly connect: () => Promise<Backend>;
}

interface Caller {
  readonly lend: (session: SimulatedSession) => void;
  readonly reject: (error: Error) => void;
  overdue: Scheduled | undefined;
}

export class SimulatedPool implements SessionPool {
  readonly #options: PoolOptions;
  readonly #open = new Set<SimulatedSession>();
  readonly #free: SimulatedSession[] = [];
  readonly #waiting: Caller[] = [];
  #connecting = 0;
  #made = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  take(): Promise<SessionPort> {
    return new Promise((lend, reject) => {
      const caller: Caller = { lend, reject, overdue: undefined };
      const { name, scheduler, process } = this.#options;
      caller.overdue = scheduler.in(WAIT_MS * MS, `${name} has no connection`, process, () => {
        this.#waiting.splice(this.#waiting.indexOf(caller), 1);
        reject(new Error("timeout exceeded when trying to connect"));
      });
      this.#waiting.push(caller);
      this.#lendOrConnect();
    });
  }

  release(session: SessionPort, isBroken: boolean): void {
    const own = session as SimulatedSession;
    if (isBroken) {
      this.#open.delete(own);
      own.hangUp();
    } else this.#free.push(own);
    this.#lendOrConnect();
  }

  /** Ends all connections, even if the process has died. */
  async close(): Promise<void> {
    for (const session of this.#open) session.hangUp();
    this.#open.clear();
  }

  #lendOrConnect(): void {
    const { name, scheduler, process, way, connect, most } = this.#options;
    while (this.#waiting.length > 0 && this.#free.length > 0) {
      const [caller, session] = [this.#waiting.shift(), this.#free.pop()];
      caller?.overdue?.cancel();
      if (session !== undefined) caller?.lend(session);
    }
    if (this.#waiting.length <= this.#connecting || this.#open.size + this.#connecting >= most) return;
    this.#connecting += 1;
    this.#made += 1;
    const options = { ...this.#options, name: `${name} c${this.#made}` };
    scheduler.in(way(), `${options.name} connects`, undefined, () => {
      scheduler.hold(
        connect().then((backend) => {
          const session = new SimulatedSession({ ...options, backend });
          this.#open.add(session);
          // the process died meanwhile, which ends its connections
          if (process?.isDead === true) session.hangUp();
          scheduler.in(way(), `${options.name} is connected`, process, () => {
            this.#connecting -= 1;
            this.#free.push(session);
            this.#lendOrConnect();
          });
        }),
      );
    });
  }
}
