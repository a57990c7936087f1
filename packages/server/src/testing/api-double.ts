// The HTTP server of a stand-in for a provider's API, on a port of this machine.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export abstract class ApiDouble {
  readonly #server = createServer((request, response) => {
    // the client may close the connection in the middle of a request
    this.#read(request, response).catch(() => response.destroy());
  });

  /** Answers a request whose body has arrived. */
  protected abstract answer(request: IncomingMessage, response: ServerResponse, body: string): void | Promise<void>;

  async #read(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    await this.answer(request, response, Buffer.concat(chunks).toString());
  }

  /** Listens on an unused port. Returns the stand-in itself. */
  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** Sends an answer in JSON. */
export function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
