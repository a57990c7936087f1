// Asks the server: the dashboard's own operations, with the types of its document.

import { type OperationId, operations, type PathOf, type QueryOf, type ResponseOf } from "../api.ts";
import { Problem } from "./problem.ts";

type Values = Readonly<Record<string, string | number | undefined>>;

export interface Asked<K extends OperationId> {
  readonly path?: PathOf<K>;
  readonly query?: QueryOf<K>;
  readonly signal?: AbortSignal;
}

/** Another tenant than the server's own choice; in development alone. */
let tenantId: string | undefined;

export function chooseTenant(chosen: string | undefined): void {
  tenantId = chosen;
}

/** Asks for JSON. Rejects with a `Problem` for a refusal. */
export async function ask<K extends OperationId>(operationId: K, asked: Asked<K> = {}): Promise<ResponseOf<K>> {
  const reply = await open(operationId, asked, "application/json");
  return (await reply.json()) as ResponseOf<K>;
}

/** Calls an operation of the contract, such as `/api/v1/simulator/reply`. Rejects with a `Problem` for a refusal. */
export async function call<View>(path: `/api/v1/${string}`, body: object): Promise<View> {
  const headers = { ...headersFor("application/json"), "content-type": "application/json" };
  const reply = await fetch(`/dashboard${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return (await accepted(reply)).json() as Promise<View>;
}

/** Opens a reply. Rejects with a `Problem` for a refusal. */
export async function open<K extends OperationId>(
  operationId: K,
  { path, query, signal }: Asked<K>,
  accept: string,
): Promise<Response> {
  const { method, path: template } = operations[operationId];
  const url = template.replaceAll(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(String((path as Values)?.[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Values)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  const reply = await fetch(search.size === 0 ? url : `${url}?${search}`, {
    method,
    headers: headersFor(accept),
    ...(signal === undefined ? {} : { signal }),
  });
  return accepted(reply);
}

function headersFor(accept: string): Record<string, string> {
  return { accept, ...(tenantId === undefined ? {} : { "x-dashboard-tenant": tenantId }) };
}

async function accepted(reply: Response): Promise<Response> {
  if (reply.ok) return reply;
  throw new Problem(reply.status, await reply.json().catch(() => undefined));
}
