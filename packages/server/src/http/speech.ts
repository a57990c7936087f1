// Serves the speech of calls to the providers that play it. The path contains a token that cannot be guessed.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import { SPEECH_PATH } from "../domain/public-paths.ts";

/** How long a provider may keep a speech: a day, because the same text is spoken in many calls. */
const MAX_AGE_SECONDS = 24 * 60 * 60;

/** Adds the route. `findFile` returns the path of the WAV file to which a token leads; undefined if there is none. */
export function addSpeechRoute(
  app: FastifyInstance,
  { findFile }: { findFile: (token: string) => Promise<string | undefined> },
): void {
  app.get(`${SPEECH_PATH}:token`, async (request, reply) => {
    const file = await findFile((request.params as { token: string }).token);
    if (file === undefined) return reply.code(404).header("Cache-Control", "no-store").send();
    const { size } = await stat(file);
    reply.headers({ "Content-Type": "audio/wav", "Content-Length": size });
    reply.header("Cache-Control", `private, max-age=${MAX_AGE_SECONDS}`);
    return reply.send(createReadStream(file));
  });
}
