// Requests with long bodies: they are read as far as there is room for their bytes, and no tenant has all of it, so that what is
// held of them is bounded. The others are not read before there is; what they have sent waits in the network.

import type { FastifyReply, FastifyRequest } from "fastify";
import { Places } from "../places/places.ts";
import { isLongBody } from "./body.ts";
import { BODY_LIMIT_BYTES } from "./body-refusals.ts";

export interface BodyRoom {
  /** Of the bodies that are read at once, and of those of one tenant: the largest body or more. */
  readonly bytes: number;
  readonly bytesPerTenant: number;
  /** How long a request waits for its room. */
  readonly waitMs: number;
}

export const defaultBodyRoom: BodyRoom = {
  // a body costs up to five times its bytes while it is read and validated
  bytes: 24 * BODY_LIMIT_BYTES,
  bytesPerTenant: 3 * BODY_LIMIT_BYTES,
  // less than the 30 s that a request may take to arrive
  waitMs: 20_000,
};

const KIB = 1_024;

export class LongBodies {
  readonly #places: Places;

  constructor({ bytes, bytesPerTenant, waitMs } = defaultBodyRoom) {
    const words = `Bodies of more than 16 KiB are read up to ${bytesPerTenant / KIB} KiB of a tenant and ${bytes / KIB} KiB in all at a time`;
    this.#places = new Places({ atOnce: bytes, perTenant: bytesPerTenant, waitMs, words });
  }

  /** Refuses who waits, and who comes. */
  close(): void {
    this.#places.close();
  }

  /**
   * Resolves when the request's body may be read, which has its room until the reply is over; undefined for one that needs
   * none. Rejects with `unavailable` where there is none in time, and when the client goes away.
   */
  admit({ headers }: FastifyRequest, { raw }: FastifyReply, tenantId: number): Promise<void> | undefined {
    if (!isLongBody(headers)) return undefined;
    const gone = new AbortController();
    raw.once("close", () => gone.abort());
    // one that does not say how long it is may be as long as any
    const bytes = Number(headers["content-length"] ?? BODY_LIMIT_BYTES);
    return this.#places.take(tenantId, gone.signal, bytes).then((leave) => {
      if (gone.signal.aborted) leave();
      else gone.signal.addEventListener("abort", leave);
    });
  }
}
