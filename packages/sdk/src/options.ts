/** What a client is made from, and where it comes from when it is not given. */
import { UsageError } from "./errors.ts";

/** A request as the transport hands it over: plain values, so that any fetch-shaped function can send it. */
export interface FetchInit {
  method: string;
  /** Lower-case names; the credentials are among them. */
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
  redirect: "manual";
}

/** What sends a request: the global `fetch`, or anything of its shape. */
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
  /** Headers of every request. */
  headers?: Record<string, string> | undefined;
  /** Bound of every request, its body included, in milliseconds. @default none */
  timeoutMs?: number | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call with an `AbortedError`. */
  signal?: AbortSignal | undefined;
  /** Bound of the request, its body included, in milliseconds. @default the client's */
  timeoutMs?: number | undefined;
  /** Headers of this call; they win over the client's. */
  headers?: Record<string, string> | undefined;
}

/** Options of one call that writes. */
export interface WriteOptions extends CallOptions {
  /**
   * Key under which the service acts once, however often the call arrives: 1 to 255 printable ASCII characters.
   * Give your own where the same action may be tried by more than one process. @default a fresh UUID for each call
   */
  idempotencyKey?: string | undefined;
}

/** Options once read and checked. */
export interface Settings {
  apiKey: string;
  apiSecret: string;
  /** Without a slash at the end. */
  baseUrl: string;
  fetch: Fetch | undefined;
  headers: Record<string, string>;
  timeoutMs: number | undefined;
}

/** Environment variable that stands in for an option. */
const VARIABLES = { apiKey: "MSGCTL_API_KEY", apiSecret: "MSGCTL_API_SECRET", baseUrl: "MSGCTL_BASE_URL" } as const;

/**
 * Completes the options from the environment and checks them.
 *
 * @throws {UsageError} Naming all that is missing, or what cannot be used. A credential's value is never in the message.
 */
export function readSettings(options: ClientOptions): Settings {
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
  const { fetch, headers = {}, timeoutMs } = options;
  return { apiKey, apiSecret, baseUrl: readBaseUrl(baseUrl), fetch, headers, timeoutMs };
}

/** Checked here, because the platform's own error for a header value it cannot send quotes the value. */
function checkCredential(name: string, value: string): void {
  if (/^[!-~]+$/.test(value)) return;
  throw new UsageError(`${name} holds a space, a line break or a non-ASCII character, which no credential has.`);
}

function readBaseUrl(value: string): string {
  if (URL.canParse(value)) {
    const { protocol, origin, pathname, username, search, hash } = new URL(value);
    const path = pathname.replace(/\/+$/, "");
    if (/^https?:$/.test(protocol) && !username && !search && !hash && !path.endsWith("/api/v1")) return origin + path;
  }
  throw new UsageError(
    `baseUrl is ${JSON.stringify(value)}. It must be an http or https address without user name, query, fragment ` +
      "and /api/v1 (the client adds that), such as https://api.example.com.",
  );
}
