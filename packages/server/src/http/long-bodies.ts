// Requests with long bodies: few are read at a time, and no tenant has all places, so that what is held of them is bounded.
// The others are not read before there is one; what they have sent waits in the network.

import type { FastifyReply, FastifyRequest } from "fastify";
import { isLongBody } from "./body.ts";
import { type PlaceBounds, Places } from "./places.ts";

export type BodyPlaces = Omit<PlaceBounds, "what">;

export const defaultBodyPlaces: BodyPlaces = {
  // each of 2 MiB costs some 10 MB while it is read and validated
  atOnce: 32,
  perTenant: 4,
  // less than the 30 s that a request may take to arrive
  waitMs: 20_000,
};

export class LongBodies {
  readonly #places: Places;

  constructor(bounds = defaultBodyPlaces) {
    this.#places = new Places({ ...bounds, what: "Bodies of more than 16 KiB are read of" });
  }

  /** Refuses who waits, and who comes. */
  close(): void {
    this.#places.close();
  }

  /**
   * Resolves when the request's body may be read, which has its place until the reply is over; undefined for one that needs
   * none. Rejects with `unavailable` where none becomes free, and when the client goes away.
   */
  admit({ headers }: FastifyRequest, { raw }: FastifyReply, tenantId: number): Promise<void> | undefined {
    if (!isLongBody(headers)) return undefined;
    const gone = new AbortController();
    raw.once("close", () => gone.abort());
    return this.#places.take(tenantId, gone.signal).then((leave) => {
      if (gone.signal.aborted) leave();
      else gone.signal.addEventListener("abort", leave);
    });
  }
}
