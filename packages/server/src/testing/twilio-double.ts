// A stand-in for Twilio's API that keeps the texts and calls it accepted, answers as Twilio does, and can lose answers, and
// whose signed callbacks can be repeated, reordered and forged.

import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { completeTwilioSettings, type TwilioSettings } from "../carriers/twilio/settings.ts";
import { signForm } from "../carriers/twilio/signature.ts";
import { ApiDouble, reply } from "./api-double.ts";

const ACCOUNT_SID = `AC${"0".repeat(32)}`;
const AUTH_TOKEN = "double-auth-token";
/** The path of the account, of its texts or calls, or of one of them. */
const PATH = new RegExp(`^/2010-04-01/Accounts/${ACCOUNT_SID}/(Messages|Calls)(?:/([A-Z]{2}[0-9a-f]{32}))?\\.json$`);

/** A text that the double accepted. */
export interface TakenText {
  readonly sid: string;
  readonly to: string;
  readonly from: string;
  readonly body: string;
  readonly statusCallback: string;
  readonly validityPeriod: number;
}

/** A call that the double accepted. */
export interface TakenCall {
  readonly sid: string;
  readonly to: string;
  readonly from: string;
  readonly twiml: string;
  readonly statusCallback: string;
}

/** The state of a text or call, as the API has it. */
export type State = Readonly<Record<string, string | number | null>>;

/** How the double treats a request for a text or call. */
export type Treatment =
  | "accept"
  /** Accepts the message, and closes the connection without an answer. */
  | "lose-answer"
  /** Closes the connection before it accepts the message. */
  | "cut"
  | { readonly status: number; readonly code: number; readonly message: string; readonly retryAfter?: string };

/** A signed request to an events URL. */
export interface Callback {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export class TwilioDouble extends ApiDouble {
  readonly taken: TakenText[] = [];
  readonly calls: TakenCall[] = [];
  /** The states of texts and calls in the API, by SID. Others are queued. */
  readonly states = new Map<string, State>();
  /** Every request body for a text or call, including refused ones. */
  readonly asked: string[] = [];
  treat: (to: string) => Treatment = () => "accept";

  static listen(): Promise<TwilioDouble> {
    return new TwilioDouble().open();
  }

  settings(given: Partial<TwilioSettings> = {}): TwilioSettings {
    return completeTwilioSettings({
      ...{ kind: "twilio", accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN, from: "+12025550199" },
      ...{ baseUrl: `http://127.0.0.1:${this.port}`, ...given },
    });
  }

  protected answer(request: IncomingMessage, response: ServerResponse, body: string): void | Promise<void> {
    const wanted = `Basic ${Buffer.from(`${ACCOUNT_SID}:${AUTH_TOKEN}`).toString("base64")}`;
    if (request.headers.authorization !== wanted) return refuse(response, 401, 20003, "Authenticate");
    const [, resource = "", sid] = PATH.exec(request.url ?? "") ?? [];
    if (request.method === "GET") return void this.#show(response, resource, sid);
    if (resource === "" || sid !== undefined) return refuse(response, 404, 20404, "Not found");
    this.asked.push(body);
    const fields = new URLSearchParams(body);
    const treatment = this.treat(fields.get("To") ?? "");
    if (treatment === "cut") return void response.destroy();
    if (typeof treatment === "object") {
      const { status, code, message, retryAfter } = treatment;
      if (retryAfter !== undefined) response.setHeader("Retry-After", retryAfter);
      return refuse(response, status, code, message);
    }
    const taken = this.#take(resource, body, fields);
    if (treatment === "lose-answer") return void response.destroy();
    return reply(response, 201, { sid: taken, status: "queued", error_code: null });
  }

  /** Keeps a text or call, and returns its SID. */
  #take(resource: string, body: string, fields: URLSearchParams): string {
    const number = this.taken.length + this.calls.length;
    const digits = createHash("sha256").update(`${number} ${body}`).digest("hex").slice(0, 32);
    const field = (name: string) => fields.get(name) ?? "";
    const common = { to: field("To"), from: field("From"), statusCallback: field("StatusCallback") };
    if (resource === "Calls") {
      this.calls.push({ sid: `CA${digits}`, ...common, twiml: field("Twiml") });
      return `CA${digits}`;
    }
    const text = { body: field("Body"), validityPeriod: Number(field("ValidityPeriod")) };
    this.taken.push({ sid: `SM${digits}`, ...common, ...text });
    return `SM${digits}`;
  }

  #show(response: ServerResponse, resource: string, sid: string | undefined): void {
    const isKnown = [...this.taken, ...this.calls].some((one) => one.sid === sid);
    const state = { sid, status: "queued", error_code: null, ...this.states.get(sid ?? "") };
    if (resource === "") reply(response, 200, { sid: ACCOUNT_SID, status: "active" });
    else if (isKnown) reply(response, 200, state);
    else refuse(response, 404, 20404, "Not found");
  }

  /** Returns the callback that reports a status of a message. */
  report({ sid, from, to, statusCallback }: TakenText, status: string, errorCode?: number): Callback {
    const error = errorCode === undefined ? {} : { ErrorCode: String(errorCode) };
    const ids = { AccountSid: ACCOUNT_SID, MessageSid: sid, SmsSid: sid, SmsStatus: status, MessageStatus: status };
    return sign(statusCallback, { ...ids, From: from, To: to, ApiVersion: "2010-04-01", ...error });
  }

  /** Returns the callback that reports a status of a call. */
  reportCall({ sid, from, to, statusCallback }: TakenCall, status: string, more: State = {}): Callback {
    const fields = { AccountSid: ACCOUNT_SID, CallSid: sid, CallStatus: status, From: from, To: to };
    const others = Object.entries(more).map(([name, value]) => [name, String(value)]);
    return sign(statusCallback, { ...fields, Direction: "outbound-api", ...Object.fromEntries(others) });
  }

  /** Returns the request that follows the speech in a call's TwiML. */
  finishSpeech({ sid, from, to, twiml }: TakenCall): Callback {
    const [, url = ""] = /<Redirect method="POST">(.*)<\/Redirect>/.exec(twiml) ?? [];
    const fields = { AccountSid: ACCOUNT_SID, CallSid: sid, CallStatus: "in-progress", From: from, To: to };
    return sign(url.replaceAll("&amp;", "&"), fields);
  }

  /** Returns the request that follows a key, if the call's TwiML gathers one. */
  pressKey({ sid, from, to, twiml }: TakenCall, digit: string): Callback {
    const [, url = ""] = /<Gather [^>]*action="([^"]*)"/.exec(twiml) ?? [];
    if (url === "") throw new Error("the call gathers no key");
    const fields = { AccountSid: ACCOUNT_SID, CallSid: sid, CallStatus: "in-progress", From: from, To: to };
    return sign(url.replaceAll("&amp;", "&"), { ...fields, Digits: digit });
  }

  /** Returns the request that reports a text from a phone. */
  text(url: string, { from, to, body, sid }: { from: string; to: string; body: string; sid: string }): Callback {
    return sign(url, { MessageSid: sid, AccountSid: ACCOUNT_SID, From: from, To: to, Body: body, NumMedia: "0" });
  }
}

function sign(url: string, fields: Readonly<Record<string, string>>): Callback {
  return {
    url,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": signForm(AUTH_TOKEN, url, new Map(Object.entries(fields))),
    },
    body: new URLSearchParams(fields).toString(),
  };
}

function refuse(response: ServerResponse, status: number, code: number, message: string): void {
  reply(response, status, { code, message, status, more_info: `https://www.twilio.com/docs/errors/${code}` });
}
