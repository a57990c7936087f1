/** The one place where the CLI calls the SDK: takes a request, returns its answer or throws a typed failure. */
import { CoreClient, type Fetch, type Hooks } from "@msgctl/sdk";
import type { OperationRecord } from "../model/record.ts";
import type { RequestParts } from "../model/request.ts";
import type { Access } from "./access/access.ts";
import { toCliError } from "./call-failure.ts";
import { nodeTransport } from "./node-transport.ts";

export interface Call {
  record: OperationRecord;
  request: RequestParts;
  access: Access;
  timeoutMs: number;
  signal: AbortSignal;
  idempotencyKey: string | undefined;
  /** How often the request is retried; undefined: the SDK's default. */
  retries?: number | undefined;
  /** Observe the requests and their replies. */
  hooks?: Hooks | undefined;
  /** Sends the requests instead of node:http. */
  transport?: Fetch | undefined;
}

export interface Answer {
  data: unknown;
  /** Whether an earlier call with the same key had already done it. */
  replayed: boolean;
}

/** 256 MiB: a list of a million consents fits, and Node's longest string is twice that. */
const LARGEST_REPLY = 2 ** 28;

/** Makes the call. @throws {CliError} With what went wrong, see call-failure.ts. */
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
        // one limit for the whole command, however many attempts it takes
        ...{ timeoutMs: Number.POSITIVE_INFINITY, totalTimeoutMs: timeoutMs },
      },
    )
    .safe();
  if (outcome.ok) return { data: outcome.data, replayed: outcome.meta.replayed };
  throw toCliError(outcome.error, record, access);
}
