// A proxy that cuts a connection after exactly a given number of bytes in one direction.

import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Where to cut a connection: the direction, and the number of bytes that still pass. */
export interface Cut {
  readonly direction: "out" | "back";
  readonly afterBytes: number;
}

export interface CuttingProxy {
  readonly port: number;
  /** Number of bytes that passed in each direction on the last connection. */
  readonly passed: { out: number; back: number };
  close(): Promise<void>;
}

/** Opens a proxy to a port of this machine. @param cut where its connections are cut; undefined for never */
export async function openCuttingProxy(targetPort: number, cut: Cut | undefined): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(targetPort, "127.0.0.1");
    proxy.passed = { out: 0, back: 0 };
    const end = () => {
      client.destroy();
      target.destroy();
    };
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    const pass = (direction: Cut["direction"], from: Socket, to: Socket) => {
      from.on("data", (chunk) => {
        const room = cut?.direction === direction ? cut.afterBytes - proxy.passed[direction] : chunk.length;
        const part = chunk.subarray(0, Math.max(room, 0));
        proxy.passed[direction] += part.length;
        // the end is sent after these bytes, so that they all arrive
        if (part.length < chunk.length) to.end(part, () => from.destroy());
        else to.write(part);
      });
      from.on("end", () => to.end());
    };
    pass("out", client, target);
    pass("back", target, client);
  });
  const proxy: { -readonly [K in keyof CuttingProxy]: CuttingProxy[K] } = {
    port: 0,
    passed: { out: 0, back: 0 },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.port = (server.address() as AddressInfo).port;
  return proxy;
}

/**
 * Runs a test once for each number of bytes after which a connection can be cut in one direction, several tests at a time.
 * Returns all results.
 */
export async function cutAtEachByte<Result>(
  { direction, bytes, atOnce }: { direction: Cut["direction"]; bytes: number; atOnce: number },
  run: (cut: Cut) => Promise<Result>,
  check: (result: Result, at: string) => void,
): Promise<void> {
  for (let first = 0; first < bytes; first += atOnce) {
    const places = Array.from({ length: Math.min(atOnce, bytes - first) }, (_none, index) => first + index);
    const results = await Promise.all(places.map((afterBytes) => run({ direction, afterBytes })));
    for (const [index, result] of results.entries()) check(result, `after ${first + index} of ${bytes} bytes`);
  }
}
