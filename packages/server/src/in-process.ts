// A complete server in this process, with one tenant and nothing on disk, for @msgctl/mocks and the server's tests. By
// default its clock stands still until it is moved.

import { IDEMPOTENCY_KEY_KEPT_DAYS_DEFAULT } from "@msgctl/contract/constants";
import { createShiftableClock, createVirtualClock, type MovableClock } from "./development/clocks.ts";
import type { DevelopmentTenant } from "./development/control.ts";
import { createExchange, type Exchange } from "./development/exchange.ts";
import { applySeed, demoMerchantId, demoSeed, demoTenantName } from "./development/seed.ts";
import { SIGNING_SECRET_BYTES, toSigningSecret } from "./domain/callbacks/rules.ts";
import { readCallbackSecrets, restoreCallbackSecret } from "./domain/callbacks/secrets.ts";
import type { ConsentPolicy } from "./domain/policies.ts";
import { makeApiKey, makeApiSecret } from "./domain/tenancy/credentials.ts";
import { createTenant, type IssuedCredential, issueCredential, recreateTenant } from "./domain/tenancy/tenants.ts";
import { builtContract, type ContractFiles } from "./http/contract-document.ts";
import { systemClock } from "./platform/clock.ts";
import type { DatabaseLocation } from "./platform/database-url.ts";
import { createLogging } from "./platform/logging.ts";
import { createSecretBox, SECRET_KEY_BYTES } from "./platform/secret-box.ts";
import { explainSqliteBinding } from "./platform/sqlite-binding.ts";
import { openService, type Service, type ServiceOptions } from "./service.ts";
import { emptyTables } from "./store/reset.ts";

export { describeListenFailure, formatUrl as urlOf } from "./commands/ready.ts";
export type { Exchange, PlainReply, PlainRequest } from "./development/exchange.ts";
export { parseDuration } from "./domain/calendar.ts";
export { type IssuedCredential, UnknownMerchantError } from "./domain/tenancy/tenants.ts";
export { plannedFailureDetail } from "./http/operation-faults.ts";
export * as timers from "./platform/timers.ts";
export type { Poster, PostResult } from "./service.ts";

/** The demo tenant's keys in every in-process service. They are public and the same at each start. */
const demoKeys = { apiKey: makeApiKey("tenant", "test", () => 0), apiSecret: makeApiSecret(() => 0) };
const demoCallbackSecret = toSigningSecret(Buffer.alloc(SIGNING_SECRET_BYTES));

export const pepper = "a pepper of no secret, for memory only";

/** Seals the secrets of every in-process service. */
export const secrets = createSecretBox(() => [Buffer.alloc(SECRET_KEY_BYTES, "for memory only")]);

/** Options that are passed to the service as they are. */
type PassedOptions = Pick<
  ServiceOptions,
  | "publicUrl"
  | "trustedProxies"
  | "logAddresses"
  | "stopCovers"
  | "directoryCredential"
  | "rateLimit"
  | "prices"
  | "largestUpgradeCents"
  | "databaseConnections"
  | "replyBounds"
  | "bodyRoom"
  | "dashboardFiles"
  | "passwordCost"
  | "registration"
  | "poster"
>;

export interface InProcessOptions extends PassedOptions {
  /** @default "strict" */
  readonly consentPolicy?: ConsentPolicy | undefined;
  /** Whether callbacks may go over http, and to this machine or its network. @default false */
  readonly allowPrivateCallbacks?: boolean | undefined;
  /** The tenant's time zone. @default "UTC" */
  readonly timezone?: string | undefined;
  /** Initial time of the clock, in epoch milliseconds. @default noon of 15 January 2026 UTC */
  readonly now?: number | undefined;
  /** Receives the lines of the log, from `logLevel` up. */
  readonly log?: ((line: string) => void) | undefined;
  /** @default "trace" */
  readonly logLevel?: "trace" | "error" | undefined;
  /** @default in memory */
  readonly database?: DatabaseLocation | undefined;
  /** The contract to serve, with its documentation. @default the built contract with `isDemo`, else none */
  readonly contractFiles?: ContractFiles | undefined;
  /** Adds the control API, which moves the service's clock. */
  readonly isDevelopment?: boolean | undefined;
  /**
   * Uses the demo tenant, with the same keys at each start and data that a reset restores. Serves the contract.
   * @default false
   */
  readonly isDemo?: boolean | undefined;
  /** Whether the clock runs instead of standing still at `now`. @default false */
  readonly isRunning?: boolean | undefined;
}

