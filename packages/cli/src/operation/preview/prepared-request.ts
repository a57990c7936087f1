/** The request exactly as it would leave, made by the SDK itself with a transport that keeps it and sends nothing. */
import type { FetchInit } from "@msgctl/sdk";
import { type Call, call } from "../../call/connection.ts";
import { NO_ADDRESS } from "./preview-access.ts";

export interface PreparedRequest {
  method: string;
  /** Begins with `$MSGCTL_BASE_URL` where no address is configured. */
  url: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

export const ADDRESS_VARIABLE = "$MSGCTL_BASE_URL";

/** Makes the request of a call. */
export async function prepareRequest(given: Omit<Call, "transport">): Promise<PreparedRequest> {
  let prepared: PreparedRequest | undefined;
  const keep = async (url: string, { method, headers, body }: FetchInit) => {
    prepared = { method, url: url.replace(NO_ADDRESS, () => ADDRESS_VARIABLE), headers, body };
    // What the SDK reads of a reply; the platform's own Response would load undici.
    return { status: 204, ok: true, headers: { get: () => null }, text: async () => "" } as unknown as Response;
  };
  await call({ ...given, transport: keep });
  if (prepared === undefined) throw new Error("The SDK made no request.");
  return prepared;
}
