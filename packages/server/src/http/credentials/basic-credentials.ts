// HTTP Basic on the one route whose caller can send no headers of its own, FreeSWITCH's mod_xml_curl.

import type { IncomingHttpHeaders } from "node:http";
import type { OperationId } from "@msgctl/contract";
import { Refusal } from "../../rules/refusal.ts";
import type { Caller } from "../../steps/operation.ts";
import type { Authenticate } from "./authentication.ts";

/** The operation that FreeSWITCH calls. */
export const BASIC_OPERATION: OperationId = "getDirectoryEntry";

export const BASIC_CHALLENGE = 'Basic realm="msgd", charset="UTF-8"';

/**
 * Also accepts the credential as HTTP Basic. If a request has both, both must be valid and of one tenant, and the more
 * restricted one counts.
 */
export function orBasic(authenticate: Authenticate): Authenticate {
  return (headers) => {
    const basic = readBasic(headers.authorization);
    if (basic === undefined) return authenticate(headers);
    if (headers["x-api-key"] === undefined && headers["x-api-secret"] === undefined) return authenticate(basic);
    return Promise.all([authenticate(headers), authenticate(basic)]).then(([first, second]) => agree(first, second));
  };
}

function agree(first: Caller, second: Caller): Caller {
  if (first.tenantId !== second.tenantId) {
    const detail =
      "HTTP Basic and the X-API headers name different tenants. Send one credential, or two of one tenant.";
    throw new Refusal("tenant_mismatch", detail);
  }
  return second.merchantId === null ? first : second;
}

/** Converts HTTP Basic to the two headers; undefined without it. A malformed one becomes an invalid credential. */
function readBasic(authorization: string | undefined): IncomingHttpHeaders | undefined {
  const [, scheme = "", encoded = ""] = /^\s*(\S+)\s*(\S*)\s*$/.exec(authorization ?? "") ?? [];
  if (scheme.toLowerCase() !== "basic") return undefined;
  const [apiKey = "", ...rest] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return { "x-api-key": apiKey, "x-api-secret": rest.join(":") };
}
