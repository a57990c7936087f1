// A proxy between one instance and its database. It can cut connections or redirect them to another server.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** `silent`: nothing arrives, and there is no error. `reset`: open and new connections are reset. */
export type Cut = "silent" | "reset";

/** PostgreSQL's answer to a COMMIT that succeeded. */
const committed = Buffer.from("C\0\0\0\u000bCOMMIT\0");

export class DatabaseLink {
  /** The database's URL through this proxy. */
  readonly url: string;
  readonly #server: Server;
  #target: Target;
  readonly #tunnels = new Set<Tunnel>();
  readonly #forgotten = new Set<Tunnel>();
  #cut: Cut | undefined;
  #losesCommit = () => false;

  private constructor(server: Server, databaseUrl: URL) {
    this.#server = server;
    this.#target = readTarget(databaseUrl);
    const url = new URL(databaseUrl);
    url.port = String((server.address() as AddressInfo).port);
    this.url = url.href;
    server.on("connection", (near) => this.#admit(near));
  }

  static async open(databaseUrl: string): Promise<DatabaseLink> {
    const server = createServer({ pauseOnConnect: true });
    await once(server.listen(0, "127.0.0.1"), "listening");
    return new DatabaseLink(server, new URL(databaseUrl));
  }

  cut(how: Cut): void {
    this.#cut = how;
    for (const tunnel of this.#tunnels) {
      if (how === "silent") tunnel.hold();
      else tunnel.break();
    }
  }

  /** Forwards everything that was held back, like a repaired network. */
  heal(): void {
    this.#cut = undefined;
    for (const tunnel of this.#tunnels) tunnel.goOn();
  }

  /** Silently drops all further data of the current connections, like a firewall that has forgotten them. */
  forget(): void {
    for (const tunnel of this.#tunnels) {
      tunnel.hold();
      this.#forgotten.add(tunnel);
    }
    this.#tunnels.clear();
  }

  /** Redirects later connections to another server. */
  retarget(databaseUrl: string): void {
    this.#target = readTarget(new URL(databaseUrl));
  }

  /** Whenever `losesCommit` returns true, resets the connection in place of the answer to a successful commit. */
  loseCommits(losesCommit: () => boolean): void {
    this.#losesCommit = losesCommit;
  }

  close(): void {
    this.#server.close();
    for (const tunnel of [...this.#tunnels, ...this.#forgotten]) tunnel.break();
  }

  #admit(near: Socket): void {
    if (this.#cut === "reset") {
      near.resetAndDestroy();
      return;
    }
    const tunnel = new Tunnel(near, connect(this.#target), {
      isLost: (answer) => answer.includes(committed) && this.#losesCommit(),
      onOver: () => this.#tunnels.delete(tunnel),
    });
    this.#tunnels.add(tunnel);
    if (this.#cut === undefined) tunnel.goOn();
  }
}

interface Target {
  readonly host: string;
  readonly port: number;
}

function readTarget({ hostname, port }: URL): Target {
  return { host: hostname, port: Number(port) };
}

interface TunnelOptions {
  /** Returns whether to reset the connection instead of forwarding this answer of the database. */
  readonly isLost: (answer: Buffer) => boolean;
  readonly onOver: () => void;
}

/** One proxied connection: `near` leads to the instance, `far` to the database. */
class Tunnel {
  readonly #ends: readonly [Socket, Socket];
  #isHeld = true;
  /** How one side has ended its connection. The other is ended likewise, once data is no longer held back. */
  #over: "ended" | "broken" | undefined;

  /** Holds back all data until it is released. */
  constructor(near: Socket, far: Socket, { isLost, onOver }: TunnelOptions) {
    this.#ends = [near, far];
    for (const [from, to] of [this.#ends, [far, near] as const]) {
      from.setNoDelay(true);
      from.on("data", (bytes) => {
        if (from === far && isLost(bytes)) this.break();
        else to.write(bytes);
      });
      // adding the data listener has started the flow
      from.pause();
      from.on("error", () => undefined);
      from.on("close", (hasFailed) => {
        this.#over ??= hasFailed ? "broken" : "ended";
        if (!this.#isHeld) this.goOn();
        if (near.destroyed && far.destroyed) onOver();
      });
    }
  }

  hold(): void {
    this.#isHeld = true;
    for (const end of this.#ends) end.pause();
  }

  goOn(): void {
    this.#isHeld = false;
    for (const end of this.#ends) {
      if (this.#over === undefined) end.resume();
      else if (this.#over === "ended") end.destroySoon();
      else end.resetAndDestroy();
    }
  }

  break(): void {
    this.#over = "broken";
    this.goOn();
  }
}
