// Keeps the last requests of each tenant in this process's memory, without bodies, queries and credentials. Also creates
// request ids. The detail of a refusal may quote a body, so details are kept only in development.

import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FieldFault, Refusal } from "../domain/refusal.ts";
import type { Clock } from "../platform/clock.ts";
import { pathOf } from "./replies/problems.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The refusal with which the request was answered; null for a success. */
    refusal: Refusal | null;
    /** The operation of the request's route; null without a route. */
    operationId: string | null;
  }
}

export interface AnsweredRequest {
  readonly requestId: string;
  /** Time of the reply, in epoch milliseconds. */
  readonly at: number;
  /** Null for a request without a route. */
  readonly operationId: string | null;
  readonly method: string;
  /** The path without its query. */
  readonly path: string;
  readonly status: number;
  readonly refusal: {
    readonly code: string;
    /** Null outside of development, like the details of the faults. */
    readonly detail: string | null;
    readonly faults: readonly (Omit<FieldFault, "detail"> & { readonly detail: string | null })[];
  } | null;
  readonly ms: number;
  /** The merchant of the credential; null for a tenant's credential, and without one. */
  readonly merchantId: string | null;
  /** See `FastifyRequest.project`. */
  readonly project: string | null;
}

/** The most faults kept for a refusal. */
const MOST_FAULTS = 10;
/** The most requests kept for a tenant. */
const MOST_REQUESTS = 1_000;
/** The most tenants whose requests are kept. The tenant without a request for the longest time is dropped first. */
const MOST_TENANTS = 100;
const KEPT_MS = 60 * 60_000;
const LONGEST_PATH = 300;

export class RequestLog {
  readonly #clock: Pick<Clock, "now">;
  readonly #development: { tenant(): { tenantId: number } } | undefined;
  /** In the order of the tenants' latest requests: the most recent comes last. */
  readonly #tenants = new Map<number, Ring>();

  /** @param development returns the tenant that sees requests without a credential; undefined outside of development */
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
      path: pathOf(request.url).slice(0, LONGEST_PATH),
      status: reply.statusCode,
      refusal: request.refusal === null ? null : this.#keep(request.refusal),
      ms: reply.elapsedTime,
      merchantId: caller?.merchantId ?? null,
      project: request.project,
    });
  }

  /** Returns the tenant's requests of the last hour, the newest first. */
  list(tenantId: number): AnsweredRequest[] {
    const from = this.#clock.now() - KEPT_MS;
    return (this.#tenants.get(tenantId)?.list() ?? []).filter(({ at }) => at > from);
  }

  #keep({ code, message, extras }: Refusal): AnsweredRequest["refusal"] {
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
  }

  #ringOf(tenantId: number): Ring {
    const ring = this.#tenants.get(tenantId) ?? new Ring();
    this.#tenants.delete(tenantId);
    this.#tenants.set(tenantId, ring);
    const [longestAgo] = this.#tenants.keys();
    if (this.#tenants.size > MOST_TENANTS && longestAgo !== undefined) this.#tenants.delete(longestAgo);
    return ring;
  }
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

/** Number of letters and digits in an id. Each has nearly six random bits, so no two processes draw the same id. */
const LENGTH = 19;
/**
 * Number of ids drawn at once. Drawing many at once makes ids as cheap as a counter. A counter would reveal how many
 * requests other tenants make.
 */
const IDS_A_PAGE = 256;
const PAGE_BYTES = (IDS_A_PAGE * LENGTH * 3) / 4;

const ID = new RegExp(`^req_[A-Za-z0-9]{${LENGTH}}$`);

/** Returns whether the text has the form of a request id. */
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
