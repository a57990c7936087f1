// A stand-in for Telnyx's API that keeps the texts it accepted, answers as Telnyx does, and can lose answers, and whose
// signed events can be repeated, reordered and forged.

import { generateKeyPairSync, sign } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { completeTelnyxSettings, type TelnyxSettings } from "../carriers/telnyx/settings.ts";
import { ApiDouble, reply } from "./api-double.ts";
import type { Callback } from "./twilio-double.ts";

const API_KEY = "KEY-double";
const RAW_KEY_BYTES = 32;

/** A text that the double accepted. */
export interface TelnyxText {
  readonly id: string;
  readonly to: string;
  readonly from: string;
  readonly text: string;
  readonly webhookUrl: string;
}

/** How the double treats a request for a message. */
export type TelnyxTreatment =
  | "accept"
  /** Accepts the message, and closes the connection without an answer. */
  | "lose-answer"
  /** Closes the connection before it accepts the message. */
  | "cut"
  | { readonly status: number; readonly code: string; readonly title: string; readonly retryAfter?: string };

/** The status of a message, and why it was not delivered. */
export interface TelnyxState {
  readonly status: string;
  readonly code?: string;
  readonly title?: string;
  readonly lineType?: string;
}

export class TelnyxDouble extends ApiDouble {
  readonly taken: TelnyxText[] = [];
  /** Every request body for a message, including refused ones. */
  readonly asked: string[] = [];
  /** The states of messages in the API, by id. Others are queued. */
  readonly states = new Map<string, TelnyxState>();
  treat: (to: string) => TelnyxTreatment = () => "accept";
  readonly #keys = generateKeyPairSync("ed25519");

  static listen(): Promise<TelnyxDouble> {
    return new TelnyxDouble().open();
  }

  settings(given: Partial<TelnyxSettings> = {}): TelnyxSettings {
    const der = this.#keys.publicKey.export({ format: "der", type: "spki" });
    return completeTelnyxSettings({
      ...{ kind: "telnyx", apiKey: API_KEY, publicKey: der.subarray(-RAW_KEY_BYTES).toString("base64") },
      ...{ from: "+12025550199", baseUrl: `http://127.0.0.1:${this.port}`, ...given },
    });
  }

  protected answer(request: IncomingMessage, response: ServerResponse, body: string): void | Promise<void> {
    if (request.headers.authorization !== `Bearer ${API_KEY}`) {
      return refuse(response, { status: 401, code: "10009", title: "Authentication failed" });
    }
    if (request.method === "GET") return this.#show(response, request.url ?? "");
    this.asked.push(body);
    const fields = JSON.parse(body) as Record<string, string>;
    const treatment = this.treat(fields.to ?? "");
    if (treatment === "cut") return void response.destroy();
    if (typeof treatment === "object") return refuse(response, treatment);
    const id = `40385f64-5717-4562-b3fc-${String(this.taken.length).padStart(12, "0")}`;
    const { to = "", from = "", text = "", webhook_url: webhookUrl = "" } = fields;
    const taken = { id, to, from, text, webhookUrl };
    this.taken.push(taken);
    if (treatment === "lose-answer") return void response.destroy();
    reply(response, 200, { data: toPayload(taken, { status: "queued" }) });
  }

  #show(response: ServerResponse, url: string): void {
    const [, id] = /^\/v2\/messages\/(.*)$/.exec(url) ?? [];
    const text = this.taken.find((one) => one.id === id);
    if (id === undefined) reply(response, 200, { data: [], meta: { total_results: 0 } });
    else if (text === undefined) refuse(response, { status: 404, code: "10005", title: "Resource not found" });
    else reply(response, 200, { data: toPayload(text, this.states.get(text.id) ?? { status: "queued" }) });
  }

  /** Returns the event that reports a status of a message, signed at `at`, in epoch milliseconds. */
  report(text: TelnyxText, state: TelnyxState, at: number): Callback {
    const type = state.status === "sent" ? "message.sent" : "message.finalized";
    return this.sign(text.webhookUrl, { event_type: type, payload: toPayload(text, state) }, at);
  }

  /** Returns the event that reports a text from a phone. */
  text(
    url: string,
    { from, to, text, id }: { from: string; to: string; text: string; id: string },
    at: number,
  ): Callback {
    const payload = { id, text, from: { phone_number: from }, to: [{ phone_number: to }], direction: "inbound" };
    return this.sign(url, { event_type: "message.received", payload }, at);
  }

  sign(url: string, data: object, at: number): Callback {
    const body = JSON.stringify({ data: { record_type: "event", ...data } });
    const timestamp = String(Math.floor(at / 1_000));
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), this.#keys.privateKey).toString("base64");
    const headers = { "telnyx-timestamp": timestamp, "telnyx-signature-ed25519": signature };
    return { url, headers: { "content-type": "application/json", ...headers }, body };
  }
}

function toPayload({ id, to, from, text }: TelnyxText, { status, code, title, lineType = "Wireless" }: TelnyxState) {
  const recipient = { phone_number: to, status, line_type: lineType };
  const errors = code === undefined ? [] : [{ code, title: title ?? "", detail: "" }];
  return { record_type: "message", id, text, from: { phone_number: from }, to: [recipient], errors };
}

function refuse(response: ServerResponse, { status, code, title, retryAfter }: Exclude<TelnyxTreatment, string>): void {
  if (retryAfter !== undefined) response.setHeader("Retry-After", retryAfter);
  reply(response, status, { errors: [{ code, title }] });
}
