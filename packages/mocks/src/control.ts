// Calls the server's control API in this process. If the API refuses a request, throws an error that lists every fault.

import type { Problem } from "@msgctl/contract";
import type { InProcessService } from "@msgctl/server/in-process";
import { MockUsageError } from "./usage-error.ts";

export type Control = <T>(method: "GET" | "POST", what: string, request: ControlRequest) => Promise<T>;

export interface ControlRequest {
  /** The method that the mock's user called, for error messages: `failNext`. */
  readonly asked: string;
  readonly body?: object | undefined;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly signal?: AbortSignal;
}

/** Throws a `MockUsageError` if the control API refuses the request. */
export function createControl({ exchange }: Pick<InProcessService, "exchange">): Control {
  return async <T>(method: "GET" | "POST", what: string, { asked, body, query = {}, signal }: ControlRequest) => {
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const url = `/control/${what}?${new URLSearchParams(pairs)}`;
    const reply = await exchange({ method, url, headers, ...json, ...(signal && { signal }) });
    if (reply.status >= 400) throw new MockUsageError(`service.${asked}: ${describe(JSON.parse(reply.body))}`);
    return (reply.status === 204 ? undefined : JSON.parse(reply.body)) as T;
  };
}

function describe({ title, detail = title, errors = [] }: Problem): string {
  if (errors.length === 0) return detail;
  return errors.map(({ pointer, detail }) => (pointer === "" ? detail : `${pointer.slice(1)}: ${detail}`)).join(" ");
}
