// A whole server in this process, with nothing on disk and a tenant ready: what the server's own tests talk to.

import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { createContractCheck } from "./contract-check.ts";
import type { DevelopmentTenant } from "./http/control/control.ts";
import { createLogging } from "./logging.ts";
import type { DirectoryCredential } from "./operations/operation.ts";
import type { ConsentPolicy } from "./rules/consent.ts";
import type { PriceList } from "./rules/prices.ts";
import type { RegistrationPolicy } from "./rules/readiness.ts";
import { createSecretBox, SECRET_KEY_BYTES } from "./secret-box.ts";
import { openService, type Service } from "./service.ts";
import { createTenant, type IssuedCredential, issueCredential, recreateTenant } from "./tenancy.ts";
import { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";

const checkReply = createContractCheck();
export const pepper = "a pepper of no secret, for memory only";

/** What every in-memory service seals its secrets with. */
export const secrets = createSecretBox(() => [Buffer.alloc(SECRET_KEY_BYTES, "for memory only")]);

export interface InMemoryService extends Service {
  readonly clock: VirtualClock;
  readonly credential: IssuedCredential;
  /** Another tenant's credential, or one of a merchant of this tenant. */
  issue(owner: { tenant?: string; merchantId?: string }): Promise<IssuedCredential>;
  /** A request, whose reply has to be one of the contract, with a credential's two headers: the tenant's own unless another is given; null sends none. */
  call(
    method: "GET" | "POST" | "DELETE",
    url: string,
    request?: {
      body?: unknown;
      headers?: Readonly<Record<string, string>>;
      as?: Pick<IssuedCredential, "apiKey" | "apiSecret"> | null;
    },
  ): Promise<LightMyRequestResponse>;
}

export async function openInMemoryService(
  options: {
    consentPolicy?: ConsentPolicy;
    registration?: RegistrationPolicy;
    directoryCredential?: DirectoryCredential;
    allowPrivateCallbacks?: boolean;
    rateLimit?: { perSecond: number; burst: number };
    prices?: PriceList;
    timezone?: string;
    now?: number;
    /** Takes every line of the log, down to `trace`. */
    log?: (line: string) => void;
    /** With the control API, whose clock is the virtual one. */
    isDevelopment?: boolean;
  } = {},
): Promise<InMemoryService> {
  const clock = createVirtualClock(options.now ?? Date.UTC(2026, 0, 15, 12));
  const service = await openService({
    databaseFile: ":memory:",
    simulatorFile: ":memory:",
    pepper,
    consentPolicy: options.consentPolicy ?? "strict",
    registration: options.registration ?? "open",
    secrets,
    directoryCredential: options.directoryCredential ?? "a1-hash",
    idempotencyDays: 7,
    allowPrivateCallbacks: options.allowPrivateCallbacks ?? false,
    ...(options.rateLimit === undefined ? {} : { rateLimit: options.rateLimit }),
    ...(options.prices === undefined ? {} : { prices: options.prices }),
    clock,
    ...(options.log === undefined ? {} : { logger: createLogging({ level: "trace", stream: { write: options.log } }) }),
    ...(options.isDevelopment === true ? { development: { clock, tenant: () => tenant } } : {}),
  });
  clock.watch(() => service.isBusy());
  const { app, store } = service;
  const addTenant = async (name: string) => {
    const timezone = options.timezone ?? "UTC";
    const tenant = await store.write((tx) => createTenant(tx, { name, timezone, now: clock.now() }));
    return tenant.tenantId;
  };
  const addKey = (tenantId: number, merchantId: string | null) =>
    store.write((tx) => issueCredential(tx, { tenantId, merchantId, mode: "test", pepper, now: clock.now() }));

  const credential = await addKey(await addTenant("Acme"), null);
  const tenant: DevelopmentTenant = {
    tenantId: credential.tenantId,
    recreate(tx, now) {
      const acme = { tenantId: credential.tenantId, name: "Acme", timezone: options.timezone ?? "UTC" };
      return recreateTenant(tx, { tenant: acme, credential, pepper, now });
    },
    seed: async () => {},
  };
  return {
    ...service,
    clock,
    credential,
    async issue({ tenant, merchantId }) {
      return addKey(tenant === undefined ? credential.tenantId : await addTenant(tenant), merchantId ?? null);
    },
    async call(method, url, { body, headers, as = credential } = {}) {
      const credentials = as === null ? {} : { "x-api-key": as.apiKey, "x-api-secret": as.apiSecret };
      const options: InjectOptions = { method, url, headers: { ...credentials, ...headers } };
      if (body !== undefined) options.payload = body as NonNullable<InjectOptions["payload"]>;
      const reply = await app.inject(options);
      if (url.startsWith("/api/")) checkReply({ method, url }, reply);
      return reply;
    },
  };
}
