/** A client's options, and their sources if they are not given. */
import { UsageError } from "./errors.ts";
import { checkedHeaders } from "./headers.ts";
import type { Hooks } from "./hooks.ts";
import { checkNames, type NamesOf } from "./known-names.ts";
import { type Logger, type LogLevel, withLog } from "./log.ts";
import { refusal } from "./refusal.ts";

/** A request, as it is passed to `fetch`. It has only plain values, so that any function like `fetch` can send it. */
export interface FetchInit {
  method: string;
  /** Names are in lower case. The credentials are included. */
  headers: Record<string, string>;
  body?: string;
  /** Ends the request when a time limit is reached, or the caller's signal is aborted. */
  readonly signal: AbortSignal;
  redirect: "manual";
}

/** A function that sends a request: the global `fetch`, or anything of its shape. */
export type Fetch = (url: string, init: FetchInit) => Promise<Response>;

/** Options of a client. */
export interface ClientOptions {
  /** Integration key, sent as `X-API-KEY`. @default the environment variable `MSGCTL_API_KEY` */
  apiKey?: string | undefined;
  /** Secret of the same credential, sent as `X-API-SECRET`. @default the environment variable `MSGCTL_API_SECRET` */
  apiSecret?: string | undefined;
  /** Address of the service without `/api/v1`. @default the environment variable `MSGCTL_BASE_URL` */
  baseUrl?: string | undefined;
  /** Sends the requests, for tests and for other transports. @default the global `fetch` */
  fetch?: Fetch | undefined;
  /**
   * Passed to `fetch` with every request: options that a runtime adds to the standard, such as a proxy. Node.js:
   * `{ dispatcher: new ProxyAgent(url) }` of undici; Bun: `{ proxy: url }`; Deno: `{ client: Deno.createHttpClient(…) }`.
   */
  fetchOptions?: object | undefined;
  /** Headers of every request. */
  headers?: Record<string, string> | undefined;
  /** Watch every call, with the credentials hidden. */
  hooks?: Hooks | undefined;
  /**
   * Events that are logged: calls that failed (`error`), requests that are sent again (`warn`), replies (`info`), and requests
   * (`debug`). Credentials, headers, queries and bodies are never logged. @default "off"
   */
  logLevel?: LogLevel | undefined;
  /** Receives the log lines instead of the console: any object with the console's methods, such as pino. @default console */
  logger?: Logger | undefined;
  /** Time limit of each request, including its reply's body, in milliseconds; `Infinity` for none. @default 30000 */
  timeoutMs?: number | undefined;
  /** Time limit of each call, including all requests and pauses, in milliseconds. @default none */
  totalTimeoutMs?: number | undefined;
  /**
   * Maximum number of retries of a request that got no reply, or a reply after which a retry may help (408, 425, 429, 5xx,
   * `idempotency_in_progress`). The pause before a retry is 0.5 to 8 seconds or, if the reply has `Retry-After`, that time,
   * up to a minute, plus up to a second. @default 2
   */
  maxRetries?: number | undefined;
  /**
   * Maximum size of a reply's body in bytes, counted as it comes, after decompression; `Infinity` for no limit. A longer
   * body ends the call with a `ReplyTooLargeError`. @default 67108864 (64 MiB)
   */
  maxReplyBytes?: number | undefined;
}

/** Options that limit a call. */
export type Bounds = Pick<CallOptions, keyof SetBounds>;

/** The limits with their defaults; `Infinity` for no limit. */
export interface SetBounds {
  timeoutMs: number;
  totalTimeoutMs: number;
  maxRetries: number;
  maxReplyBytes: number;
}

/** The given limits, and defaults for the others. */
export function boundsOf(given: Bounds, otherwise: SetBounds): SetBounds {
  const bounds = { ...otherwise };
  for (const name in bounds)
    bounds[name as keyof SetBounds] = given[name as keyof SetBounds] ?? bounds[name as keyof SetBounds];
  return bounds;
}

/** Options of one call; each overrides the client's. `E` is the value of `exactIntegers`. */
export interface CallOptions<E extends boolean = false> {
  /** When aborted, ends the call with an `AbortedError`, even during a pause before a retry. */
  signal?: AbortSignal | undefined;
  /** Time limit of each request, including its reply's body, in milliseconds; `Infinity` for none. */
  timeoutMs?: number | undefined;
  /** Time limit of the call, including all requests and pauses, in milliseconds. */
  totalTimeoutMs?: number | undefined;
  /** Maximum number of retries of a request. */
  maxRetries?: number | undefined;
  /** Maximum size of the reply's body in bytes, after decompression. */
  maxReplyBytes?: number | undefined;
  headers?: Record<string, string> | undefined;
  /**
   * Returns an integer of the reply beyond ±(2^53 − 1) as a `bigint`, in place of an `UnsafeIntegerError`, and types the
   * reply accordingly. @default false
   */
  exactIntegers?: E | undefined;
}

