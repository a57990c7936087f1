// Bodies are read here and not by Fastify, so that long ones are parsed and validated beside the server's thread.

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "../../rules/refusal.ts";
import type { BodyAnswer, BodyFaults } from "./body-check.ts";
import { BODY_LIMIT_BYTES, bodyCutOff, bodyTooLarge } from "./body-refusals.ts";
import { parseBody } from "./json.ts";
import { findMisplacedHeader } from "./single-headers.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Null for most bodies: they are short, and well-formed. */
    bodyFaults: BodyFaults | null;
  }
  interface FastifyContextConfig {
    /** Parses and validates a long body, whose bytes it may keep. @default it is parsed as a short one is */
    checkBody?: (bytes: Uint8Array<ArrayBuffer>, request: FastifyRequest) => BodyAnswer | Promise<BodyAnswer>;
  }
}

/** Whatever a body of this length holds, it is read and validated within 10 ms. */
const SHORT_BODY_BYTES = 16 * 1024;

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

type Done = (error: Error | null, value?: unknown) => void;

/** Reads JSON bodies strictly: invalid UTF-8 and invalid JSON are refused, never repaired. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest("bodyFaults", null);
  app.addContentTypeParser("application/json", (request, body, done) => {
    if (isLongBody(request.headers)) readLong(request, body).then((value) => done(null, value), done);
    else readShort(request, body, done);
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
      const bytes = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
      requireLength(request, bytes.length);
      requirePlain(request);
      value = parseHere(request, bytes);
    } catch (fault) {
      return done(fault as Error);
    }
    done(null, value);
  };
  const take = (piece: Buffer) => pieces.push(piece);
  body.on("data", take).on("end", settle).on("error", settle);
}

function parseHere(request: FastifyRequest, bytes: Buffer): unknown {
  const { value, malformed } = parseBody(bytes);
  if (malformed.length > 0) request.bodyFaults = { isValidated: false, faults: malformed };
  return value;
}

async function readLong(request: FastifyRequest, body: IncomingMessage): Promise<unknown> {
  const bytes = await collect(request, body);
  requireLength(request, bytes.length);
  requirePlain(request);
  const { checkBody } = request.routeOptions.config;
  if (checkBody === undefined) return parseHere(request, Buffer.from(bytes.buffer, 0, bytes.length));
  const answer = await checkBody(bytes, request);
  if ("refused" in answer) {
    const { code, message, extras } = answer.refused;
    throw new Refusal(code, message, extras);
  }
  request.bodyFaults = answer.found;
  return answer.value;
}

/** The bytes have a memory of their own, which can go to a thread. */
async function collect({ headers }: FastifyRequest, body: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const announced = headers["content-length"];
  const length = Number(announced ?? BODY_LIMIT_BYTES);
  if (length > BODY_LIMIT_BYTES) throw bodyTooLarge(length);
  const bytes = new Uint8Array(length);
  let end = 0;
  // a client that sent too much still gets a reply
  for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (end + piece.length > length) throw announced === undefined ? bodyTooLarge(undefined) : bodyCutOff();
    bytes.set(piece, end);
    end += piece.length;
  }
  return bytes.subarray(0, end);
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
