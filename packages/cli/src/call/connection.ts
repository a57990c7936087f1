/** Makes a single call through the SDK: takes a request, and returns its answer or throws a CliError. */
import { CoreClient, type Fetch, type Hooks } from "@msgctl/sdk";
import type { OperationRecord } from "../model/record.ts";
import type { RequestParts } from "../model/request.ts";
import type { Access } from "./access/access.ts";
import { toCliError } from "./call-failure.ts";
import { nodeTransport } from "./node-transport.ts";

/** The parts of an operation that a call uses. */
export type Called = Pick<OperationRecord, "method" | "path" | "inputs" | "identity"> & {
  output: Pick<OperationRecord["output"], "kind">;
};

export interface Call {
  record: Called;
  request: RequestParts;
  access: Access;
  timeoutMs: number;
  signal: AbortSignal;
  idempotencyKey: string | undefined;
  /** Maximum number of retries; undefined: the SDK's default. */
  retries?: number | undefined;
  /** Called for each request and reply. */
  hooks?: Hooks | undefined;
  /** Replaces the node:http transport. */
  transport?: Fetch | undefined;
}

export interface Answer {
  data: unknown;
  /** Whether the service replayed the answer to an earlier call with the same key. */
  replayed: boolean;
}

/** 256 MiB: enough for a list of a million consents, and half of Node's maximum string length. */
const LARGEST_REPLY = 2 ** 28;

/** Makes the call. @throws {CliError} See call-failure.ts. */
export async function call({ record, request, access, ...sending }: Call): Promise<Answer> {
  const { baseUrl, apiKey, apiSecret } = access;
  const { timeoutMs, signal, idempotencyKey, retries, hooks, transport = nodeTransport(access.proxy) } = sending;
  const client = new CoreClient({ baseUrl, apiKey, apiSecret, fetch: transport, maxRetries: retries, hooks });
  const { path, query, body, headers } = request;
  const outcome = await client
    .request(
      record.method,
      record.path,
      {
        ...{ path: path as Record<string, string>, query, body, identity: record.identity },
        ...(record.output.kind === "text" && { accept: "*/*" }),
      },
      {
        ...{ headers, idempotencyKey, signal, exactIntegers: true, maxReplyBytes: LARGEST_REPLY },
        // one limit for all attempts together
        ...{ timeoutMs: Number.POSITIVE_INFINITY, totalTimeoutMs: timeoutMs },
      },
    )
    .safe();
  if (outcome.ok) return { data: outcome.data, replayed: outcome.meta.replayed };
  throw toCliError(outcome.error, record, access);
}
