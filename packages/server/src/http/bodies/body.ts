// Bodies are read here and not by Fastify, so that a long one is read no faster than it is checked.

import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "../../rules/refusal.ts";
import { LoopShare } from "../places/loop-share.ts";
import { bodyCutOff, bodyMissing, notUtf8 } from "./body-refusals.ts";
import { mayLoseFraction, outlineJson, type ValueCounts } from "./json-outline.ts";
import { LongBody } from "./long-body.ts";
import { findMisplacedHeader } from "./single-headers.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What validation needs to know about the body's text; null for most bodies, whose value is enough. */
    bodyTraits: BodyTraits | null;
  }
}

/** Runs a step of a tenant's work when its turn comes; rejects with what the step throws. */
export type TakeStep = <T>(step: () => T) => Promise<T>;

/** What can be seen in a body's text but not in its value. */
export interface BodyTraits {
  /** Runs each step of validating a long body; undefined for a short one. */
  readonly inStep: TakeStep | undefined;
  /** By JSON Pointer, numbers as written whose fraction is lost in a double. */
  readonly lostFractions: ReadonlyMap<string, string>;
}

/** Whatever a body of this length holds, it is read and validated within 10 ms. */
const SHORT_BODY_BYTES = 16 * 1024;
/**
 * The contract's longest list has 10 000 items, and no object has 50 members. JSON.parse takes 2 ms for this many items
 * and 3 ms for this many members (Node 20), but up to 0.3 s and 100 MB for what fits into 2 MiB.
 */
export const MOST_VALUES: ValueCounts = { items: 12_000, members: 2_000 };
/** The tenant of requests without a credential. */
const NOBODY = 0;

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/** The escape of half a surrogate pair. Only an escape can be one: UTF-8 cannot encode it. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

type Done = (error: Error | null, value?: unknown) => void;

/**
 * Reads JSON bodies strictly: invalid UTF-8 and invalid JSON are refused, never repaired, and so is a long body with
 * more values than `most`.
 */
export function readJsonBodies(app: FastifyInstance, most = MOST_VALUES): void {
  app.removeAllContentTypeParsers();
  if (!app.hasRequestDecorator("bodyTraits")) app.decorateRequest("bodyTraits", null);
  const loop = new LoopShare();
  app.addContentTypeParser("application/json", (request, body, done) => {
    if (isLongBody(request.headers)) {
      const inStep: TakeStep = (step) => loop.run(request.caller?.tenantId ?? NOBODY, step);
      readLong(request, body, { inStep, most }).then((value) => done(null, value), done);
    } else {
      readShort(request, body, done);
    }
  });
}

/** Uses no promises, each of which would cost a send 0.3 µs. Most bodies are one piece. */
function readShort(request: FastifyRequest, body: IncomingMessage, done: Done): void {
  const pieces: Buffer[] = [];
  const settle = (error?: Error) => {
    body.off("data", take).off("end", settle).off("error", settle);
    if (error !== undefined) return done(error);
    let value: unknown;
    try {
      value = readWhole(request, pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));
    } catch (fault) {
      return done(fault as Error);
    }
    done(null, value);
  };
  const take = (piece: Buffer) => pieces.push(piece);
  body.on("data", take).on("end", settle).on("error", settle);
}

function readWhole(request: FastifyRequest, bytes: Buffer): unknown {
  requireLength(request, bytes.length);
  requirePlain(request);
  if (bytes.length === 0) throw bodyMissing();
  if (!isUtf8(bytes)) throw notUtf8();
  const text = bytes.toString("utf8");
  request.bodyTraits = traitsOf(text);
  return parseJson(text);
}

/** Reads each piece only after the previous one has been checked. */
async function readLong(
  request: FastifyRequest,
  body: IncomingMessage,
  { inStep, most }: { inStep: TakeStep; most: ValueCounts },
): Promise<unknown> {
  const long = new LongBody(most);
  // a client that sent too much still gets a reply
  for await (const piece of body.iterator({ destroyOnReturn: false })) await inStep(() => long.take(piece));
  requireLength(request, long.bytes);
  requirePlain(request);
  return inStep(() => {
    const value = parseJson(long.end());
    request.bodyTraits = { inStep, lostFractions: long.lostFractions };
    return value;
  });
}

/** Returns whether the body is long, or of unknown length. */
export function isLongBody(headers: IncomingHttpHeaders): boolean {
  const { "content-length": announced, "transfer-encoding": encoding } = headers;
  return Number(announced ?? 0) > SHORT_BODY_BYTES || encoding !== undefined;
}

/** Node ensures this for a connection, but not for a request in process. */
function requireLength({ headers }: FastifyRequest, bytes: number): void {
  const announced = headers["content-length"];
  if (announced !== undefined && Number(announced) !== bytes) throw bodyCutOff();
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

function traitsOf(text: string): BodyTraits | null {
  if (mayLoseFraction(text)) return { inStep: undefined, lostFractions: outlineJson(text).lostFractions };
  const hasSurrogates = text.includes("\\u") && SURROGATE_ESCAPE.test(text);
  return hasSurrogates ? { inStep: undefined, lostFractions: new Map() } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? withoutContent(error.message) : "it ends early";
    throw new Refusal("malformed_json", `The body is not valid JSON: ${reason}.`);
  }
}

/** V8 quotes the text around the fault, which may be sensitive: keeps only the position. */
function withoutContent(message: string): string {
  const place = /position (\d+)/.exec(message);
  return place ? `fault at character ${place[1]}` : "it ends early or is no JSON at all";
}
