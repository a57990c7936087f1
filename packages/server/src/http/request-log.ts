// The last requests of each tenant, for whoever wonders what a program did: in this process's memory, without bodies, queries
// and credentials. Words of a refusal may quote a body, so they are kept in development alone.

import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../platform/clock.ts";
import type { FieldFault, Refusal } from "../rules/refusal.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Why it was refused; null for a success. */
    refusal: Refusal | null;
    /** The operation that it is for, known once its route is. */
    operationId: string | null;
  }
}

export interface AnsweredRequest {
  readonly requestId: string;
  /** When it was answered, in epoch milliseconds. */
  readonly at: number;
  /** Null for a path of no operation. */
  readonly operationId: string | null;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly refusal: KeptRefusal | null;
  readonly ms: number;
  /** Of the credential; null for a tenant's, or none. */
  readonly merchantId: string | null;
  /** Its label; null without one, and outside of development. */
  readonly project: string | null;
}

interface KeptRefusal {
  readonly code: string;
  /** Null outside of development. */
  readonly detail: string | null;
  readonly faults: readonly KeptFault[];
}

interface KeptFault extends Omit<FieldFault, "detail"> {
  /** Null outside of development. */
  readonly detail: string | null;
}

/** Kept of each refusal. */
const MOST_FAULTS = 10;
/** Kept of each tenant. */
const MOST_REQUESTS = 1_000;
/** Whose requests are kept: those of the tenants that asked last. */
const MOST_TENANTS = 100;
const KEPT_MS = 60 * 60_000;
const LONGEST_PATH = 300;

export class RequestLog {
  readonly #clock: Pick<Clock, "now">;
  readonly #development: { tenant(): { tenantId: number } } | undefined;
  /** The tenant that asked last comes last. */
  readonly #tenants = new Map<number, Ring>();
  #last: number | undefined;

  /** @param development has the tenant to whom requests without a credential are shown; undefined outside of development */
  constructor(clock: Pick<Clock, "now">, development?: { tenant(): { tenantId: number } }) {
    this.#clock = clock;
    this.#development = development;
  }

  note(request: FastifyRequest, reply: FastifyReply): void {
    const { caller } = request;
    const tenantId = caller?.tenantId ?? this.#development?.tenant().tenantId;
    if (tenantId === undefined) return;
    this.#ringOf(tenantId).add({
      requestId: request.id,
      at: this.#clock.now(),
      operationId: request.operationId ?? null,
      method: request.method,
      path: pathOf(request.url),
      status: reply.statusCode,
      refusal: request.refusal === null ? null : this.#keep(request.refusal),
      ms: reply.elapsedTime,
      merchantId: caller?.merchantId ?? null,
      project: request.project,
    });
  }

  /** Those of the tenant within the hour, the newest first. */
  list(tenantId: number): AnsweredRequest[] {
    const from = this.#clock.now() - KEPT_MS;
    return (this.#tenants.get(tenantId)?.list() ?? []).filter(({ at }) => at > from);
  }

  #keep({ code, message, extras }: Refusal): KeptRefusal {
    const quotes = this.#development !== undefined;
    const faults = (extras.errors ?? []).slice(0, MOST_FAULTS).map(({ pointer, code, detail }) => ({
      pointer,
      code,
      detail: quotes ? detail : null,
    }));
    return { code, detail: quotes ? message : null, faults };
  }

  forget(): void {
    this.#tenants.clear();
    this.#last = undefined;
  }

  #ringOf(tenantId: number): Ring {
    const ring = this.#tenants.get(tenantId) ?? new Ring();
    if (this.#last === tenantId) return ring;
    this.#last = tenantId;
    this.#tenants.delete(tenantId);
    this.#tenants.set(tenantId, ring);
    if (this.#tenants.size > MOST_TENANTS) {
      for (const [longestAgo] of this.#tenants) {
        this.#tenants.delete(longestAgo);
        break;
      }
    }
    return ring;
  }
}

/** No array of parts, as every request passes here. */
function pathOf(url: string): string {
  const end = url.indexOf("?");
  return url.slice(0, Math.min(end < 0 ? url.length : end, LONGEST_PATH));
}

class Ring {
  readonly #requests: AnsweredRequest[] = [];
  #next = 0;

  add(request: AnsweredRequest): void {
    this.#requests[this.#next] = request;
    this.#next = (this.#next + 1) % MOST_REQUESTS;
  }

  list(): AnsweredRequest[] {
    return [...this.#requests.slice(this.#next), ...this.#requests.slice(0, this.#next)].reverse();
  }
}

/** The letters and digits of an id, each worth nearly six bits, so that no two processes ever draw the same id. */
const LENGTH = 19;
/** Ids drawn at once, which makes one as cheap as a counter. A counter would reveal the rate of others' requests. */
const IDS_A_PAGE = 256;
const PAGE_BYTES = (IDS_A_PAGE * LENGTH * 3) / 4;

const ID = new RegExp(`^req_[A-Za-z0-9]{${LENGTH}}$`);

/** Whether the text has the form of a request id. */
export function isRequestId(text: string): boolean {
  return ID.test(text);
}

/** Returns a generator of random request ids, unique across restarts and instances. */
export function createRequestIds(): () => string {
  let page = "";
  let used = 0;
  return () => {
    if (used === page.length) {
      page = randomBytes(PAGE_BYTES).toString("base64url").replaceAll(/[-_]/g, "0");
      used = 0;
    }
    const id = page.slice(used, used + LENGTH);
    used += LENGTH;
    return `req_${id}`;
  };
}
