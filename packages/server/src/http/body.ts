import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import { Refusal } from "../operations/refusal.ts";
import { findMisplacedHeader } from "./single-headers.ts";

/** The largest request body that is read. */
export const BODY_LIMIT_BYTES = 2 * 1024 * 1024;

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/** Reads JSON bodies strictly: UTF-8 that is none, or text that is no JSON, is refused and never repaired. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, ({ headers, raw }, body, done) => {
    try {
      const misplaced = findMisplacedHeader(raw);
      if (misplaced !== undefined) throw new Refusal("malformed_http", misplaced);
      requirePlain(headers);
      done(null, parseJson(body));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** The refusal of a request that has to have a body, and has none. */
export function bodyMissing(): Refusal {
  return new Refusal("malformed_json", "The body is empty. Send a JSON object.");
}

function requirePlain({ "content-encoding": encoding = "identity", "content-type": type = "" }: IncomingHttpHeaders) {
  if (encoding.toLowerCase() !== "identity") {
    throw new Refusal("unsupported_media_type", "The body has a Content-Encoding. Send it as it is, without one.");
  }
  if (type === "application/json") return;
  const [, charset = "utf-8"] = CHARSET.exec(type) ?? [];
  // RFC 8259, 8.1
  if (!/^utf-?8$/i.test(charset)) {
    throw new Refusal("unsupported_media_type", "The Content-Type names a charset other than UTF-8, which JSON is in.");
  }
}

function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw bodyMissing();
  if (!isUtf8(body)) throw new Refusal("malformed_json", "The body is not valid UTF-8.");
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (error) {
    const reason = error instanceof Error ? withoutContent(error.message) : "it ends early";
    throw new Refusal("malformed_json", `The body is not valid JSON: ${reason}.`);
  }
}

/** V8 quotes the text around the fault, which may hold what nobody should log: only the place is kept. */
function withoutContent(message: string): string {
  const place = /position (\d+)/.exec(message);
  return place ? `fault at character ${place[1]}` : "it ends early or is no JSON at all";
}
