/** One call: from method, path and values to a typed outcome. Every generated method ends here. */
import { type ApiCall, callMeta, type Ended, StartedCall } from "./api-call.ts";
import { GATE, type GatedOptions } from "./bulk/run-gate.ts";
import { errorOf } from "./error-reply.ts";
import { UnsafeIntegerError, UsageError } from "./errors.ts";
import { JSON_TYPE } from "./held-reply.ts";
import { type Hooks, tell } from "./hooks.ts";
import { type ClientOptions, checkBounds, readSettings, type WriteOptions } from "./options.ts";
import {
  type Identities,
  type Identity,
  type OutgoingRequest,
  type Reply,
  type Transport,
  watchedCall,
} from "./outgoing-request.ts";
import { fillPath, type PathValue } from "./path-values.ts";
import { toQuery } from "./query.ts";
import { requestRefusal } from "./refusal.ts";
import { writeBody } from "./request-body.ts";
import { createTransport } from "./transport.ts";

/** What one request carries. */
export interface RequestArgs {
  /** Values for the `{names}` of the path. */
  path?: Record<string, PathValue>;
  query?: object | undefined;
  /** Sent as JSON: an object or a list. */
  body?: unknown;
  /** Media type of the reply. JSON is parsed; any other is given as text. @default application/json */
  accept?: string;
  /** Members that a success must hold. @default the contract's, for operations of this client's resources */
  identity?: Identity | undefined;
}

/** What a client sends by. */
export interface Connection {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly hooks: Hooks | undefined;
  /** Identities of its resources' operations. */
  readonly identities: Record<string, Identity>;
}

const connections = new WeakMap<CoreClient, Connection>();

/** For what this package builds on a client; a caller cannot reach it. */
export function connectionOf(client: CoreClient): Connection {
  const connection = connections.get(client);
  if (!connection) throw new UsageError("The client was not made by its constructor.");
  return connection;
}

/** Tells the client what identifies the replies of a resource's operations. */
export function withIdentities(client: CoreClient, identities: Identities): CoreClient {
  // Skip a stand-in for a client, such as a test's.
  Object.assign(connections.get(client)?.identities ?? {}, identities);
  return client;
}

/** A client without the generated methods. Give it to one resource where a bundle must hold no more than that. */
export class CoreClient {
  readonly #connection: Connection;

  /** @throws {UsageError} When a credential or the address is missing or unusable; the message says which. */
  constructor(options: ClientOptions = {}) {
    const settings = readSettings(options);
    const { baseUrl, hooks } = settings;
    const identities: Record<string, Identity> = {};
    this.#connection = { baseUrl, hooks, identities, transport: createTransport(settings, identities) };
    connections.set(this, this.#connection);
  }

  /**
   * Calls any operation by method and path, with the same errors and outcome as the named methods.
   *
   * @param method - In any case.
   * @param path - As the contract writes it, from `/api/v1`, with `{names}` for the path values.
   * @example
   * const merchant = await client.request("GET", "/api/v1/merchants/{merchantId}", { path: { merchantId: "m1" } });
   */
  request<T = unknown>(
    method: string,
    path: string,
    args: RequestArgs = {},
    options: WriteOptions<boolean> = {},
  ): ApiCall<T> {
    // HTTP's methods are words in capitals, and `patch` another than PATCH
    return new StartedCall<T>(this.#run<T>(method.toUpperCase(), path, args, options));
  }

  async #run<T>(method: string, route: string, args: RequestArgs, options: WriteOptions<boolean>): Promise<Ended<T>> {
    const { accept = JSON_TYPE, body, identity, path = {}, query = {} } = args;
    const { headers, idempotencyKey, signal } = options;
    const request: OutgoingRequest = {
      method,
      route,
      url: route,
      headers: { accept, ...headers },
      body: undefined,
      signal,
      accept,
      identity,
      bounds: options,
      idempotencyKey,
      attempts: 0,
      gate: (options as GatedOptions)[GATE],
    };
    let response: Response | undefined;
    try {
      checkBounds(options);
      request.url = this.#connection.baseUrl + fillPath(route, path) + toQuery(query);
      request.body = body === undefined ? undefined : writeBody(body);
      const reply = await this.#connection.transport(request);
      response = reply.response;
      return { ok: true, data: read(reply, accept, request, options.exactIntegers) as T, response, request };
    } catch (cause) {
      const error = requestRefusal(cause);
      tell(this.#connection.hooks?.onError, { call: watchedCall(request), error });
      return { ok: false, error, response, request };
    }
  }
}

/** Gives the data, or throws the error that the reply tells. */
function read(
  { response, text, json, error }: Reply,
  accept: string,
  request: OutgoingRequest,
  isExact = false,
): unknown {
  const call = callMeta(request);
  if (!response.ok) throw errorOf(response, text, call);
  if (error) throw error;
  if (response.status === 204) return undefined;
  if (accept !== JSON_TYPE || !json) return text;
  const { value: data, unsafe } = json;
  if (!unsafe || isExact) return data;
  throw new UnsafeIntegerError({
    ...call,
    ...unsafe,
    data,
    requestId: response.headers.get("x-request-id") ?? undefined,
  });
}