export interface InProcessService extends Service {
  readonly clock: MovableClock;
  /** The tenant's credential. A reset keeps it. */
  readonly credential: IssuedCredential;
  /** Issues a credential for a new tenant, or for a merchant of this one. */
  issue(owner: { tenant?: string; merchantId?: string }): Promise<IssuedCredential>;
  /** Returns the signing secret of the tenant's callbacks, `whsec_…`. The first call creates it, and a reset keeps it. */
  callbackSecret(): Promise<string>;
  /** Answers a request without a connection. */
  readonly exchange: Exchange;
}

/** Opens a server, in memory by default. It dispatches nothing before it is started. */
export async function openInProcessService(options: InProcessOptions = {}): Promise<InProcessService> {
  const {
    consentPolicy = "strict",
    allowPrivateCallbacks = false,
    timezone = "UTC",
    now = Date.UTC(2026, 0, 15, 12),
    log,
    logLevel = "trace",
    database = { file: ":memory:" },
    isDevelopment = false,
    isDemo = false,
    contractFiles = isDemo ? builtContract : undefined,
    isRunning = false,
    ...passed
  } = options;
  const clock = isRunning ? createShiftableClock(systemClock) : createVirtualClock(now);
  const service = await openService({
    ...passed,
    database,
    simulator: { file: ":memory:" },
    pepper,
    consentPolicy,
    secrets,
    idempotencyDays: IDEMPOTENCY_KEY_KEPT_DAYS_DEFAULT,
    callbackReach: allowPrivateCallbacks ? "private" : "public",
    contractFiles,
    clock,
    logger: log && createLogging({ level: logLevel, stream: { write: log } }),
    development: isDevelopment ? { clock, tenant: () => tenant } : undefined,
  }).catch((error) => {
    throw explainSqliteBinding(error);
  });
  clock.watch(() => service.isBusy());
  const { app, store } = service;
  const addTenant = async (name: string) => {
    const tenant = await store.write((tx) => createTenant(tx, { name, timezone, mode: "test", now: clock.now() }));
    return tenant.tenantId;
  };
  const addKey = (tenantId: number, merchantId: string | null) =>
    store.write((tx) => issueCredential(tx, { tenantId, merchantId, pepper, now: clock.now() }));

  const name = isDemo ? demoTenantName : "Acme";
  const issued = await addKey(await addTenant(name), null);
  const { tenantId } = issued;
  const credential: IssuedCredential = isDemo ? { ...issued, ...demoKeys } : issued;
  let callbackSecret = isDemo ? demoCallbackSecret : undefined;
  const tenant: DevelopmentTenant = {
    tenantId,
    credential: { apiKey: credential.apiKey, apiSecret: credential.apiSecret, merchantId: demoMerchantId },
    async recreate(tx, now) {
      await recreateTenant(tx, { tenant: { tenantId, name, timezone, mode: "test" }, credential, pepper, now });
      if (callbackSecret !== undefined) {
        await restoreCallbackSecret(tx, secrets, { tenantId, now, secret: callbackSecret });
      }
      if (isDemo) await tenant.seed(tx, now);
    },
    seed: (tx, now) => applySeed(tx, { tenantId, now }, demoSeed),
  };
  if (isDemo) {
    await store.write(async (tx) => {
      await emptyTables(tx);
      await tenant.recreate(tx, clock.now());
    });
  }
  return {
    ...service,
    clock,
    credential,
    async issue({ tenant, merchantId }) {
      return addKey(tenant === undefined ? tenantId : await addTenant(tenant), merchantId ?? null);
    },
    async callbackSecret() {
      [callbackSecret = ""] = await store.write((tx) =>
        readCallbackSecrets(tx, secrets, { tenantId, now: clock.now() }),
      );
      return callbackSecret;
    },
    exchange: createExchange(app),
  };
}
