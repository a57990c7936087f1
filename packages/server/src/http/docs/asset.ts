// Files that are the same for every client while the server runs: pages, style, script. Cached as they are sent.

import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { CONTENT_SECURITY_POLICY } from "./layout.ts";

export interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly gzipped: Buffer;
  readonly hash: string;
}

const compress = promisify(gzip);

export async function makeAsset(type: string, content: string | Buffer): Promise<Asset> {
  const body = Buffer.from(content);
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  return { type, body, gzipped: await compress(body), hash };
}

/** Sends the asset, or 304 to a client that has it. */
export function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, gzipped, hash }: Asset,
  cacheControl = "no-cache",
): FastifyReply {
  const isGzipped = takesGzip(request.headers["accept-encoding"]);
  const tag = `"${hash}${isGzipped ? "-gzip" : ""}"`;
  reply
    .headers(pageHeaders)
    .header("Content-Type", type)
    .header("ETag", tag)
    .header("Cache-Control", cacheControl)
    .header("Vary", "Accept-Encoding");
  if (hasTag(request.headers["if-none-match"], tag)) return reply.code(304).send();
  if (isGzipped) reply.header("Content-Encoding", "gzip");
  return reply.send(isGzipped ? gzipped : body);
}

/** Security headers of everything that a browser shows of this server. */
export const pageHeaders = {
  "Content-Security-Policy": CONTENT_SECURITY_POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
};

function takesGzip(accepted = ""): boolean {
  return accepted.split(",").some((coding) => /^\s*(?:x-)?gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(coding));
}

/** Compares weakly, as RFC 9110 (13.1.2) requires. */
function hasTag(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false;
  const tags = given.split(",").map((part) => part.trim().replace(/^W\//, ""));
  return tags.includes(tag) || tags.includes("*");
}
