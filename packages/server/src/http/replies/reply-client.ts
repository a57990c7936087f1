// Whoever waits for a reply may go away. What was not begun for it then is left undone.

import type { FastifyReply } from "fastify";
import { Refusal } from "../../rules/refusal.ts";

/** Throws where nobody waits for the reply any more. Nobody reads it: it is noted, and frees what the request holds. */
export function requireThere({ raw }: FastifyReply): void {
  if (raw.destroyed) throw clientGone();
}

export function clientGone(): Refusal {
  return new Refusal("unavailable", "The client went away before anything was done.");
}
