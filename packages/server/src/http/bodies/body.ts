// Reads request bodies in place of Fastify, so that long ones can be parsed and validated in a thread.

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../domain/refusal.ts";
import { FairSemaphore } from "../../platform/fair-queue.ts";
import { limitWait } from "../busy.ts";
import {
  BODY_LIMIT_BYTES,
  type BodyAnswer,
  type BodyFaults,
  bodyCutOff,
  bodyTooLarge,
  parseBody,
} from "./body-check.ts";

/**
 * Headers that a request may have only once. If there are two, Node keeps the first or joins them. A proxy may choose
 * differently, and the two would disagree about the request (RFC 9110, 5.3).
 */
const singleHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "content-type",
  "host",
  "idempotency-key",
  "x-api-key",
  "x-api-secret",
]);

/** Describes a repeated header; undefined if there is none. */
export function findRepeatedHeader({ headers, rawHeaders }: IncomingMessage): string | undefined {
  // each name in `headers` comes from one or more header lines
  if (rawHeaders.length <= 2 * Object.keys(headers).length) return undefined;
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    const key = name.toLowerCase();
    if (seen.has(key)) return `The header ${name} is repeated. Send it only once.`;
    if (singleHeaders.has(key)) seen.add(key);
  }
  return undefined;
}

/**
 * Describes one of `singleHeaders` among the trailers, where it would be ignored (RFC 9110, 6.5.1); undefined if there is
 * none.
 */
function findMisplacedHeader({ headers, rawTrailers }: IncomingMessage): string | undefined {
  if (headers["transfer-encoding"] === undefined) return undefined;
  const name = rawTrailers.find((text, index) => index % 2 === 0 && singleHeaders.has(text.toLowerCase()));
  return name === undefined ? undefined : `${name} was sent as a trailer, where it is ignored. Send it as a header.`;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Null for a short, well-formed body. */
    bodyFaults: BodyFaults | null;
  }
  interface FastifyContextConfig {
    /** Parses and validates a long body, and may keep its bytes. @default parsed in this thread, like a short body */
    checkBody?: (bytes: Uint8Array<ArrayBuffer>, request: FastifyRequest) => BodyAnswer | Promise<BodyAnswer>;
  }
}

/** A body up to this length is parsed and validated within 10 ms, whatever its content. */
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

/** Uses no promises, which would slow down every send. */
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

/** Returns the bytes in a buffer of their own, which can be transferred to a thread. */
async function collect({ headers }: FastifyRequest, body: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const announced = headers["content-length"];
  const length = Number(announced ?? BODY_LIMIT_BYTES);
  if (length > BODY_LIMIT_BYTES) throw bodyTooLarge(length);
  const bytes = new Uint8Array(length);
  let end = 0;
  // keeps the request open, so that a client that sends too much still gets a reply
  for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (end + piece.length > length) throw announced === undefined ? bodyTooLarge(undefined) : bodyCutOff();
    bytes.set(piece, end);
    end += piece.length;
  }
  return bytes.subarray(0, end);
}

/** Returns whether the body is long, or of unknown length. */
function isLongBody(headers: IncomingHttpHeaders): boolean {
  const { "content-length": announced, "transfer-encoding": encoding } = headers;
  return Number(announced ?? 0) > SHORT_BODY_BYTES || encoding !== undefined;
}

/** Throws if the body is shorter than announced. Node checks this for connections, but not for in-process requests. */
function requireLength({ headers }: FastifyRequest, bytes: number): void {
  const announced = headers["content-length"];
  if (announced !== undefined && Number(announced) !== bytes) throw bodyCutOff();
}

function requirePlain({ raw, headers }: FastifyRequest): void {
  const misplaced = findMisplacedHeader(raw);
  if (misplaced !== undefined) throw new Refusal("malformed_http", misplaced);
  const { "content-encoding": encoding = "identity", "content-type": type = "" } = headers;
  if (encoding.toLowerCase() !== "identity") {
    throw new Refusal(
      "unsupported_media_type",
      "The body has a Content-Encoding. Send it unencoded, without this header.",
    );
  }
  if (type === "application/json") return;
  const [, charset = "utf-8"] = CHARSET.exec(type) ?? [];
  // RFC 8259, 8.1
  if (!/^utf-?8$/i.test(charset)) {
    throw new Refusal(
      "unsupported_media_type",
      "The Content-Type names a charset other than UTF-8. Send JSON in UTF-8.",
    );
  }
}

export interface BodyRoom {
  /** Maximum bytes of all bodies read at once, and of one tenant's. Both must be at least the size of the largest body. */
  readonly bytes: number;
  readonly bytesPerTenant: number;
  /** How long a request waits for room, in milliseconds. */
  readonly waitMs: number;
}

export const defaultBodyRoom: BodyRoom = {
  // a body takes up to five times its size in memory while it is read and validated
  bytes: 24 * BODY_LIMIT_BYTES,
  bytesPerTenant: 3 * BODY_LIMIT_BYTES,
  // less than the 30 s that a request may take to arrive
  waitMs: 20_000,
};

const KIB = 1_024;

/**
 * Limits the memory of long bodies (docs/decisions/0026). A body is read only when there is room for its bytes. No tenant
 * can take all the room.
 */
export class LongBodies {
  readonly #permits: FairSemaphore;

  constructor({ bytes, bytesPerTenant, waitMs } = defaultBodyRoom) {
    const words = `The server is reading too many large bodies: bodies over 16 KiB share ${bytesPerTenant / KIB} KiB per tenant and ${bytes / KIB} KiB in total`;
    this.#permits = new FairSemaphore({
      atOnce: bytes,
      perOwner: bytesPerTenant,
      ...limitWait(waitMs, words),
    });
  }

  /** Refuses waiting and future requests. */
  close(): void {
    this.#permits.close();
  }

  /**
   * Resolves when the request's body may be read. Its room is held until the reply ends. Returns undefined for a short
   * body. Rejects with `unavailable` if no room becomes free in time or if the client disconnects.
   */
  admit({ headers }: FastifyRequest, { raw }: FastifyReply, tenantId: number): Promise<void> | undefined {
    if (!isLongBody(headers)) return undefined;
    const gone = new AbortController();
    raw.once("close", () => gone.abort());
    // a body without a Content-Length may be as long as the limit
    const bytes = Number(headers["content-length"] ?? BODY_LIMIT_BYTES);
    return this.#permits.take(tenantId, gone.signal, bytes).then((leave) => {
      if (gone.signal.aborted) leave();
      else gone.signal.addEventListener("abort", leave);
    });
  }
}
