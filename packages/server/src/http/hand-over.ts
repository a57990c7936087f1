// Requests that another app answers, which is made with the first of them: until then it costs neither time nor memory.

import type { FastifyInstance } from "fastify";
import type { Reply } from "./app.ts";

/**
 * Creates the reply to requests that `app` hands to another, which closes with it. To be called in `onRequest`, so that
 * the other one reads the body.
 *
 * @param create tried again with the next request when it fails
 */
export function createHandOver(app: FastifyInstance, create: () => Promise<FastifyInstance>): Reply {
  let creating: Promise<FastifyInstance> | undefined;
  let isClosing = false;
  const find = () => {
    creating ??= open().catch((error) => {
      creating = undefined;
      throw error;
    });
    return creating;
  };
  async function open(): Promise<FastifyInstance> {
    const other = await create();
    await other.ready();
    // it answers what has come, and keeps no stream open
    if (isClosing) await other.close();
    return other;
  }
  app.addHook("preClose", async () => {
    isClosing = true;
    await (await creating?.catch(() => undefined))?.close();
  });
  return (request, reply) => {
    find().then(
      (other) => {
        reply.hijack();
        other.routing(request.raw, reply.raw);
      },
      (error) => reply.send(error),
    );
  };
}
