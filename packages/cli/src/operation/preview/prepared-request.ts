/** Lets the SDK build a request exactly as it would be sent, with a transport that captures it and sends nothing. */
import type { FetchInit } from "@msgctl/sdk";
import { type Call, call } from "../../call/connection.ts";
import { NO_ADDRESS } from "./preview-access.ts";

export interface PreparedRequest {
  method: string;
  /** Starts with `$MSGCTL_BASE_URL` if no address is configured. */
  url: string;
  /** Header values by lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

export const ADDRESS_VARIABLE = "$MSGCTL_BASE_URL";

/** Builds the request of a call without sending it. */
export async function prepareRequest(given: Omit<Call, "transport">): Promise<PreparedRequest> {
  let prepared: PreparedRequest | undefined;
  const keep = async (url: string, { method, headers, body }: FetchInit) => {
    prepared = { method, url: url.replace(NO_ADDRESS, () => ADDRESS_VARIABLE), headers, body };
    // Provide only what the SDK reads from a reply. Node's own Response would load undici.
    return { status: 204, ok: true, headers: { get: () => null }, text: async () => "" } as unknown as Response;
  };
  // `identity: null` lets the SDK accept the 204, which is not the success of most operations.
  await call({ ...given, record: { ...given.record, identity: null }, transport: keep });
  if (prepared === undefined) throw new Error("The SDK made no request.");
  return prepared;
}
