// Receives the events of carriers' providers, such as status callbacks, and of payment processors. Each URL contains a secret, and
// each carrier or processor verifies the signature of its provider.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { EventsReceiver } from "../domain/carrier-events.ts";
import { EVENTS_ROUTE } from "../domain/public-paths.ts";

const LONGEST_BODY_BYTES = 1_048_576;
/** Requests that are recorded at once for a carrier or processor. Each waits for the database. */
const MOST_AT_ONCE = 64;
const RETRY_AFTER_SECONDS = "5";

/** Finds the carrier or processor whose URL for events has this id. */
export type FindReceiver = (eventsId: string) => EventsReceiver | undefined | Promise<EventsReceiver | undefined>;

/** Adds the route of all events. */
export function addCarrierEventsRoute(app: FastifyInstance, { findReceiver }: { findReceiver: FindReceiver }): void {
  const atOnce = new Map<string, number>();

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.header("Cache-Control", "no-store");
    const receiver = await findReceiver((request.params as { eventsId: string }).eventsId);
    if (receiver === undefined) return reply.code(404).send();
    // one that cannot be used yet
    if (receiver.receive === undefined) return putOff(reply);
    const { name } = receiver;
    const running = atOnce.get(name) ?? 0;
    if (running >= MOST_AT_ONCE) return putOff(reply);
    atOnce.set(name, running + 1);
    try {
      const [, query = ""] = /\?(.*)$/s.exec(request.url) ?? [];
      const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
      const {
        status,
        contentType,
        body: words,
        detail,
      } = await receiver.receive({ query, headers: request.headers, body });
      if (detail !== undefined) {
        const details = { receiver: name, requestId: request.id, address: request.loggedAddress, status };
        request.log.warn(details, `an event was refused: ${detail}`);
      }
      if (status === 503) return putOff(reply);
      if (contentType !== undefined) reply.header("Content-Type", contentType);
      return reply.code(status).send(words);
    } catch (error) {
      request.log.warn({ err: error, receiver: name, requestId: request.id }, "an event could not be recorded");
      return putOff(reply);
    } finally {
      const left = (atOnce.get(name) ?? 1) - 1;
      if (left === 0) atOnce.delete(name);
      else atOnce.set(name, left);
    }
  }

  app.register(async (scope) => {
    // signatures cover the body as it was sent
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: LONGEST_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.post(EVENTS_ROUTE, answer);
  });
}

/** Asks the provider to repeat the request. */
function putOff(reply: FastifyReply): FastifyReply {
  return reply.code(503).header("Retry-After", RETRY_AFTER_SECONDS).send();
}
