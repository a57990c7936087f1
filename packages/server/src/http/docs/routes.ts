// /docs: the contract for people, from this server alone; and a page for each problem code.

import { readFile } from "node:fs/promises";
import { type ProblemEntry, problems } from "@msgctl/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import { Refusal } from "../../operations/refusal.ts";
import { nodeOf } from "./document.ts";
import { CONTENT_SECURITY_POLICY } from "./frame.ts";
import { renderContract, renderProblem } from "./pages.ts";

const entries: Readonly<Record<string, ProblemEntry>> = problems;

/** Renders the contract's page when it is first asked for, from the JSON that the build leaves beside the program. */
export function addDocsRoutes(app: FastifyInstance, contract: URL): void {
  let rendered: Promise<string> | undefined;
  app.get("/docs", async (_request, reply) => {
    rendered ??= readFile(contract, "utf8").then((text) => renderContract(nodeOf(JSON.parse(text)), entries));
    try {
      return send(reply, await rendered);
    } catch (error) {
      rendered = undefined;
      throw error;
    }
  });
  app.get<{ Params: { code: string } }>("/docs/errors/:code", async ({ params: { code } }, reply) => {
    const entry = Object.hasOwn(entries, code) ? entries[code] : undefined;
    if (entry === undefined) throw new Refusal("route_not_found", "There is no such problem code: /docs lists all.");
    return send(reply, renderProblem(code, entry));
  });
}

function send(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .header("Content-Type", "text/html; charset=utf-8")
    .header("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    .header("X-Content-Type-Options", "nosniff")
    .header("Referrer-Policy", "no-referrer")
    .header("Cache-Control", "no-cache")
    .send(page);
}
