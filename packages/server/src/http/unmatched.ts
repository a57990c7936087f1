// Requests that no route takes: the path exists with another method (405 with Allow), or not at all (404).

import { operations } from "@msgctl/contract";
import type { FastifyInstance } from "fastify";
import { Refusal } from "../operations/refusal.ts";
import type { Metrics } from "./metrics.ts";
import { replyWithProblem } from "./problems.ts";
import { createReplyNote } from "./reply-notes.ts";

export function refuseUnmatched(app: FastifyInstance, metrics: Metrics): void {
  const note = createReplyNote(app, metrics, "unmatched");
  const paths = listPaths();
  app.setNotFoundHandler((request, reply) => {
    reply.raw.once("finish", () => note(request, reply, () => {}));
    const [path = "/"] = request.url.split("?", 1);
    const known = paths.find(({ pattern }) => pattern.test(path));
    if (known === undefined) {
      const detail = "No operation of the contract has this path. The paths are listed in openapi.yaml.";
      return replyWithProblem(new Refusal("route_not_found", detail), request, reply);
    }
    reply.header("Allow", known.allow);
    const detail = `${request.method} is not a method of this path. Allowed: ${known.allow}.`;
    return replyWithProblem(new Refusal("method_not_allowed", detail), request, reply);
  });
}

function listPaths(): { pattern: RegExp; allow: string }[] {
  const methods = new Map<string, string[]>();
  for (const { path, method } of Object.values(operations)) methods.set(path, [...(methods.get(path) ?? []), method]);
  return [...methods].map(([path, allowed]) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    allow: allowed.join(", "),
  }));
}
