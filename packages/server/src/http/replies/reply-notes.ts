// What is noted of each request when its reply has gone out: one more of its operation and status, and where the
// operator asked for it, a line in the log. Never a query, a body or a credential.

import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import type { NoteReply } from "../metrics/metrics.ts";

type Note = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** Notes the replies of one operation with `count`; they are logged at `info`, and at `debug` with who asked. */
export function createReplyNote(app: { log: FastifyBaseLogger }, operation: string, count: NoteReply): Note {
  const log = createLog(app.log, operation);
  if (log === undefined) {
    return (_request, reply, done) => {
      count(reply.statusCode, reply.elapsedTime);
      done();
    };
  }
  return (request, reply, done) => {
    count(reply.statusCode, reply.elapsedTime);
    log(request, reply);
    done();
  };
}

/** Undefined where the level leaves replies out: nothing is asked then at each of them. */
function createLog(
  log: FastifyBaseLogger & { isLevelEnabled?(level: string): boolean },
  operation: string,
): ((request: FastifyRequest, reply: FastifyReply) => void) | undefined {
  if (log.isLevelEnabled?.("info") !== true) return undefined;
  const isDetailed = log.isLevelEnabled("debug");
  return ({ id, caller }, reply) => {
    const line = { requestId: id, operation, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 1e3) / 1e3 };
    const asked = isDetailed && caller ? { tenantId: caller.tenantId, merchantId: caller.merchantId } : {};
    log.info({ ...line, ...asked }, "answered");
  };
}
