// One connection to a carrier: it connects, binds, and ends once. It is never reopened.

import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { connect as connectEncrypted } from "node:tls";
import type { PDU } from "smpp";
import type { Clock } from "../../platform/clock.ts";
import { ByteQueue, type Connection, type ConnectionWatch, wordsOf } from "../link.ts";
import { HEADER_BYTES, LONGEST_PDU, nameStatus, type PduCodec, statuses } from "./pdus.ts";
import type { SmppSettings } from "./settings.ts";

const CONNECT_MS = 10_000;
const BIND_MS = 10_000;
/** Silence after which the session checks whether the carrier is alive. */
const IDLE_MS = 20_000;
const ENQUIRE_MS = 10_000;
const UNBIND_MS = 2_000;
/** After the carrier unbinds, time that its unbind is left unanswered while requests are in flight. */
const LEAVE_MS = 5_000;
/** Reading pauses while this many deliveries are unacknowledged. */
const MOST_DELIVERIES = 256;
/** Maximum number of timed-out requests whose late responses are still accepted. */
const MOST_LATE = 10_000;
const INTERFACE_VERSION = 0x34;
const LAST_SEQUENCE = 0x7fff_ffff;

/** Kind of a bind. A receiver submits nothing; to a transmitter, the carrier delivers nothing. */
export type BindRole = "transceiver" | "transmitter" | "receiver";

export interface SessionOptions extends ConnectionWatch {
  readonly role: BindRole;
  readonly settings: SmppSettings;
  readonly clock: Clock;
  readonly pdus: PduCodec;
  /**
   * Handles a delivery. The delivery is acknowledged when this resolves; if it rejects, the carrier must deliver it
   * again.
   */
  readonly take: (pdu: PDU, deliveryId: string) => Promise<void>;
}

interface Request {
  readonly command: string;
  readonly resolve: (response: PDU) => void;
  readonly reject: (error: Error) => void;
}

interface LateRequest extends Pick<Request, "command"> {
  readonly take: (response: PDU) => void;
}

export class Session implements Connection {
  /** Limits the rate of submissions. */
  readonly rate = new SubmitRate();
  readonly #options: SessionOptions;
  readonly #socket: Socket;
  readonly #frames = new FrameReader();
  readonly #requests = new Map<number, Request>();
  /** Oldest first. */
  readonly #late = new Map<number, LateRequest>();
  readonly #deliveries = new Set<Promise<void>>();
  /** Unique name that tells this session's deliveries apart from those of all other sessions. */
  readonly #name = randomBytes(8).toString("hex");
  #sequence = 0;
  #phase: "opening" | "bound" | "closing" | "over" = "opening";
  /** The carrier's unbind request, until it is answered. */
  #unbind: PDU | undefined;
  #isHeard = false;
  #cancelAlarm: () => void;

