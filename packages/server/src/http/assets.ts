// Serves built files (pages, styles, scripts) and the 404 page. Files are kept in memory, compressed.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../domain/refusal.ts";
import { namesHtml } from "./replies/accept.ts";
import { replyWithProblem } from "./replies/problems.ts";

export interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly gzipped: Buffer;
  readonly hash: string;
}

const compress = promisify(gzip);

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".ico": "image/x-icon",
};

/** Matches names that the build creates. They cannot lead out of the folder. */
const NAME = /^[\w-]+(?:[./][\w-]+)*$/;

/**
 * Returns a function that finds a file of the folder by its name, or returns undefined. Each file is read once.
 *
 * @param change applied to each file
 */
export function openAssets(
  folder: URL,
  change: (content: Buffer) => Buffer = (content) => content,
): (name: string) => Promise<Asset | undefined> {
  const kept = new Map<string, Asset>();
  return async (name) => {
    const known = kept.get(name);
    const type = TYPES[extname(name)];
    if (known !== undefined || type === undefined || !NAME.test(name)) return known;
    const content = await readFile(new URL(name, folder)).catch(ignoreMissing);
    if (content === undefined) return undefined;
    const body = change(content);
    const hash = createHash("sha256").update(body).digest("base64url").slice(0, 22);
    const asset = { type, body, gzipped: await compress(body), hash };
    kept.set(name, asset);
    return asset;
  };
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
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

/** Allows scripts, styles, images, frames and requests from this server only; no form targets, no embedding in frames. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Security headers of every page and file. */
const pageHeaders = {
  "Content-Security-Policy": CONTENT_SECURITY_POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
};

function takesGzip(accepted = ""): boolean {
  return accepted.split(",").some((coding) => /^\s*(?:x-)?gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(coding));
}

/** Returns whether If-None-Match has the tag, by weak comparison as RFC 9110 (13.1.2) requires. */
function hasTag(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false;
  const tags = given.split(",").map((part) => part.trim().replace(/^W\//, ""));
  return tags.includes(tag) || tags.includes("*");
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Nothing here · msgd</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header class="top"><a class="brand" href="/docs">msgd</a></header>
<div><main><article class="guide"><h1>Nothing here</h1>
<p>This server has no such page. Every operation is described at <a href="/docs">/docs</a>.</p></article></main></div>
</body>
</html>
`;

/**
 * Replies 404, as a page for a browser and a problem for a program. @param detail names the missing object, as a
 * sentence
 */
export function replyNothingThere(detail: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header("Vary", "Accept");
  // under /api the contract applies, whose errors are problems
  if (!namesHtml(request.headers.accept) || request.url.startsWith("/api/")) {
    const where = "/docs describes every operation, and /openapi.yaml lists their paths.";
    return replyWithProblem(new Refusal("route_not_found", `${detail} ${where}`), request, reply);
  }
  return reply
    .code(404)
    .headers(pageHeaders)
    .header("Content-Type", "text/html; charset=utf-8")
    .header("Cache-Control", "no-store")
    .send(page);
}
