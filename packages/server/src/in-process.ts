// A whole server in this process, with nothing on disk and a tenant ready: for @msgctl/mocks and for the server's own
// tests. Time stands still until it is moved.

import { IDEMPOTENCY_KEY_KEPT_DAYS_DEFAULT } from "@msgctl/contract/constants";
import { createShiftableClock, createVirtualClock, type MovableClock } from "./development/clocks.ts";
import type { DevelopmentTenant } from "./development/control.ts";
import { createExchange, type Exchange } from "./development/exchange.ts";
import { applySeed, demoMerchantId, demoSeed, demoTenantName } from "./development/seed.ts";
import type { BodyRoom } from "./http/bodies/body.ts";
import { builtContract, type ContractFiles } from "./http/contract-document.ts";
import type { ReplyBounds } from "./http/lists/list-replies.ts";
import { systemClock } from "./platform/clock.ts";
import type { DatabaseLocation } from "./platform/database-url.ts";
import { createLogging } from "./platform/logging.ts";
import type { PasswordCost } from "./platform/password-hashes.ts";
import { createSecretBox, SECRET_KEY_BYTES } from "./platform/secret-box.ts";
import { explainSqliteBinding } from "./platform/sqlite-binding.ts";
import type { PriceList } from "./rules/billing.ts";
import { SIGNING_SECRET_BYTES, toSigningSecret } from "./rules/callbacks.ts";
import type { ConsentPolicy, StopCoverage } from "./rules/consent.ts";
import { makeApiKey, makeApiSecret } from "./rules/credentials.ts";
import type { RegistrationPolicy } from "./rules/registration.ts";
import { openService, type Poster, type Service, type ServiceOptions } from "./service.ts";
import { readCallbackSecrets, restoreCallbackSecret } from "./steps/callback-secrets.ts";
import type { DirectoryCredential } from "./steps/operation.ts";
import { createTenant, type IssuedCredential, issueCredential, recreateTenant } from "./steps/tenancy.ts";
import { emptyTables } from "./store/reset.ts";

export { describeListenFailure, formatUrl as urlOf } from "./commands/ready.ts";
export type { Exchange, PlainReply, PlainRequest } from "./development/exchange.ts";
export { plannedFailureDetail } from "./http/operation-faults.ts";
export * as timers from "./platform/timers.ts";
export { parseDuration } from "./rules/calendar.ts";
export type { Poster, PostResult } from "./service.ts";
export { type IssuedCredential, UnknownMerchantError } from "./steps/tenancy.ts";

/** The demo tenant's keys in every in-process service: public, and the same at each start. */
const demoKeys = { apiKey: makeApiKey("tenant", "test", () => 0), apiSecret: makeApiSecret(() => 0) };
const demoCallbackSecret = toSigningSecret(Buffer.alloc(SIGNING_SECRET_BYTES));

export const pepper = "a pepper of no secret, for memory only";

/** Seals the secrets of every in-process service. */
export const secrets = createSecretBox(() => [Buffer.alloc(SECRET_KEY_BYTES, "for memory only")]);

export interface InProcessOptions extends Pick<ServiceOptions, "publicUrl" | "trustedProxies" | "logAddresses"> {
  /** @default "strict" */
  readonly consentPolicy?: ConsentPolicy | undefined;
  /** @default "sms" */
  readonly stopCovers?: StopCoverage | undefined;
  /** @default "open" */
  readonly registration?: RegistrationPolicy | undefined;
  readonly directoryCredential?: DirectoryCredential | undefined;
  /** Whether callbacks may go over http, and to this machine or its network. @default false */
  readonly allowPrivateCallbacks?: boolean | undefined;
  readonly rateLimit?: { perSecond: number; burst: number } | undefined;
  readonly prices?: PriceList | undefined;
  /** The most that one upgrade may cost, in cents. @default 10 000 000 */
  readonly largestUpgradeCents?: number | undefined;
  /** The tenant's time zone. @default "UTC" */
  readonly timezone?: string | undefined;
  /** What the clock reads first, in epoch milliseconds. @default noon of 15 January 2026 UTC */
  readonly now?: number | undefined;
  /** Takes the lines of the log, from `logLevel` up. */
  readonly log?: ((line: string) => void) | undefined;
  /** @default "trace" */
  readonly logLevel?: "trace" | "error" | undefined;
  /** @default in memory */
  readonly database?: DatabaseLocation | undefined;
  /** The most connections to a database of PostgreSQL. @default as msgd */
  readonly databaseConnections?: number | undefined;
  /** Limits on replies over a connection. */
  readonly replyBounds?: ReplyBounds | undefined;
  /** Limits on how much of long bodies is read at a time. */
  readonly bodyRoom?: BodyRoom | undefined;
  /** The contract to serve with its documentation. @default the built one for the demo tenant, else none */
  readonly contractFiles?: ContractFiles | undefined;
  /** The built pages of the dashboard, which a service in development then has. @default none */
  readonly dashboardFiles?: URL | undefined;
  /** What the hash of a user's password costs to make. @default `defaultPasswordCost` */
  readonly passwordCost?: PasswordCost | undefined;
  /** Adds the control API, which moves the service's own clock. */
  readonly isDevelopment?: boolean | undefined;
  /**
   * Uses the demo tenant, with its data restored by a reset and the same keys at each start, and serves the built
   * contract.
   * @default false
   */
  readonly isDemo?: boolean | undefined;
  /** Whether time runs with the machine's clock instead of standing still at `now`. @default false */
  readonly isRunning?: boolean | undefined;
  /** Posts callbacks in place of the network. */
  readonly poster?: Poster | undefined;
}

