import { isUtf8 } from "node:buffer";
import type { FastifyInstance } from "fastify";
import { Refusal } from "../operations/refusal.ts";

/** The largest request body that is read. */
export const BODY_LIMIT_BYTES = 2 * 1024 * 1024;

/** Reads JSON bodies strictly: UTF-8 that is none, or text that is no JSON, is refused and never repaired. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (_request, body, done) => {
    try {
      done(null, parseJson(body));
    } catch (error) {
      done(error as Error);
    }
  });
}

function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw new Refusal("malformed_json", "The body is empty. Send a JSON object.");
  if (!isUtf8(body)) throw new Refusal("malformed_json", "The body is not valid UTF-8.");
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (error) {
    const reason = error instanceof Error ? withoutContent(error.message) : "it ends early";
    throw new Refusal("malformed_json", `The body is not valid JSON: ${reason}.`);
  }
}

/** V8 quotes the text around the fault, which may hold what nobody should log: only the place is kept. */
function withoutContent(message: string): string {
  const place = /position (\d+)/.exec(message);
  return place ? `fault at character ${place[1]}` : "it ends early or is no JSON at all";
}