/** Options of one call that writes. */
export interface WriteOptions<E extends boolean = false> extends CallOptions<E> {
  /**
   * Idempotency key: however often the service receives a call with this key, it acts once. 1 to 255 printable ASCII
   * characters, without a space at either end. Set the key if more than one process may attempt the same action. @default a
   * fresh UUID for each call
   */
  idempotencyKey?: string | undefined;
}

const OF_CALL: NamesOf<WriteOptions> = {
  signal: 1,
  timeoutMs: 1,
  totalTimeoutMs: 1,
  maxRetries: 1,
  maxReplyBytes: 1,
  headers: 1,
  exactIntegers: 1,
  idempotencyKey: 1,
};

/** @throws {UsageError} For an unknown option, and an invalid bound. */
export function checkCallOptions(options: object, more?: object): void {
  checkNames(`Options of the ${more ? "run" : "call"}`, options, { ...OF_CALL, ...more });
  checkBounds(options);
}

const OF_CLIENT: NamesOf<ClientOptions> = {
  apiKey: 1,
  apiSecret: 1,
  baseUrl: 1,
  fetch: 1,
  fetchOptions: 1,
  headers: 1,
  hooks: 1,
  logger: 1,
  logLevel: 1,
  timeoutMs: 1,
  totalTimeoutMs: 1,
  maxRetries: 1,
  maxReplyBytes: 1,
};

/** Options once read and checked. */
export interface Settings {
  apiKey: string;
  apiSecret: string;
  /** Address without a slash at the end. */
  baseUrl: string;
  fetch: Fetch | undefined;
  fetchOptions: object | undefined;
  headers: Record<string, string>;
  hooks: Hooks | undefined;
  bounds: SetBounds;
}

/** Environment variable that stands in for an option. */
const VARIABLES = { apiKey: "MSGCTL_API_KEY", apiSecret: "MSGCTL_API_SECRET", baseUrl: "MSGCTL_BASE_URL" } as const;

/**
 * Completes the options from the environment and checks them.
 *
 * @throws {UsageError} Names every missing option, or the invalid one. The message never contains a credential's value.
 */
export function readSettings(options: ClientOptions): Settings {
  checkNames("Options of the client", options, OF_CLIENT, true);
  const environment = globalThis.process?.env ?? {};
  const missing: string[] = [];
  const read = (name: keyof typeof VARIABLES): string => {
    const value = options[name] || environment[VARIABLES[name]];
    if (!value) missing.push(`${name} (or the environment variable ${VARIABLES[name]})`);
    return value || "";
  };
  const [apiKey, apiSecret, baseUrl] = [read("apiKey"), read("apiSecret"), read("baseUrl")];
  if (missing.length > 0) throw new UsageError(`The client cannot be made without ${missing.join(", ")}.`);
  checkCredential("apiKey", apiKey);
  checkCredential("apiSecret", apiSecret);
  checkBounds(options);
  const { fetch, fetchOptions, headers = {} } = options;
  const bounds = boundsOf(options, {
    timeoutMs: 30_000,
    totalTimeoutMs: Number.POSITIVE_INFINITY,
    maxRetries: 2,
    maxReplyBytes: 2 ** 26,
  });
  return {
    ...{ apiKey, apiSecret, fetch, fetchOptions, bounds },
    baseUrl: readBaseUrl(baseUrl),
    headers: checkedHeaders(headers),
    hooks: withLog(options),
  };
}

/** The longest delay of a timer: a longer one would fire at once. As a number of bytes, it exceeds any string. */
const MOST = 2_147_483_647;

/** @throws {UsageError} For an invalid bound of a client or a call. */
export function checkBounds(options: Bounds): void {
  for (const name of ["timeoutMs", "totalTimeoutMs", "maxReplyBytes"] as const) {
    const { [name]: amount = MOST } = options;
    if (typeof amount !== "number" || !(amount > 0) || (amount > MOST && Number.isFinite(amount)))
      throw refusal(name, amount, `above 0 and at most ${MOST}, or Infinity for no bound`);
  }
  const { maxRetries = 0 } = options;
  if (!(Number.isSafeInteger(maxRetries) && maxRetries >= 0))
    throw refusal("maxRetries", maxRetries, "a whole number, 0 for no retry");
}

/** Checked here, because the platform's own error for a header value it cannot send quotes the value. */
function checkCredential(name: string, value: string): void {
  if (/^[!-~]+$/.test(value)) return;
  throw new UsageError(`${name} cannot be sent. It must be printable ASCII characters, without a blank.`);
}

function readBaseUrl(value: string): string {
  const { href } = URL.canParse(value) ? new URL(value) : { href: "" };
  const [, address] = /^(https?:\/\/[^/?#@]+(?:\/[^?#]*?)??)\/*$/.exec(href) ?? [];
  if (address && !address.endsWith("/api/v1")) return address;
  // User name, query and fragment may contain a secret, so they are masked.
  const shown = value.replace(/([?#]).*$/s, "$1***").replace(/^.*@/s, "***@");
  throw refusal("baseUrl", shown, "an http or https address without user name, query, fragment and /api/v1");
}
