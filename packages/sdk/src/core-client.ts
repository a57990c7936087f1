/** One call: from method, path and values over openapi-fetch to a typed outcome. Every generated method ends here. */
import type { paths } from "@msgctl/contract";
import createClient, { type Client } from "openapi-fetch";
import { ApiCall, type CallMeta, type Outcome, type ResponseMeta } from "./api-call.ts";
import { errorOf } from "./error-reply.ts";
import { ConnectionError, MessagingError, UsageError } from "./errors.ts";
import { type Hooks, tell } from "./hooks.ts";
import { parseJson, stringifyJson } from "./int64.ts";
import { type ClientOptions, checkBounds, readSettings, type WriteOptions } from "./options.ts";
import { fillPath, type PathValue } from "./path-values.ts";
import { type CallRecord, PlainRequest } from "./plain-request.ts";
import { createTransport } from "./transport.ts";

/** What one request carries. */
export interface RequestArgs {
  /** Values for the `{names}` of the path. */
  path?: Record<string, PathValue>;
  query?: object | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Media type of the reply. JSON is parsed; any other is given as text. @default application/json */
  accept?: string;
}

/** The openapi-fetch client: typed by the contract's paths, and without this package's errors. */
export type RawClient = Client<paths>;

/** openapi-fetch's `request` once the types of a path are out of sight: the generated methods have checked them. */
type UntypedRequest = (
  method: string,
  path: string,
  init: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

const JSON_TYPE = "application/json";

/** A client without the generated methods. Give it to one resource where a bundle must hold no more than that. */
export class CoreClient {
  readonly #raw: RawClient;
  readonly #hooks: Hooks | undefined;

  /** @throws {UsageError} When a credential or the address is missing or unusable; the message says which. */
  constructor(options: ClientOptions = {}) {
    const settings = readSettings(options);
    this.#raw = createClient<paths>({
      baseUrl: settings.baseUrl,
      pathSerializer: fillPath,
      bodySerializer: stringifyJson,
      // openapi-fetch uses no more of either than what these two have.
      fetch: createTransport(settings) as unknown as (request: Request) => Promise<Response>,
      Request: PlainRequest as unknown as typeof Request,
    });
    this.#hooks = settings.hooks;
  }

  /** The openapi-fetch client on the same transport, with the same credentials and idempotency keys. */
  get raw(): RawClient {
    return this.#raw;
  }

  /**
   * Calls any operation by method and path, with the same errors and outcome as the named methods.
   *
   * @param path - As the contract writes it, from `/api/v1`, with `{names}` for the path values.
   * @example
   * const merchant = await client.request("GET", "/api/v1/merchants/{merchantId}", { path: { merchantId: "m1" } });
   */
  request<T = unknown>(method: string, path: string, args: RequestArgs = {}, options: WriteOptions = {}): ApiCall<T> {
    return new ApiCall<T>(this.#run<T>(method, path, args, options));
  }

  async #run<T>(method: string, path: string, args: RequestArgs, options: WriteOptions): Promise<Outcome<T>> {
    const { accept = JSON_TYPE, body, query } = args;
    const { headers, idempotencyKey, signal, timeoutMs, totalTimeoutMs, maxRetries } = options;
    const record: CallRecord = { route: path, attempts: 0, idempotencyKey, timeoutMs, totalTimeoutMs, maxRetries };
    let response: Response | undefined;
    try {
      checkBounds(options);
      const reply = await (this.#raw.request as UntypedRequest)(method, path, {
        params: { path: args.path ?? {}, query, header: args.accept && { accept } },
        ...{ body, headers, signal, record, parseAs: "text" },
      });
      response = reply.response;
      if (!response.ok) throw errorOf(response, reply.error, callMeta(record));
      const isText = response.status === 204 || accept !== JSON_TYPE;
      const data = isText ? reply.data : parse(reply.data as string, response, `${method} ${path}`, record);
      return { ok: true, data: data as T, meta: { ...callMeta(record), ...responseMeta(response) } };
    } catch (cause) {
      const error = cause instanceof MessagingError ? cause : unmade(cause);
      const call = record.watched ?? { method, route: path, url: path, idempotencyKey };
      tell(this.#hooks?.onError, { call, error });
      return { ok: false, error, meta: { ...callMeta(record), ...(response && responseMeta(response)) } };
    }
  }
}

function parse(text: string, { status, headers }: Response, said: string, record: CallRecord): unknown {
  try {
    return parseJson(text);
  } catch {
    // The parser's own message quotes the text, which may be a secret's.
    const found = `HTTP ${status} with a body that is not JSON (${headers.get("content-type")})`;
    throw new ConnectionError(`${said} got no usable reply: ${found}.`, callMeta(record));
  }
}

/** What fails before the transport is the caller's doing: a body that JSON cannot write, a header that HTTP cannot. */
function unmade(cause: unknown): MessagingError {
  return new UsageError(`The request cannot be made: ${cause instanceof Error ? cause.message : cause}`, {}, cause);
}

function callMeta({ attempts, idempotencyKey }: CallRecord): CallMeta {
  return { attempts, idempotencyKey };
}

function responseMeta({ status, headers }: Response): Omit<ResponseMeta, keyof CallMeta> {
  return {
    status,
    headers,
    requestId: headers.get("x-request-id") ?? undefined,
    replayed: headers.get("idempotent-replayed") === "true",
  };
}
