/** openapi-fetch on this package's transport: typed by the contract's paths, and without this package's errors. */
import type { paths } from "@msgctl/contract";
import createClient, { type Client } from "openapi-fetch";
import type { Connection } from "./core-client.ts";
import { stringifyJson } from "./int64.ts";
import type { Transport } from "./outgoing-request.ts";
import { fillPath } from "./path-values.ts";

/** Replies are read with `JSON.parse`, which rounds integers beyond 2^53. */
export type RawClient = Client<paths>;

export function createRawClient({ baseUrl, transport }: Connection): RawClient {
  return createClient<paths>({
    baseUrl,
    pathSerializer: fillPath,
    bodySerializer: stringifyJson,
    // openapi-fetch uses no more of either than what these two have.
    fetch: createFetch(transport) as unknown as (request: Request) => Promise<Response>,
    Request: PlainRequest as unknown as typeof Request,
  });
}

interface PlainRequestInit {
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Plain data: the platform's Request makes a stream of a body, which can be sent once. */
class PlainRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;

  constructor(url: string, { method, headers, body, signal }: PlainRequestInit) {
    this.url = url;
    this.method = method;
    this.headers = headers;
    this.body = body;
    this.signal = signal;
  }
}

function createFetch(transport: Transport): (request: PlainRequest) => Promise<Response> {
  const bounds = { timeoutMs: undefined, totalTimeoutMs: undefined, maxRetries: undefined };
  return async ({ url, method, headers, body, signal }) => {
    const route = new URL(url).pathname;
    const given = { headers: Object.fromEntries(headers), idempotencyKey: undefined, attempts: 0, watched: undefined };
    const { response, text } = await transport({ method, route, url, body, signal, ...bounds, ...given });
    // One without a body can be read twice as it is; its status may be one that no constructor takes.
    if (response.body === null) return response;
    const { status, statusText } = response;
    return new Response(text, { status, statusText, headers: response.headers });
  };
}
