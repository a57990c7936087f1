/** openapi-fetch on this package's transport: typed by the contract's paths, and without this package's errors. */
import type { paths } from "@msgctl/contract";
import createClient, { type Client } from "openapi-fetch";
import type { Connection } from "./core-client.ts";
import type { Exact } from "./exact-integers.ts";
import { parseJson } from "./int64.ts";
import type { Transport } from "./outgoing-request.ts";
import { fillPath } from "./path-values.ts";
import { writeBody } from "./request-body.ts";

/** The contract's paths. Integers in replies have the type `number | bigint`. */
type ExactPaths = {
  [Path in keyof paths]: {
    [Method in keyof paths[Path]]: paths[Path][Method] extends { responses: infer Responses }
      ? Omit<paths[Path][Method], "responses"> & { responses: ExactResponses<Responses> }
      : paths[Path][Method];
  };
};

type ExactResponses<Responses> = {
  [Status in keyof Responses]: Responses[Status] extends { content: infer Content }
    ? Omit<Responses[Status], "content"> & { content: Exact<Content> }
    : Responses[Status];
};

/** Integers beyond ±(2^53 − 1) in replies are bigints. */
export type RawClient = Client<ExactPaths>;

export function createRawClient({ baseUrl, transport }: Connection): RawClient {
  const client = createClient<ExactPaths>({
    baseUrl,
    pathSerializer: fillPath,
    bodySerializer: writeBody,
    // openapi-fetch uses only those members of Request and fetch that these replacements have.
    fetch: createFetch(transport) as unknown as (request: Request) => Promise<Response>,
    Request: PlainRequest as unknown as typeof Request,
  });
  readExactly(client);
  return client;
}

const METHODS = ["request", "GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"] as const;

interface Outcome {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/** Keeps large integers exact: openapi-fetch uses `JSON.parse`, which rounds them, so this parses the same text again. */
function readExactly(client: RawClient): void {
  const texts = new WeakMap<Response, string>();
  client.use({
    // The middleware registered first sees the reply last, after the caller's own middleware.
    async onResponse({ response, options }) {
      const isJson = !response.ok || options.parseAs === "json";
      if (isJson && response.body) texts.set(response, await response.clone().text());
    },
  });
  for (const name of METHODS) {
    const send = client[name] as (...args: unknown[]) => Promise<Outcome>;
    Reflect.set(client, name, async (...args: unknown[]) => {
      const outcome = await send(...args);
      const part = outcome.response.ok ? "data" : "error";
      const text = texts.get(outcome.response);
      if (text && typeof outcome[part] !== "string" && outcome[part] !== undefined) outcome[part] = parseJson(text);
      return outcome;
    });
  }
}

interface PlainRequestInit {
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Plain data, because the platform's Request turns a body into a stream, which can be sent only once. */
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
  return async ({ url, method, headers, body, signal }) => {
    const route = new URL(url).pathname;
    const given = { headers: Object.fromEntries(headers), idempotencyKey: undefined, attempts: 0 };
    const { response, text, error } = await transport({ method, route, url, body, signal, bounds: {}, ...given });
    if (error) throw error;
    // Without a body there is nothing to re-create, and the Response constructor does not accept every status.
    if (response.body === null) return response;
    const { status, statusText } = response;
    return new Response(text, { status, statusText, headers: response.headers });
  };
}
