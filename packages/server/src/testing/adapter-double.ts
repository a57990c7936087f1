// A stand-in for an adapter that keeps the messages it took, answers as carrier.openapi.yaml says, and can lose answers, and
// whose signed events can be repeated, reordered and forged. It holds each request against the document.

import type { IncomingMessage, ServerResponse } from "node:http";
import { completeHttpSettings, type HttpSettings } from "../carriers/http/settings.ts";
import { signWebhook, verifyWebhook } from "../domain/callbacks/rules.ts";
import type { Schemas } from "../generated/carrier-adapter.ts";
import { findRequestFaults, findValueFaults } from "./adapter-protocol.ts";
import { ApiDouble, reply } from "./api-double.ts";

const SECRET = `whsec_${Buffer.alloc(32, "double").toString("base64")}`;

/** A message that the double took, and its id. */
export interface TakenMessage {
  readonly id: string;
  readonly providerMessageId: string;
  readonly message: Schemas["Message"];
}

/** How the double treats a message. */
export type AdapterTreatment =
  | "accept"
  /** Takes the message, and closes the connection without an answer. */
  | "lose-answer"
  /** Stores that the message was not taken, and closes the connection without an answer. */
  | "lose-refusal"
  /** Closes the connection without a record of the message. */
  | "cut"
  | Schemas["Refused"]
  | Schemas["Failed"]
  /** Another answer, without a record of the message. */
  | { readonly status: number; readonly body?: object; readonly retryAfter?: string };

/** A signed request to an events URL. */
export interface PostedEvent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type EventOf<Type extends Schemas["Event"]["type"]> = Extract<Schemas["Event"], { type: Type }>;

export class AdapterDouble extends ApiDouble {
  /** The messages that it took, in order. */
  readonly taken: TakenMessage[] = [];
  /** How often each message was put. */
  readonly puts = new Map<string, number>();
  /** Faults of the requests so far, which the document does not allow. */
  readonly faults: string[] = [];
  isHealthy = true;
  /** The time at which events are signed. */
  now: () => number = Date.now;
  treat: (to: string, attempt: number) => AdapterTreatment = () => "accept";
  /** Messages that are not taken and will not be, by the attempt up to which that holds. */
  readonly #absent = new Map<string, number>();

  static listen(): Promise<AdapterDouble> {
    return new AdapterDouble().open();
  }

  settings(given: Partial<HttpSettings> = {}): HttpSettings {
    const url = `http://127.0.0.1:${this.port}/adapter`;
    return completeHttpSettings({ kind: "http", url, secret: SECRET, sender: "+12025550199", ...given });
  }

  protected answer(request: IncomingMessage, response: ServerResponse, body: string): void | Promise<void> {
    const { method = "", url = "", headers } = request;
    const path = url.replace(/^\/adapter/, "");
    this.faults.push(...findRequestFaults({ method, path, headers, body }));
    const id = path.split("/").at(-1) ?? "";
    const signed = verifyWebhook({ headers, body, now: Number(headers["webhook-timestamp"]) * 1_000 }, SECRET);
    if (!("webhookId" in signed) || signed.webhookId !== id) return reply(response, 401, {});
    if (path === "/health") return void response.writeHead(this.isHealthy ? 204 : 503).end();
    if (method === "GET") return reply(response, 200, this.#find(id));
    return this.#take(id, JSON.parse(body), response);
  }

  async #take(id: string, message: Schemas["Message"], response: ServerResponse): Promise<void> {
    this.puts.set(id, (this.puts.get(id) ?? 0) + 1);
    const { to, attempt } = message;
    const known = this.taken.find((one) => one.id === id);
    if (known !== undefined) return reply(response, 200, toTaken(known));
    const treatment = this.treat(to, attempt);
    if (treatment === "cut") return void response.destroy();
    if (typeof treatment === "object" && "status" in treatment) {
      const { status, body = {}, retryAfter } = treatment;
      if (retryAfter !== undefined) response.setHeader("Retry-After", retryAfter);
      return reply(response, status, body);
    }
    if (attempt <= (this.#absent.get(id) ?? 0)) return reply(response, 429, deferred);
    if (treatment === "lose-refusal") {
      this.#absent.set(id, attempt);
      return void response.destroy();
    }
    if (typeof treatment === "object") return reply(response, 200, treatment);
    const taken = { id, message, providerMessageId: `provider-${this.taken.length + 1}` };
    this.taken.push(taken);
    if (treatment === "lose-answer") return void response.destroy();
    return reply(response, 200, toTaken(taken));
  }

  #find(id: string): Schemas["Finding"] {
    const known = this.taken.find((one) => one.id === id);
    if (known !== undefined) return toTaken(known);
    return { outcome: this.#absent.has(id) ? "absent" : "unknown" };
  }

  /** Forgets all messages. */
  clear(): void {
    this.taken.length = 0;
    this.puts.clear();
    this.#absent.clear();
  }

  /** Returns the event that reports a status of a text or mail. */
  report(taken: TakenMessage, status: Schemas["Status"], reason?: Schemas["Reason"]): PostedEvent {
    const { id: messageId, providerMessageId } = taken;
    const said = { providerMessageId, status, ...(reason === undefined ? {} : { reason }) };
    return this.event(taken, { type: "receipt", messageId, ...said }, `${messageId}:${status}`);
  }

  /** Returns the events of a call whose opt-out key was pressed, in order. The call has to have a key. */
  pressKey(taken: TakenMessage): PostedEvent[] {
    const { id: messageId, providerMessageId, message } = taken;
    if (!("optOutKey" in message)) throw new Error("the call has no key");
    const end = { type: "call-end", messageId, providerMessageId, result: "HEARD", durationSeconds: 7 } as const;
    return [
      this.event(taken, { type: "opt-out", messageId }, `${messageId}:key`),
      this.event(taken, end, `${messageId}:end`),
    ];
  }

  /** Returns the event that reports a text from a phone. */
  inbound(url: string, text: Omit<EventOf<"inbound">, "type">, id: string): PostedEvent {
    return sign(url, JSON.stringify({ type: "inbound", ...text }), { id, now: this.now() });
  }

  /** Returns an event of a message. */
  event({ message }: TakenMessage, event: Schemas["Event"], id: string): PostedEvent {
    this.faults.push(...findValueFaults("Event", event));
    return sign(message.eventsUrl, JSON.stringify(event), { id, now: this.now() });
  }
}

const deferred: Schemas["Deferral"] = { outcome: "deferred", detail: "an earlier attempt" };

function toTaken({ providerMessageId }: TakenMessage): Schemas["Taken"] {
  return { outcome: "taken", providerMessageId };
}

/** Signs any body at any time, with any secret. */
export function sign(
  url: string,
  body: string,
  { id: webhookId, now, secret = SECRET }: { id: string; now: number; secret?: string },
): PostedEvent {
  const headers = { "content-type": "application/json", ...signWebhook({ webhookId, body, now }, [secret]) };
  return { url, headers, body };
}
