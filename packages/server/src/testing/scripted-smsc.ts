// For tests: an SMSC. It answers as the test specifies, and records what it receives.

import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createEncryptedServer } from "node:tls";
import type { PDU } from "smpp";
import type { Submission } from "../carriers/provider.ts";
import { loadPduCodec, type PduCodec } from "../carriers/smpp/pdus.ts";
import { FrameReader } from "../carriers/smpp/session.ts";
import type { SmppSettings } from "../carriers/smpp/settings.ts";

/** A connection to the SMSC. */
export interface Peer {
  readonly socket: Socket;
  send(command: string, fields?: object): void;
  /** Sends only the answer to a request. */
  answer(request: PDU, fields?: object): void;
}

export class ScriptedSmsc {
  readonly received: PDU[] = [];
  /** Sockets of all connections, including ended ones. */
  readonly peers: Peer[] = [];
  /** Answers PDUs. A test may replace it. */
  onPdu: (pdu: PDU, peer: Peer) => void = (pdu, peer) => this.answerWell(pdu, peer);
  /** Called with each connection. */
  onConnection: () => void = () => {};
  /** Whether it ends a connection as soon as the carrier has ended its side. It always does so with TLS. */
  closesWithPeer = true;
  readonly #pdus: PduCodec;
  readonly #server: Server;
  #ids = 0;
  #exchanges = 0;

  private constructor(pdus: PduCodec, certificate: { key: string; cert: string } | undefined) {
    this.#pdus = pdus;
    const listener = (socket: Socket) => this.#meet(socket);
    this.#server =
      certificate === undefined
        ? createServer({ allowHalfOpen: true }, listener)
        : createEncryptedServer(certificate, listener);
  }

  static async listen(certificate?: { key: string; cert: string }): Promise<ScriptedSmsc> {
    const smsc = new ScriptedSmsc(await loadPduCodec(), certificate);
    await new Promise<void>((listening) => smsc.#server.listen(0, "127.0.0.1", listening));
    return smsc;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The settings of a carrier on this SMSC. */
  settings(others: Partial<SmppSettings> = {}): SmppSettings {
    return {
      kind: "smpp",
      host: "127.0.0.1",
      port: this.port,
      tls: "none",
      systemId: "msgd",
      password: "secret",
      systemType: "",
      bind: "transceiver",
      serviceType: "",
      sender: "+12025550199",
      merchantNumbers: true,
      binds: 1,
      window: 10,
      longTexts: "udh",
      alphabet: "gsm7",
      receipts: "each",
      receiptIds: "same",
      ...others,
    };
  }

  /** The last connection. */
  get peer(): Peer {
    const peer = this.peers.at(-1);
    if (peer === undefined) throw new Error("nobody has connected");
    return peer;
  }

  /** Waits until the carrier has bound this many sessions and has read the answers. */
  async bound(sessions = 1): Promise<void> {
    await until(() => this.received.filter(({ command }) => isBind(command)).length >= sessions);
    await this.exchange();
  }

  /** Waits until the other side has read and handled everything that was sent to it. */
  async exchange(): Promise<void> {
    for (const peer of this.peers.filter(({ socket }) => !socket.destroyed)) {
      this.#exchanges += 1;
      const sequence_number = 0x1000_0000 + this.#exchanges;
      peer.send("enquire_link", { sequence_number });
      await until(() => this.received.some((pdu) => pdu.sequence_number === sequence_number) || peer.socket.destroyed);
    }
  }

  /** Returns the received PDUs of one command. */
  requests(command: string): PDU[] {
    return this.received.filter((pdu) => pdu.command === command);
  }

  /** Returns the submitted texts, headers included. */
  texts(): (string | undefined)[] {
    return this.requests("submit_sm").map(({ short_message }) => short_message?.toString("latin1"));
  }

  /** Answers a request without an error. Each submission gets a new id: `id-1`, `id-2`. */
  answerWell(pdu: PDU, peer: Peer): void {
    if (pdu.command === "submit_sm") this.#ids += 1;
    peer.answer(pdu, pdu.command === "submit_sm" ? { message_id: `id-${this.#ids}` } : {});
  }

  /** Answers the last received submission without an error. */
  answerLast(): void {
    const last = this.requests("submit_sm").at(-1);
    if (last !== undefined) this.answerWell(last, this.peer);
  }

  encode(command: string, fields: object): Buffer {
    return this.#pdus.encode(command, fields);
  }

  /** Stops accepting connections and ends the open ones. */
  async close(): Promise<void> {
    for (const { socket } of this.peers) socket.destroy();
    await new Promise((closed) => this.#server.close(closed));
  }

  #meet(socket: Socket): void {
    const frames = new FrameReader();
    const send = (command: string, fields: object = {}) => {
      socket.write(this.encode(command, { sequence_number: 1, ...fields }));
    };
    const peer: Peer = {
      socket,
      send,
      answer(request, fields = {}) {
        const { command, sequence_number } = request;
        if (!request.isResponse()) send(`${command}_resp`, { sequence_number, ...fields });
      },
    };
    this.peers.push(peer);
    this.onConnection();
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("end", () => {
      if (this.closesWithPeer) socket.end();
    });
    socket.on("data", (bytes: Buffer) => {
      frames.push(bytes);
      for (let frame = frames.take(); frame !== undefined; frame = frames.take()) {
        const { pdu } = this.#pdus.decode(frame);
        this.received.push(pdu);
        this.onPdu(pdu, peer);
      }
    });
  }
}

function isBind(command: string): boolean {
  return ["bind_transceiver", "bind_transmitter", "bind_receiver"].includes(command);
}

export function submissionOf(others: Partial<Submission> = {}): Submission {
  return {
    clientReference: "msg_1",
    tenantId: 1,
    merchantId: "m1",
    channel: "SMS",
    type: "OTP",
    to: "+12025550100",
    subject: null,
    content: "Hello",
    automatic: false,
    attempts: 0,
    giveUpAt: 0,
    ...others,
  };
}

/** Waits for a condition, without a time limit. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resume) => setTimeout(resume, 1));
}
