// Replies to requests without a route: 405 if the path has a route for another method, else 404.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../domain/refusal.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { pathOf, replyWithProblem } from "./problems.ts";
import { createReplyNote } from "./reply-notes.ts";

interface KnownPath {
  readonly pattern: RegExp;
  methods: string[];
}

/**
 * Creates the reply to requests without a route. Call the reply in `onRequest`: a handler runs after the body is read, and
 * a fault of the body would come first. Create it before the routes, because it knows only those added after it.
 *
 * @param replyNothingThere replies to requests for an unknown path
 */
export function createUnmatchedReply(
  app: FastifyInstance,
  metrics: Metrics,
  replyNothingThere: (detail: string, request: FastifyRequest, reply: FastifyReply) => void = replyNotFound,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const note = createReplyNote(app, "unmatched", metrics.countReplies("unmatched"));
  const paths = new Map<string, KnownPath>();
  // OPTIONS * asks about the server as a whole (RFC 9110, 9.3.7)
  const everywhere: KnownPath = { pattern: /^\*$/, methods: [] };
  app.addHook("onRoute", ({ url, method }) => {
    const known = paths.get(url) ?? { pattern: toPattern(url), methods: [] };
    known.methods.push(...[method].flat());
    paths.set(url, known);
    everywhere.methods = [...new Set([...everywhere.methods, ...known.methods])];
  });
  return (request, reply) => {
    reply.raw.once("finish", () => note(request, reply, () => {}));
    const path = decodePath(pathOf(request.url));
    const known = [everywhere, ...paths.values()].find(({ pattern }) => pattern.test(path));
    if (known === undefined) {
      replyNothingThere("No operation of the contract has this path.", request, reply);
      return;
    }
    const allow = known.methods.join(", ");
    reply.header("Allow", allow);
    const detail = `${request.method} is not a method of this path. Allowed: ${allow}.`;
    replyWithProblem(new Refusal("method_not_allowed", detail), request, reply);
  };
}

function replyNotFound(detail: string, request: FastifyRequest, reply: FastifyReply): void {
  replyWithProblem(new Refusal("route_not_found", `${detail} The paths are listed in openapi.yaml.`), request, reply);
}

function toPattern(url: string): RegExp {
  return new RegExp(`^${url.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}$`);
}

/** Decodes a path as the router does. */
function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
