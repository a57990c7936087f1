// Bytes that are no HTTP request: no route, no caller, and still an answer in the contract's form.

import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type BareProblem, describeBare, PROBLEM_TYPE } from "./problems.ts";

const malformed: BareProblem = {
  status: 400,
  title: "Not an HTTP request",
  code: "malformed_http",
  detail: "What was sent cannot be read as HTTP/1.1. Nothing was done, and the connection is closed.",
};

/** The header that HTTP/1.1 asks of every request (RFC 9112, 3.2). */
export const hostMissing: BareProblem = { ...malformed, detail: "The request has no Host header." };

/** By the code that Node's parser gives. */
const otherFaults: Readonly<Record<string, BareProblem>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    title: "The headers are too large",
    code: "headers_too_large",
    detail: "The path and the headers of a request may have 16 KiB together.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    title: "The request did not arrive in time",
    code: "request_timeout",
    detail: "The request was not there whole after 30 seconds. Nothing was done, and the connection is closed.",
  },
};

/** For the code that Node's parser gives. */
export function problemOf(code = ""): BareProblem {
  return otherFaults[code] ?? malformed;
}

/** Answers what Node could not make a request of, and closes the connection. */
export function createMalformedHandler(newRequestId: () => string) {
  return ({ code }: { code?: string }, socket: Socket): void => {
    if (code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const problem = problemOf(code);
    const requestId = newRequestId();
    const body = JSON.stringify(describeBare(problem, "/", requestId));
    const head = [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      `X-Request-Id: ${requestId}`,
      `Content-Type: ${PROBLEM_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
    // end() alone would wait for the other side, which may never close
    socket.destroySoon();
  };
}
