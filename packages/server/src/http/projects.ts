// The label of a request to a server in development, which what it accepts has too: `X-Project: <label>`, or else the name of
// its key. Elsewhere nobody reads it.

import type { FastifyInstance } from "fastify";
import { isProject, PROJECT_WORDS } from "../rules/projects.ts";
import { refuseFaults } from "../rules/refusal.ts";
import { showText } from "../rules/unicode.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Null without one, and always outside of development. */
    project: string | null;
  }
}

const HEADER = "x-project";
/** How much is quoted of what is no label, in UTF-16 units. */
const SHOWN = 80;

/** Reads the label of every request, and refuses a header that is none with `validation_error`. */
export function readProjects(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const given = request.headers[HEADER];
    if (given === undefined) done();
    else if (typeof given === "string" && isProject(given)) {
      request.project = given;
      done();
    } else {
      const detail = `Expected ${PROJECT_WORDS}; received ${showText(String(given), SHOWN)}.`;
      done(refuseFaults([{ pointer: "/header/X-Project", code: "invalid", detail }]));
    }
  });
  // the caller is known from here on, whatever becomes of the body
  app.addHook("preParsing", (request, _reply, payload, done) => {
    request.project ??= request.caller?.keyName ?? null;
    done(null, payload);
  });
}
