// Phones behind a SIP gateway, one for each number. They record received calls, and react to each as the test says.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type Reaction, SipCall } from "./sip-call.ts";
import { readSipMessage, type SipMessage, writeSipResponse } from "./sip-message.ts";

export class SipPhones {
  readonly #react: (number: string) => Reaction;
  readonly #socket = createSocket("udp4");
  /** Calls by Call-ID. */
  readonly #calls = new Map<string, SipCall>();
  readonly #received = new Map<string, SipCall[]>();

  private constructor(react: (number: string) => Reaction) {
    this.#react = react;
    this.#socket.on("message", (bytes, { address, port }) => {
      this.#take(readSipMessage(bytes.toString()), (text) => this.#socket.send(text, port, address));
    });
  }

  static async listen(react: (number: string) => Reaction): Promise<SipPhones> {
    const phones = new SipPhones(react);
    phones.#socket.bind(0, "127.0.0.1");
    await once(phones.#socket, "listening");
    return phones;
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** The calls that a number has received. */
  callsTo(number: string): readonly SipCall[] {
    return this.#received.get(number) ?? [];
  }

  /** Number of calls so far. */
  get count(): number {
    return this.#calls.size;
  }

  close(): void {
    for (const call of this.#calls.values()) call.close();
    this.#socket.close();
  }

  #take(message: SipMessage, send: (text: string) => void): void {
    const id = message.header("Call-ID");
    const call = this.#calls.get(id);
    if (call !== undefined) call.take(message);
    else if (message.method === "INVITE") this.#receive(id, message, send);
    else if (message.method === "OPTIONS")
      send(writeSipResponse(message, { status: 200, tag: "phones", contact: this.#contact }));
  }

  #receive(id: string, invite: SipMessage, send: (text: string) => void): void {
    const [, name = ""] = /^sip:([^@;]+)@/.exec(invite.target) ?? [];
    const number = decodeURIComponent(name);
    const call = new SipCall({ invite, contact: this.#contact, reaction: this.#react(number), send });
    this.#calls.set(id, call);
    this.#received.set(number, [...this.callsTo(number), call]);
  }

  get #contact(): string {
    return `sip:phone@127.0.0.1:${this.port}`;
  }
}
