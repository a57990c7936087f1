// Opens a server in this process, with a tenant that has one object of each kind, so that each operation can be called with
// a request that succeeds.

import type { LightMyRequestResponse } from "fastify";
import { contentOf, examplesOf, replies } from "../../contract/test/document.ts";
import { requireProvisioning } from "../../server/src/commands/provisioning.ts";
import { toStoredProvisioning } from "../../server/src/domain/provisioning/operations.ts";
import { replaceProvisioning } from "../../server/src/domain/provisioning/rows.ts";
import { type InMemoryService, openInMemoryService, secrets } from "../../server/src/testing/in-memory-service.ts";
import { createTarget } from "../src/target/create-target.ts";
import type { Send } from "../src/target/send.ts";
import type { Target } from "../src/target/target.ts";

export const merchantId = "bright-dental";

export interface World extends Target<LightMyRequestResponse> {
  readonly service: InMemoryService;
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const service = await openInMemoryService();
  await service.start();
  await importProvisioning(service);
  const send: Send<LightMyRequestResponse> = ({ method, url, body }, options = {}) =>
    service.call(method, url, { ...options, body });
  const { store, credential } = service;
  // the merchant that direct sends act for
  const body = { merchantId: "default", displayName: "Acme", smsLimit: 1_000, emailLimit: 1_000 };
  await send({ method: "POST", url: "/api/v1/merchants", body });
  await send({ method: "POST", url: "/api/v1/merchants", body: { merchantId: "other", displayName: "Other" } });
  const revoked = await service.issue({});
  await store.write((tx) => tx.run("UPDATE credentials SET revoked_at = 0 WHERE api_key = $1", revoked.apiKey));
  const others = {
    revoked,
    spare: await service.issue({ tenant: "Spare" }),
    merchant: await service.issue({ merchantId: "other" }),
  };
  let numbers = 0;
  const target = await createTarget(send, {
    credential,
    others,
    prefix: "",
    newNumber: () => {
      numbers += 1;
      return `+1415555${1_999 + numbers}`;
    },
    pause: (ms) => service.clock.advanceBy(ms),
  });
  return { ...target, service, close: () => service.close() };
}

/** Imports the contract's example provisioning as the tenant's own. */
async function importProvisioning({ store, clock, credential }: InMemoryService): Promise<void> {
  const { tenantId } = credential;
  const reply = replies.find(
    ({ route, status }) => route.operation.operationId === "getVoiceProvisioning" && status === 200,
  );
  const [example] = reply === undefined ? [] : examplesOf(contentOf(reply.response) as never);
  if (example === undefined) throw new Error("the contract shows no provisioning");
  const document = requireProvisioning({ ...(example[1] as object), tenantId }, tenantId);
  const stored = toStoredProvisioning(document, secrets.seal);
  await store.write((tx) => replaceProvisioning(tx, tenantId, stored, clock.now()));
}
