// Limits the memory of long bodies: each is read only once there is room for its bytes, and no tenant can have all the
// room. Until then it is not read; what the client has sent waits in the network.

import type { FastifyReply, FastifyRequest } from "fastify";
import { FairSemaphore } from "../../platform/fair-line.ts";
import { limitWait } from "../busy.ts";
import { isLongBody } from "./body.ts";
import { BODY_LIMIT_BYTES } from "./body-refusals.ts";

export interface BodyRoom {
  /** The bytes of all bodies read at once, and of one tenant's: at least the largest body. */
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
  readonly #permits: FairSemaphore;

  constructor({ bytes, bytesPerTenant, waitMs } = defaultBodyRoom) {
    const words = `Bodies of more than 16 KiB are read up to ${bytesPerTenant / KIB} KiB of a tenant and ${bytes / KIB} KiB in all at a time`;
    this.#permits = new FairSemaphore({
      atOnce: bytes,
      perOwner: bytesPerTenant,
      ...limitWait(waitMs, words),
    });
  }

  /** Refuses waiting and future requests. */
  close(): void {
    this.#permits.close();
  }

  /**
   * Resolves when the request's body may be read; its room is held until the reply ends. Returns undefined for a short
   * body. Rejects with `unavailable` when no room becomes free in time, and when the client disconnects.
   */
  admit({ headers }: FastifyRequest, { raw }: FastifyReply, tenantId: number): Promise<void> | undefined {
    if (!isLongBody(headers)) return undefined;
    const gone = new AbortController();
    raw.once("close", () => gone.abort());
    // without a Content-Length it may be as long as the limit
    const bytes = Number(headers["content-length"] ?? BODY_LIMIT_BYTES);
    return this.#permits.take(tenantId, gone.signal, bytes).then((leave) => {
      if (gone.signal.aborted) leave();
      else gone.signal.addEventListener("abort", leave);
    });
  }
}
