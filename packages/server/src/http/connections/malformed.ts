// Replies to malformed input: there is no route and no caller, but they have the contract's form.

import { STATUS_CODES } from "node:http";
import { problems } from "@msgctl/contract";
import { Refusal } from "../../rules/refusal.ts";
import { describeRefusal, PROBLEM_TYPE } from "../replies/problems.ts";

const AND_CLOSED = "Nothing was done, and the connection is closed.";

/** By the error code of Node's parser. */
const otherFaults: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: new Refusal(
    "headers_too_large",
    `The path, the query and the headers of a request may have 16 KiB together. ${AND_CLOSED}`,
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new Refusal(
    "payload_too_large",
    `The extensions of the body's chunks may have 16 KiB together. ${AND_CLOSED}`,
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new Refusal(
    "request_timeout",
    `The request was not there whole after 30 seconds. ${AND_CLOSED}`,
  ),
};
const malformed = new Refusal("malformed_http", `What was sent cannot be read as HTTP/1.1. ${AND_CLOSED}`);

/** CONNECT asks for a tunnel to another machine, for which no method is allowed. */
export const noTunnel = new Refusal(
  "method_not_allowed",
  `This server is no proxy: CONNECT is not taken. ${AND_CLOSED}`,
);

/** Returns the refusal for an error code of Node's parser. */
export function toRefusal(code = ""): Refusal {
  return otherFaults[code] ?? malformed;
}

/** Returns the reply to malformed input, which reaches no route. */
export function describeMalformed(
  refusal: Refusal,
  requestId: string,
): { status: number; headers: Readonly<Record<string, string>>; body: string } {
  const { status } = problems[refusal.code];
  const body = JSON.stringify(describeRefusal(refusal, "/", requestId));
  const headers = {
    "x-request-id": requestId,
    "content-type": PROBLEM_TYPE,
    "content-length": String(Buffer.byteLength(body)),
    // required by RFC 9110 (15.5.6); empty when no method is allowed
    ...(status === 405 ? { allow: "" } : {}),
  };
  return { status, headers, body };
}

/** Returns the same reply as bytes for a connection that is closed afterwards. */
export function renderMalformed(refusal: Refusal, requestId: string): string {
  const { status, headers, body } = describeMalformed(refusal, requestId);
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}
