// The 404 reply: a page for a browser, a problem for a program.

import type { FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../rules/refusal.ts";
import { namesHtml } from "../replies/negotiation.ts";
import { replyWithProblem } from "../replies/problems.ts";
import { pageHeaders } from "./asset.ts";

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

/** Replies 404 and points to /docs. @param detail what is missing, as a sentence */
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
