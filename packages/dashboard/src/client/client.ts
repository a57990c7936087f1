// HTTP client of the server. It calls operations of the dashboard's own API and of the contract (the public API), all in
// one session.

import {
  type ApiOperationEntry,
  type BodyOf as ContractBodyOf,
  type OperationId as ContractOperationId,
  type PathOf as ContractPathOf,
  type QueryOf as ContractQueryOf,
  type ResponseOf as ContractResponseOf,
  operations as contractOperations,
} from "@msgctl/contract";
import { type BodyOf, type OperationId, operations, type PathOf, type QueryOf, type ResponseOf } from "../api.ts";
import { encodeSegment } from "../exchange/path-segment.ts";
import { Problem } from "./problem.ts";
import { forgetToken, keepToken, readToken, refreshOnce } from "./token.ts";

type Values = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Asked<K extends OperationId> {
  readonly path?: PathOf<K>;
  readonly query?: QueryOf<K>;
  readonly body?: BodyOf<K>;
  readonly signal?: AbortSignal;
}

export interface ContractAsked<K extends ContractOperationId> {
  readonly path?: ContractPathOf<K>;
  readonly query?: ContractQueryOf<K>;
  readonly body?: ContractBodyOf<K>;
  readonly signal?: AbortSignal;
}

let notifyDenied = () => {};

/** Registers `denied`, which is called when the server has refused a request for lack of rights. */
export function onDenial(denied: () => void): void {
  notifyDenied = denied;
}

/** A tenant other than the server's default. Set in development only. */
let tenantId: string | undefined;

export function chooseTenant(chosen: string | undefined): void {
  tenantId = chosen;
}

/** Calls an operation of the dashboard's API. Rejects with a `Problem` if the server refuses it. */
export async function ask<K extends OperationId>(operationId: K, asked: Asked<K> = {}): Promise<ResponseOf<K>> {
  const reply = await request(operations[operationId], asked as AnyAsked, "application/json");
  return (await readJson(reply)) as ResponseOf<K>;
}

/** Calls an operation of the contract. Rejects with a `Problem` if the server refuses it. */
export async function call<K extends ContractOperationId>(
  operationId: K,
  asked: ContractAsked<K> = {},
): Promise<ContractResponseOf<K>> {
  const entry = contractOperations[operationId];
  const reply = await request({ ...entry, path: `/dashboard${entry.path}` }, asked as AnyAsked, "application/json");
  return (await readJson(reply)) as ContractResponseOf<K>;
}

export interface Tried extends Omit<AnyAsked, "body"> {
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls an operation of the contract with unchecked values. Resolves to the reply, even if it is a refusal. */
export function tryOut(operationId: ContractOperationId, tried: Tried): Promise<Response> {
  const entry = contractOperations[operationId];
  const accept = [...new Set([entry.responseMediaType ?? "application/json", "application/problem+json"])].join(", ");
  return sendInSession({ ...entry, path: `/dashboard${entry.path}` }, tried, accept);
}

/** Opens an event stream. Rejects with a `Problem` if the server refuses it. */
export function open<K extends OperationId>(operationId: K, asked: Asked<K>): Promise<Response> {
  return request(operations[operationId], asked as AnyAsked, "text/event-stream");
}

/** Starts a session. Rejects with a `Problem` if the server refuses it. */
export async function signIn(body: BodyOf<"signIn">): Promise<void> {
  const reply = await send(operations.signIn, { body }, "application/json", undefined);
  if (!reply.ok) throw await readProblem(reply);
  keepToken(await reply.json(), reply.headers.get("date"));
}

/** Ends the session on the server, and forgets its token. */
export async function signOut(): Promise<void> {
  await ask("signOut");
  forgetToken();
}

interface AnyAsked {
  readonly path?: Values;
  readonly query?: Values;
  readonly body?: object;
  readonly signal?: AbortSignal;
}

type Entry = Pick<ApiOperationEntry, "method" | "path">;

async function request(entry: Entry, asked: AnyAsked, accept: string): Promise<Response> {
  const reply = await sendInSession(entry, asked, accept);
  if (!reply.ok) throw await readProblem(reply);
  return reply;
}

async function sendInSession(entry: Entry, asked: Tried, accept: string): Promise<Response> {
  const reply = await send(entry, asked, accept, await readToken(refresh));
  if (reply.status === 403 && entry !== operations.getSession) notifyDenied();
  // the token may have expired, or another tab may have started the session: refresh the token and retry once
  if (reply.status !== 401 || !(await refreshOnce(refresh))) return reply;
  return send(entry, asked, accept, await readToken(refresh));
}

/** Returns whether there is a session. Rejects if the server cannot tell. */
async function refresh(): Promise<boolean> {
  const reply = await send(operations.refreshSession, {}, "application/json", undefined);
  if (reply.ok) {
    keepToken(await reply.json(), reply.headers.get("date"));
    return true;
  }
  // a development server has no sessions
  if (reply.status === 404) return false;
  if (reply.status !== 401) throw await readProblem(reply);
  forgetToken();
  return false;
}

function send(
  { method, path: template }: Entry,
  { path = {}, query = {}, headers = {}, body, signal }: Tried,
  accept: string,
  token: string | undefined,
): Promise<Response> {
  const url = template.replaceAll(/\{(\w+)\}/g, (_all, name) => encodeSegment(String(path[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  return fetch(search.size === 0 ? url : `${url}?${search}`, {
    method,
    headers: {
      ...headers,
      accept,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(tenantId === undefined ? {} : { "x-dashboard-tenant": tenantId }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function readProblem(reply: Response): Promise<Problem> {
  return new Problem(reply.status, await reply.json().catch(() => undefined));
}

async function readJson(reply: Response): Promise<unknown> {
  return reply.status === 204 ? undefined : reply.json();
}
