// Several instances of the server in this process, with one database, one carrier and one virtual clock.

import { createContractCheck } from "@msgctl/conformance";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { createVirtualClock, type VirtualClock } from "../development/clocks.ts";
import { createTenant, type IssuedCredential, issueCredential } from "../domain/tenancy/tenants.ts";
import type { DatabaseLocation } from "../platform/database-url.ts";
import { openService, type Service, type ServiceOptions } from "../service.ts";
import { checkInvariants } from "../store/invariants.ts";
import { withElapsing } from "./elapsing-clock.ts";
import { TEST_CONNECTIONS, takeDatabase } from "./engine.ts";
import { pepper, secrets } from "./in-memory-service.ts";

const checkReply = createContractCheck();

export interface CallOptions {
  readonly body?: unknown;
  readonly key?: string;
  /** @default the tenant's credential */
  readonly as?: Pick<IssuedCredential, "apiKey" | "apiSecret">;
}

export interface Instances {
  readonly services: readonly Service[];
  readonly clock: VirtualClock;
  readonly location: DatabaseLocation;
  /** The tenant's credential. */
  readonly credential: IssuedCredential;
  /** Sends a request to the instance with this index, from 0, and checks the reply against the contract. */
  call(instance: number, method: "GET" | "POST", url: string, options?: CallOptions): Promise<LightMyRequestResponse>;
  /** Issues a credential for a merchant of the tenant. */
  issue(merchantId: string): Promise<IssuedCredential>;
  /** Returns the rows of the database that violate an invariant. */
  findFaults(): Promise<unknown[]>;
  close(): Promise<void>;
}

/** Opens `count` instances, which do not dispatch yet, on the given or a new database, and creates a tenant. */
export async function openInstances(count: number, options: Partial<ServiceOptions> = {}): Promise<Instances> {
  const taken = options.database === undefined ? await takeDatabase() : undefined;
  const location = options.database ?? (taken?.location as DatabaseLocation);
  const clock = createVirtualClock(Date.UTC(2026, 0, 15, 12));
  const services: Service[] = [];
  for (let opened = 0; opened < count; opened += 1) {
    const service = await openService({
      database: location,
      databaseConnections: TEST_CONNECTIONS,
      simulator: location,
      pepper,
      secrets,
      consentPolicy: "strict",
      idempotencyDays: 7,
      clock: withElapsing(clock),
      ...options,
    });
    clock.watch(() => service.isBusy());
    services.push(service);
  }
  const at = (instance: number) => services[instance] as Service;
  const { store } = at(0);
  const issue = (tenantId: number, merchantId: string | null) =>
    store.write((tx) => issueCredential(tx, { tenantId, merchantId, pepper, now: clock.now() }));
  const tenant = await store.write((tx) => createTenant(tx, { name: "Acme", timezone: "UTC", now: clock.now() }));
  const credential = await issue(tenant.tenantId, null);

  return {
    services,
    clock,
    location,
    credential,
    async call(instance, method, url, { body, key, as = credential } = {}) {
      const headers = {
        "x-api-key": as.apiKey,
        "x-api-secret": as.apiSecret,
        ...(key === undefined ? {} : { "idempotency-key": key }),
      };
      const request: InjectOptions = { method, url, headers };
      if (body !== undefined) request.payload = body as NonNullable<InjectOptions["payload"]>;
      const reply = await at(instance).app.inject(request);
      checkReply({ method, url }, reply);
      return reply;
    },
    issue: (merchantId) => issue(tenant.tenantId, merchantId),
    async findFaults() {
      const reports = await store.read(checkInvariants);
      return reports.filter(({ faults }) => faults.length > 0);
    },
    async close() {
      await Promise.all(services.map((service) => service.close()));
      await taken?.release();
    },
  };
}
