// Tenants do not see each other: whatever exists for one looks to another as what does not exist.

import { type OperationId, operations } from "@msgctl/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IssuedCredential } from "../../packages/server/src/tenancy.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
let stranger: IssuedCredential;

beforeAll(async () => {
  world = await openWorld();
  stranger = await world.service.issue({ tenant: "Stranger" });
});
afterAll(() => world.close());

const ids = Object.keys(operations) as OperationId[];
const isList = (operationId: OperationId) =>
  operations[operationId].responseIsArray && operations[operationId].pathParameters.length === 0;
const named = ids.filter((operationId) => 404 in operations[operationId].errors && !isList(operationId));
const lists = ids.filter(isList);

describe("another tenant", () => {
  it.each(named.filter((operationId) => !["sendDirectSms", "sendDirectEmail"].includes(operationId)))(
    "finds nothing with %s, in the words for what is not there",
    async (operationId) => {
      const before = await snapshot();
      const reply = await world.send(world.request(operationId), { as: stranger });
      if (operationId === "getVoiceProvisioning" || operationId === "getDirectoryEntry") {
        expect(reply.body).not.toContain("dana");
      } else {
        expect([reply.statusCode, reply.json().code], reply.body).toEqual([404, expect.stringMatching(/_not_found$/)]);
      }
      expect(await snapshot()).toEqual(before);
    },
  );

  it.each(lists)("gets a list of its own from %s", async (operationId) => {
    const reply = await world.send(world.request(operationId), { as: stranger });
    expect(reply.statusCode, reply.body).toBe(200);
    expect(reply.body).not.toContain("bright");
  });

  it("may use the same merchant id and the same idempotency key for its own", async () => {
    const headers = { "idempotency-key": "shared" };
    const ours = await world.send(world.request("upsertMerchant"), { headers });
    const theirs = await world.send(world.request("upsertMerchant"), { headers, as: stranger });
    expect([ours.statusCode, theirs.statusCode]).toEqual([200, 200]);
    expect(theirs.headers["idempotent-replayed"]).toBeUndefined();
    const consents = await world.send(world.request("listConsents"), { as: stranger });
    expect(consents.json()).toEqual([]);
  });
});

/** What the tenant has, as far as a stranger's writes could have changed it. */
async function snapshot(): Promise<unknown> {
  const replies = await Promise.all(
    (["listMerchants", "listConsents", "getRegistrationStatus", "getVoiceProvisioning"] as const).map((operationId) =>
      world.send(world.request(operationId)),
    ),
  );
  return replies.map((reply) => reply.json());
}
