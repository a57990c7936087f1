// Requests that no route takes: the path exists with another method (405 with Allow), or not at all (404).

import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { CallerWaits } from "../../platform/caller-waits.ts";
import { Refusal } from "../../rules/refusal.ts";
import type { Metrics, NoteReply } from "../metrics/metrics.ts";
import { replyWithProblem } from "./problems.ts";

// What is recorded when a reply has been sent: a count by operation and status and, if enabled, a line in the log, but
// never a query, a body or a credential.

type Note = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/**
 * Records the replies of one operation with `count`, and how long their callers wait; logs them at `info`, and at `debug`
 * with the caller.
 */
export function createReplyNote(
  app: { log: FastifyBaseLogger },
  operation: string,
  count: NoteReply,
  waits?: CallerWaits,
): Note {
  const log = createLog(app.log, operation);
  return (request, reply, done) => {
    const { elapsedTime } = reply;
    count(reply.statusCode, elapsedTime);
    waits?.noteReply(request.raw.socket, elapsedTime);
    log?.(request, reply);
    done();
  };
}

/** Returns undefined if the log level excludes replies, so that no reply needs a check. */
function createLog(
  log: FastifyBaseLogger & { isLevelEnabled?(level: string): boolean },
  operation: string,
): ((request: FastifyRequest, reply: FastifyReply) => void) | undefined {
  if (log.isLevelEnabled?.("info") !== true) return undefined;
  const isDetailed = log.isLevelEnabled("debug");
  return ({ id, caller, loggedAddress: address }, reply) => {
    const ms = Math.round(reply.elapsedTime * 1e3) / 1e3;
    const line = { requestId: id, address, operation, status: reply.statusCode, ms };
    const asked = isDetailed && caller ? { tenantId: caller.tenantId, merchantId: caller.merchantId } : {};
    log.info({ ...line, ...asked }, "answered");
  };
}

interface KnownPath {
  readonly pattern: RegExp;
  methods: string[];
}

/**
 * Creates the reply to requests without a route. To be called in `onRequest`, because a handler runs after the body is
 * read, which may have faults of its own. Knows only routes added after it.
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
    const path = readPath(request.url);
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

/** Returns the path as the router reads it: without the query, and decoded. */
function readPath(url: string): string {
  const [path = "/"] = url.split("?", 1);
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
