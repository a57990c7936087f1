// Records each reply after it is sent: counts it by operation and status and, if enabled, logs it. A log line never has a
// query, a body or a credential.

import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import type { CallerWaits } from "../../platform/caller-waits.ts";
import type { NoteReply } from "../metrics/metrics.ts";

/**
 * Records the replies of one operation with `count`, and how long their callers waited. Logs each reply at `info`; at
 * `debug` also with the caller.
 */
export function createReplyNote(
  app: { log: FastifyBaseLogger },
  operation: string,
  count: NoteReply,
  waits?: CallerWaits,
): (request: FastifyRequest, reply: FastifyReply, done: () => void) => void {
  const log = createLog(app.log, operation);
  return (request, reply, done) => {
    const { elapsedTime } = reply;
    count(reply.statusCode, elapsedTime);
    waits?.noteReply(request.raw.socket, elapsedTime);
    log?.(request, reply);
    done();
  };
}

/** Returns a function that logs replies; undefined if the log level excludes them, so that no reply needs a check. */
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
