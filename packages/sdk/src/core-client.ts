/** Makes one call: takes method, path and values, and returns a typed outcome. Every generated method calls this. */
import { type ApiCall, callMeta, callOf, metaOf } from "./api-call.ts";
import { GATE, type GatedOptions } from "./bulk/run-gate.ts";
import { errorOf } from "./error-reply.ts";
import { UnsafeIntegerError, UsageError } from "./errors.ts";
import { JSON_TYPE } from "./held-reply.ts";
import { type Hooks, tell } from "./hooks.ts";
import { checkNames, type NamesOf } from "./known-names.ts";
import { type ClientOptions, checkCallOptions, readSettings, type WriteOptions } from "./options.ts";
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

/** The parts of one request. */
export interface RequestArgs {
  /** Values for the `{names}` of the path. */
  path?: Record<string, PathValue> | undefined;
  query?: object | undefined;
  /** Sent as JSON: an object or a list. */
  body?: unknown;
  /** Media type of the reply. JSON is parsed; any other is returned as text. @default application/json */
  accept?: string | undefined;
  /** Members that a success must have. @default the contract's, for operations of this client's resources */
  identity?: Identity | undefined;
}

const OF_REQUEST: NamesOf<RequestArgs> = { path: 1, query: 1, body: 1, accept: 1, identity: 1 };

/** The parts that a client needs to send requests. */
export interface Connection {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly hooks: Hooks | undefined;
  /** Identities of its resources' operations. */
  readonly identities: Record<string, Identity>;
}

const connections = new WeakMap<CoreClient, Connection>();

/** The connection of a client, for this package only; a caller cannot reach it. */
export function connectionOf(client: CoreClient): Connection {
  const connection = connections.get(client);
  if (!connection) throw new UsageError("The client was not made by its constructor.");
  return connection;
}

/** Registers the identities of a resource's operations with the client. */
export function withIdentities(client: CoreClient, identities: Identities): CoreClient {
  // Skip objects that stand in for a client, for example in a test.
  Object.assign(connections.get(client)?.identities ?? {}, identities);
  return client;
}

/** A client without the generated methods. To keep a bundle small, pass it to the one resource that you use. */
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
   * @param method - HTTP method, in upper or lower case.
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
    const { accept = JSON_TYPE, identity } = args;
    // Plain JavaScript may pass null.
    const given = options ?? {};
    const { headers, idempotencyKey, signal } = given;
    const request: OutgoingRequest = {
      // HTTP's methods are in capitals, and `patch` differs from PATCH
      method: method.toUpperCase(),
      route: path,
      url: path,
      headers: { accept, ...headers },
      body: undefined,
      signal,
      accept,
      identity,
      bounds: given,
      idempotencyKey,
      attempts: 0,
      gate: (given as GatedOptions)[GATE],
    };
    return callOf(this.#run<T>(request, args, given), () => metaOf(request));
  }

  async #run<T>(request: OutgoingRequest, args: RequestArgs, options: WriteOptions<boolean>): Promise<T> {
    const { body, path = {}, query = {} } = args;
    try {
      checkNames("Arguments of request", args, OF_REQUEST);
      checkCallOptions(options);
      request.url = this.#connection.baseUrl + fillPath(request.route, path) + toQuery(query);
      request.body = body === undefined ? undefined : writeBody(body);
      const reply = await this.#connection.transport(request);
      request.response = reply.response;
      return read(reply, request, options.exactIntegers) as T;
    } catch (cause) {
      const error = requestRefusal(cause);
      tell(this.#connection.hooks?.onError, { call: watchedCall(request), error });
      throw error;
    }
  }
}

/** Returns the data, or throws the reply's error. */
function read({ response, text, json, error }: Reply, request: OutgoingRequest, isExact = false): unknown {
  const call = callMeta(request);
  if (!response.ok) throw errorOf(response, text, call);
  if (error) throw error;
  if (response.status === 204) return undefined;
  if (request.accept !== JSON_TYPE || !json) return text;
  const { value: data, unsafe } = json;
  if (!unsafe || isExact) return data;
  throw new UnsafeIntegerError({
    ...call,
    ...unsafe,
    data,
    requestId: response.headers.get("x-request-id") ?? undefined,
  });
}
