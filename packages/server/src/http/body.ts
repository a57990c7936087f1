import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal, refuseFaults } from "../operations/refusal.ts";
import { mayLoseFraction, outlineJson } from "./json-outline.ts";
import { findMisplacedHeader } from "./single-headers.ts";
import { Turns } from "./turns.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What validation has to know of the body's text; null for nearly all bodies, which their value tells all about. */
    bodyTraits: BodyTraits | null;
  }
}

/** What a body's text tells that its value does not. */
export interface BodyTraits {
  /** So long that it is looked at in turns. */
  readonly isLong: boolean;
  /** By JSON Pointer, numbers whose fraction a double loses, as they are written. */
  readonly lostFractions: ReadonlyMap<string, string>;
}

/** The largest request body that is read. */
export const BODY_LIMIT_BYTES = 2 * 1024 * 1024;
/** Whatever a body of this length holds, it is read and validated within 10 ms. */
const SHORT_BODY_BYTES = 16 * 1024;
/**
 * The longest list of the contract has 10 000. JSON.parse takes up to 13 ms for as many (Node 20), and up to 0.3 s and
 * 100 MB for what fits into 2 MiB.
 */
const MOST_VALUES = 12_000;

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/** The escape of half a surrogate pair: the raw bytes are UTF-8, which has none. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Reads JSON bodies strictly: UTF-8 that is none, or text that is no JSON, is refused and never repaired, and so is a
 * body of more than `mostValues` objects, lists, members and items.
 */
export function readJsonBodies(app: FastifyInstance, mostValues = MOST_VALUES): void {
  app.removeAllContentTypeParsers();
  if (!app.hasRequestDecorator("bodyTraits")) app.decorateRequest("bodyTraits", null);
  const turns = new Turns();
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, bytes, done) => {
    if (bytes.length > SHORT_BODY_BYTES) {
      turns
        .take(() => readLong(request, bytes, mostValues), request.caller?.tenantId)
        .then((value) => done(null, value), done);
      return;
    }
    let value: unknown;
    try {
      requirePlain(request);
      const text = readText(bytes);
      request.bodyTraits = traitsOf(text);
      value = parseJson(text);
    } catch (error) {
      done(error as Error);
      return;
    }
    done(null, value);
  });
}

/** Each step of 2 MiB takes some milliseconds, and other requests have their turn in between. */
async function readLong(request: FastifyRequest, bytes: Buffer, mostValues: number): Promise<unknown> {
  requirePlain(request);
  const text = readText(bytes);
  await setImmediate();
  const { crowded, lostFractions } = outlineJson(text, mostValues);
  if (crowded !== undefined) {
    const detail = `Expected at most ${mostValues} members and items in a body, and there are more, most of them here.`;
    throw refuseFaults([{ pointer: crowded, code: "too_many", detail }]);
  }
  await setImmediate();
  request.bodyTraits = { isLong: true, lostFractions };
  return parseJson(text);
}

/** Whether the body is long, or does not say how long it is. */
export function isLongBody(headers: IncomingHttpHeaders): boolean {
  const { "content-length": announced, "transfer-encoding": encoding } = headers;
  return Number(announced ?? 0) > SHORT_BODY_BYTES || encoding !== undefined;
}

/** The refusal of a request that has to have a body, and has none. */
export function bodyMissing(): Refusal {
  return new Refusal("malformed_json", "The body is empty. Send a JSON object.");
}

function requirePlain({ raw, headers }: FastifyRequest): void {
  const misplaced = findMisplacedHeader(raw);
  if (misplaced !== undefined) throw new Refusal("malformed_http", misplaced);
  const { "content-encoding": encoding = "identity", "content-type": type = "" } = headers;
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

function readText(bytes: Buffer): string {
  if (bytes.length === 0) throw bodyMissing();
  if (!isUtf8(bytes)) throw new Refusal("malformed_json", "The body is not valid UTF-8.");
  return bytes.toString("utf8");
}

function traitsOf(text: string): BodyTraits | null {
  if (mayLoseFraction(text)) return { isLong: false, lostFractions: outlineJson(text, MOST_VALUES).lostFractions };
  const hasSurrogates = text.includes("\\u") && SURROGATE_ESCAPE.test(text);
  return hasSurrogates ? { isLong: false, lostFractions: new Map() } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
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
