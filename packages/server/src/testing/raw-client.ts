// For tests: sends raw bytes over a connection, and reads the replies one by one.

import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** The parsed body if it is JSON, else empty. */
  readonly problem: Record<string, unknown>;
}

export class RawClient {
  readonly socket: Socket;
  #text = "";
  #awaken = () => {};

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding("latin1").on("data", (chunk) => {
      this.#text += chunk;
      this.#awaken();
    });
    socket.on("end", () => this.#awaken()).on("error", () => {});
  }

  static async open(port: number): Promise<RawClient> {
    // the client can still read after it has closed its sending side
    const client = new RawClient(connect({ port, host: "127.0.0.1", allowHalfOpen: true }));
    await once(client.socket, "connect");
    return client;
  }

  send(...parts: string[]): this {
    this.socket.write(parts.join(""));
    return this;
  }

  /** Reads every reply until the server closes. */
  async readToEnd(): Promise<RawReply[]> {
    if (!this.socket.readableEnded) await once(this.socket, "end");
    this.socket.end();
    return readReplies(this.#text);
  }

  /** Reads `count` replies on a connection that stays open. Set `bodiless` for replies to HEAD. */
  async read(count: number, bodiless = false): Promise<RawReply[]> {
    for (;;) {
      const replies = readReplies(this.#text, bodiless);
      if (replies.length >= count || this.socket.readableEnded) return replies;
      await new Promise<void>((resolve) => {
        this.#awaken = resolve;
      });
    }
  }
}

/** Parses the complete replies at the start of the text. */
function readReplies(text: string, bodiless = false): RawReply[] {
  const replies: RawReply[] = [];
  let rest = text;
  for (let end = rest.indexOf("\r\n\r\n"); end >= 0; end = rest.indexOf("\r\n\r\n")) {
    const [statusLine = "", ...lines] = rest.slice(0, end).split("\r\n");
    const headers = new Headers(
      lines.map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]),
    );
    const start = end + 4;
    const length = bodiless ? 0 : Number(headers.get("content-length") ?? 0);
    if (rest.length < start + length) break;
    const body = Buffer.from(rest.slice(start, start + length), "latin1").toString();
    const isProblem = headers.get("content-type")?.includes("json") === true && body !== "";
    replies.push({
      status: Number(statusLine.split(" ")[1]),
      headers,
      body,
      problem: isProblem ? JSON.parse(body) : {},
    });
    rest = rest.slice(start + length);
  }
  return replies;
}

/** Returns a request's head, with line endings added, and its body. */
export function toBytes(lines: readonly string[], body = ""): string {
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}