export interface InProcessService extends Service {
  readonly clock: MovableClock;
  /** The tenant's own. A reset keeps it. */
  readonly credential: IssuedCredential;
  /** Issues a credential of a new tenant, or of a merchant of this one. */
  issue(owner: { tenant?: string; merchantId?: string }): Promise<IssuedCredential>;
  /** The signing secret of the tenant's callbacks, `whsec_…`: made on the first call, and kept by a reset. */
  callbackSecret(): Promise<string>;
  /** Answers a request without a connection. */
  readonly exchange: Exchange;
}

/** Opens a server, in memory by default. It dispatches once started. */
export async function openInProcessService(options: InProcessOptions = {}): Promise<InProcessService> {
  const isDemo = options.isDemo ?? false;
  const contractFiles = options.contractFiles ?? (isDemo ? builtContract : undefined);
  const clock =
    options.isRunning === true
      ? createShiftableClock(systemClock)
      : createVirtualClock(options.now ?? Date.UTC(2026, 0, 15, 12));
  const service = await openService({
    database: options.database ?? { file: ":memory:" },
    simulator: { file: ":memory:" },
    pepper,
    consentPolicy: options.consentPolicy ?? "strict",
    stopCovers: options.stopCovers,
    registration: options.registration ?? "open",
    secrets,
    directoryCredential: options.directoryCredential ?? "a1-hash",
    idempotencyDays: IDEMPOTENCY_KEY_KEPT_DAYS_DEFAULT,
    callbackReach: options.allowPrivateCallbacks === true ? "private" : "public",
    publicUrl: options.publicUrl,
    trustedProxies: options.trustedProxies,
    logAddresses: options.logAddresses,
    ...(options.databaseConnections === undefined ? {} : { databaseConnections: options.databaseConnections }),
    ...(options.rateLimit === undefined ? {} : { rateLimit: options.rateLimit }),
    ...(options.prices === undefined ? {} : { prices: options.prices }),
    ...(options.largestUpgradeCents === undefined ? {} : { largestUpgradeCents: options.largestUpgradeCents }),
    ...(options.poster === undefined ? {} : { poster: options.poster }),
    ...(options.replyBounds === undefined ? {} : { replyBounds: options.replyBounds }),
    ...(options.bodyRoom === undefined ? {} : { bodyRoom: options.bodyRoom }),
    ...(contractFiles === undefined ? {} : { contractFiles }),
    ...(options.dashboardFiles === undefined ? {} : { dashboardFiles: options.dashboardFiles }),
    ...(options.passwordCost === undefined ? {} : { passwordCost: options.passwordCost }),
    clock,
    ...(options.log === undefined
      ? {}
      : { logger: createLogging({ level: options.logLevel ?? "trace", stream: { write: options.log } }) }),
    ...(options.isDevelopment === true ? { development: { clock, tenant: () => tenant } } : {}),
  }).catch((error) => {
    throw explainSqliteBinding(error);
  });
  clock.watch(() => service.isBusy());
  const { app, store } = service;
  const timezone = options.timezone ?? "UTC";
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