  constructor(options: SessionOptions) {
    this.#options = options;
    const { settings, clock } = options;
    const { host, port, ca } = settings;
    const isEncrypted = settings.tls === "tls";
    const trusted = ca === undefined ? {} : { ca };
    this.#socket = isEncrypted ? connectEncrypted({ host, port, ...trusted }) : connect({ host, port });
    this.#socket.setNoDelay(true);
    this.#socket.once(isEncrypted ? "secureConnect" : "connect", () => void this.#bind());
    this.#socket.on("data", (chunk: Buffer) => {
      this.#frames.push(chunk);
      this.#read();
    });
    this.#socket.on("drain", () => this.#read());
    this.#socket.on("error", (error) => this.#end(wordsOf(error)));
    this.#socket.on("close", () => {
      this.#end(this.#phase === "closing" ? "the carrier unbound" : "the carrier closed the connection");
    });
    this.#cancelAlarm = clock.at(clock.now() + CONNECT_MS, () => this.#end(`no connection within ${CONNECT_MS} ms`));
  }

  /** Whether the session is bound. */
  get isReady(): boolean {
    return this.#phase === "bound" && this.#socket.writable;
  }

  /** Whether the session accepts submissions while it is bound. */
  get isForSubmissions(): boolean {
    return this.#options.role !== "receiver";
  }

  /**
   * Sends a request. Rejects if the session ends before the response, or if the response takes longer than `timeoutMs`.
   * `takeLate` is called with a response that arrives after the timeout.
   */
  request(command: string, fields: object, timeoutMs: number, takeLate?: LateRequest["take"]): Promise<PDU> {
    const { clock, pdus } = this.#options;
    const sequence = this.#sequence === LAST_SEQUENCE ? 1 : this.#sequence + 1;
    this.#sequence = sequence;
    const frame = pdus.encode(command, { ...fields, sequence_number: sequence });
    const response = new Promise<PDU>((resolve, reject) => {
      this.#requests.set(sequence, { command, resolve, reject });
    });
    const cancelTimeout = clock.at(clock.now() + timeoutMs, () => {
      this.#requests.get(sequence)?.reject(new Error(`no answer to ${command} within ${timeoutMs} ms`));
      if (takeLate !== undefined) this.#awaitLate(sequence, { command, take: takeLate });
    });
    this.#write(frame);
    return response.finally(() => {
      cancelTimeout();
      this.#requests.delete(sequence);
      this.#finishLeaving();
    });
  }

  /** Waits until all deliveries are acknowledged, then unbinds and ends the session. */
  async close(): Promise<void> {
    await Promise.all(this.#deliveries);
    if (this.isReady) await this.request("unbind", {}, UNBIND_MS).catch(() => undefined);
    this.#end("the carrier was stopped");
  }

  async #bind(): Promise<void> {
    this.#cancelAlarm();
    const { role, settings } = this.#options;
    const { systemId, password, systemType } = settings;
    const credentials = { system_id: systemId, password, system_type: systemType };
    const fields = { ...credentials, interface_version: INTERFACE_VERSION };
    try {
      const { command_status } = await this.request(`bind_${role}`, fields, BIND_MS);
      if (command_status !== statuses.ESME_ROK) throw new Error(`the bind was refused: ${nameStatus(command_status)}`);
    } catch (error) {
      this.#end(wordsOf(error));
    }
    if (this.#phase !== "opening") return;
    this.#phase = "bound";
    this.#watch();
    this.#options.onReady();
  }

  #watch(): void {
    const { clock } = this.#options;
    this.#isHeard = false;
    this.#cancelAlarm = clock.at(clock.now() + IDLE_MS, () => void this.#enquire());
  }

  /** Checks whether the carrier is alive. While reading is paused, a missing response proves nothing. */
  async #enquire(): Promise<void> {
    try {
      if (!this.#isHeard) await this.request("enquire_link", {}, ENQUIRE_MS);
    } catch (error) {
      if (this.#hasRoom) this.#end(wordsOf(error));
    }
    if (this.#phase === "bound") this.#watch();
  }

  get #hasRoom(): boolean {
    return this.#deliveries.size < MOST_DELIVERIES;
  }

  /** Reads until too many deliveries are unacknowledged or the write buffer is full. */
  #read(): void {
    while (this.#phase !== "over" && this.#hasRoom && !this.#socket.writableNeedDrain) {
      const frame = this.#frames.take();
      if (frame === undefined) {
        this.#socket.resume();
        if (this.#frames.fault !== undefined) this.#end(this.#frames.fault);
        return;
      }
      this.#receive(frame);
    }
    this.#socket.pause();
  }

  #receive(frame: Buffer): void {
    this.#isHeard = true;
    const { pdu, isWhole } = this.#options.pdus.decode(frame);
    if (pdu.isResponse()) this.#settle(pdu);
    // nothing can be acknowledged any more, so the carrier delivers it again
    else if (!this.#socket.writable) return;
    else if (!isWhole) this.#respond(pdu, "generic_nack", statuses.ESME_RINVCMDLEN);
    else if (pdu.command === "deliver_sm" || pdu.command === "data_sm") this.#deliver(pdu);
    else if (pdu.command === "enquire_link") this.#respond(pdu, "enquire_link_resp");
    else if (pdu.command === "unbind") this.#leave(pdu);
    // alert_notification is the only request without a response
    else if (pdu.command !== "alert_notification") this.#respond(pdu, "generic_nack", statuses.ESME_RINVCMDID);
  }

  /** Settles the request that a response belongs to. Ignores responses that match no request. */
  #settle(response: PDU): void {
    const { command, command_status, sequence_number } = response;
    const [request, late] = [this.#requests.get(sequence_number), this.#late.get(sequence_number)];
    const isRefusal = command === "generic_nack" && command_status !== statuses.ESME_ROK;
    if (!isRefusal && command !== `${(request ?? late)?.command}_resp`) return;
    request?.resolve(response);
    if (late === undefined) return;
    this.#late.delete(sequence_number);
    late.take(response);
  }

  #awaitLate(sequence: number, request: LateRequest): void {
    const [oldest] = this.#late.keys();
    if (oldest !== undefined && this.#late.size >= MOST_LATE) this.#late.delete(oldest);
    this.#late.set(sequence, request);
  }

  #deliver(pdu: PDU): void {
    const acknowledged = this.#options
      .take(pdu, `${this.#name}-${pdu.sequence_number}`)
      .then(
        () => statuses.ESME_ROK,
        () => statuses.ESME_RX_T_APPN,
      )
      .then((status) => {
        this.#respond(pdu, `${pdu.command}_resp`, status);
        this.#deliveries.delete(acknowledged);
        this.#read();
        this.#finishLeaving();
      });
    this.#deliveries.add(acknowledged);
  }

  /**
   * Sends nothing new, but keeps reading until the carrier closes the connection. It may do so once its unbind is
   * answered, so the answer waits until nothing is in flight.
   */
  #leave(unbind: PDU): void {
    const { clock } = this.#options;
    if (this.#phase === "closing") return;
    this.#phase = "closing";
    this.#unbind = unbind;
    this.#cancelAlarm();
    this.#cancelAlarm = clock.at(clock.now() + LEAVE_MS, () => this.#answerUnbind());
    this.#finishLeaving();
  }

  #finishLeaving(): void {
    if (this.#requests.size === 0 && this.#deliveries.size === 0) this.#answerUnbind();
  }

  #answerUnbind(): void {
    const { clock } = this.#options;
    const unbind = this.#unbind;
    if (unbind === undefined || this.#phase === "over") return;
    this.#unbind = undefined;
    this.#respond(unbind, "unbind_resp");
    this.#cancelAlarm();
    this.#cancelAlarm = clock.at(clock.now() + UNBIND_MS, () => this.#end("the carrier unbound"));
    this.#socket.end();
  }

  #respond({ sequence_number }: PDU, command: string, status: number = statuses.ESME_ROK): void {
    this.#write(this.#options.pdus.encode(command, { sequence_number, command_status: status }));
  }

  #write(frame: Buffer): void {
    if (this.#socket.writable) this.#socket.write(frame);
  }

  #end(reason: string): void {
    if (this.#phase === "over") return;
    this.#phase = "over";
    this.#cancelAlarm();
    this.#socket.destroy();
    for (const { reject } of this.#requests.values()) reject(new Error(reason));
    this.#options.onEnd(reason);
  }
}

