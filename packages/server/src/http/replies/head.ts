// HEAD wherever GET is: the headers of GET, and no body (RFC 9110, 9.3.2).

import { Readable } from "node:stream";
import type { FastifyInstance, onSendHookHandler } from "fastify";

/** Discards a streamed reply unread; Node itself omits the body of any other. */
const endStream: onSendHookHandler = (request, _reply, payload, done) => {
  if (request.method !== "HEAD" || !(payload instanceof Readable)) {
    done(null, payload);
    return;
  }
  payload.destroy();
  done(null, null);
};

/** Makes every GET route added from now on answer HEAD too. */
export function answerHead(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    if (route.method !== "GET") return;
    route.method = ["GET", "HEAD"];
    route.onSend = [...[route.onSend ?? []].flat(), endStream];
  });
}
