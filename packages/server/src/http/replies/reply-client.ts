// The client may disconnect before its reply. Work not yet begun for it is then skipped.

import type { FastifyReply } from "fastify";
import { Refusal } from "../../rules/refusal.ts";

/** Throws if the client has gone. No one reads that refusal, but it is recorded, and frees what the request holds. */
export function requireThere({ raw }: FastifyReply): void {
  if (raw.destroyed) throw clientGone();
}

export function clientGone(): Refusal {
  return new Refusal("unavailable", "The client went away before anything was done.");
}
