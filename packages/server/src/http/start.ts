import type { FastifyInstance } from "fastify";
import { replyNothingThere } from "./docs/nothing-there.ts";
import { namesHtml } from "./replies/negotiation.ts";

/** Leads a browser that asks for `/` to the page where one begins. */
export function addStart(app: FastifyInstance, page: string): void {
  app.get("/", (request, reply) => {
    reply.header("Vary", "Accept");
    if (namesHtml(request.headers.accept)) return reply.redirect(page, 303);
    return replyNothingThere("There is nothing at /.", request, reply);
  });
}