const LENGTH_BYTES = 4;

/** Splits a stream into PDUs. The first four octets of a PDU give its length. A longer PDU means that the stream is out of sync. */
export class FrameReader {
  readonly #bytes = new ByteQueue();
  /** Why reading stopped for good: the start of the next PDU is unknown. */
  fault: string | undefined;

  push(chunk: Buffer): void {
    this.#bytes.push(chunk);
  }

  /** Takes the next PDU. Returns undefined if it is not complete yet, or after a fault. */
  take(): Buffer | undefined {
    if (this.fault !== undefined || this.#bytes.length < LENGTH_BYTES) return undefined;
    const length = this.#bytes.peek(LENGTH_BYTES).readUInt32BE(0);
    if (length < HEADER_BYTES || length > LONGEST_PDU) {
      this.fault = `a PDU announced ${length} bytes; expected ${HEADER_BYTES} to ${LONGEST_PDU}`;
      return undefined;
    }
    return this.#bytes.length < length ? undefined : this.#bytes.take(length);
  }
}

/** Lowest rate, per second. */
const SLOWEST = 1;
/** Rate per second above which the limit is lifted. */
const UNLIMITED_FROM = 1_000;

/**
 * Rate at which a session may submit. It is unlimited until the carrier throttles; then it is halved, and grows by 1
 * per second for each second of accepted submissions. Times are epoch milliseconds.
 */
export class SubmitRate {
  #perSecond = Number.POSITIVE_INFINITY;
  #sentAt = Number.NEGATIVE_INFINITY;
  #loweredAt = Number.NEGATIVE_INFINITY;
  /** Submissions in the current second and in the second before it. */
  #second = { number: 0, sent: 0, sentBefore: 0 };

  /** Submissions possible in two seconds. Messages that would wait longer stay in the carrier's queue. */
  get fairShare(): number {
    return Math.ceil(2 * this.#perSecond);
  }

  /** Returns the milliseconds until the next submission. Setting the clock back does not prolong the wait. */
  waitMs(now: number): number {
    const gapMs = 1_000 / this.#perSecond;
    return Math.min(Math.max(this.#sentAt + gapMs - now, 0), gapMs);
  }

  noteSent(now: number): void {
    this.#sentAt = now;
    const number = Math.floor(now / 1_000);
    const { number: last, sent } = this.#second;
    if (number !== last) this.#second = { number, sent: 0, sentBefore: number === last + 1 ? sent : 0 };
    this.#second.sent += 1;
  }

  noteTaken(): void {
    this.#perSecond += 1 / this.#perSecond;
    if (this.#perSecond > UNLIMITED_FROM) this.#perSecond = Number.POSITIVE_INFINITY;
  }

  /** Halves the rate, unless the throttled submission was sent before the last reduction. */
  noteThrottled({ sentAt, now }: { sentAt: number; now: number }): void {
    if (sentAt <= this.#loweredAt) return;
    const { sent, sentBefore } = this.#second;
    this.#perSecond = Math.max(SLOWEST, Math.min(this.#perSecond, Math.max(sent, sentBefore)) / 2);
    this.#loweredAt = now;
  }
}
