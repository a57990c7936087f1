// The connection of one instance to its database, which can be cut or led elsewhere: a proxy on a port of its own.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** `silent`: nothing arrives, without an error. `reset`: connections are reset, and none can be made. */
export type Cut = "silent" | "reset";

/** PostgreSQL's answer to a COMMIT that succeeded. */
const committed = Buffer.from("C\0\0\0\u000bCOMMIT\0");

export class DatabaseLink {
  /** The database's URL by this proxy. */
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

  /** Passes on what was held, as after a network's repair. */
  heal(): void {
    this.#cut = undefined;
    for (const tunnel of this.#tunnels) tunnel.goOn();
  }

  /** Passes nothing more by the current connections, without an error, like a firewall that has forgotten them. */
  forget(): void {
    for (const tunnel of this.#tunnels) {
      tunnel.hold();
      this.#forgotten.add(tunnel);
    }
    this.#tunnels.clear();
  }

  /** Leads later connections to another server. */
  retarget(databaseUrl: string): void {
    this.#target = readTarget(new URL(databaseUrl));
  }

  /** Resets a connection instead of the answer to a commit that succeeded, each time that `losesCommit` says so. */
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
  /** Whether the connection is reset instead of the database's answer. */
  readonly isLost: (answer: Buffer) => boolean;
  readonly onOver: () => void;
}

/** One connection: the end near the instance, and the far one, at the database. */
class Tunnel {
  readonly #ends: readonly [Socket, Socket];
  #isHeld = true;
  /** The end of one side that the other has yet to receive. */
  #over: "ended" | "broken" | undefined;

  /** Held until released. */
  constructor(near: Socket, far: Socket, { isLost, onOver }: TunnelOptions) {
    this.#ends = [near, far];
    for (const [from, to] of [this.#ends, [far, near] as const]) {
      from.setNoDelay(true);
      from.on("data", (bytes) => {
        if (from === far && isLost(bytes)) this.break();
        else to.write(bytes);
      });
      // a listener for data makes it flow
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
