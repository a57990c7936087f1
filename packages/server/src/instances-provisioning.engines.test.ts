// A provisioning import at one instance while another instance serves reads and phones that register.

import { afterEach, beforeEach, expect, it } from "vitest";
import type { ProvisioningView } from "./domain/provisioning/operations.ts";
import { type Instances, openInstances } from "./testing/instances.ts";
import { exampleProvisioning, storeProvisioning } from "./testing/provisioning-example.ts";

const USERS = 20;
let instances: Instances;
beforeEach(async () => {
  instances = await openInstances(2);
  await importVersion(0);
});
afterEach(() => instances.close());

/** Returns the example with many users, and with the number of the import in each of its parts. */
function versionOf(version: number): ProvisioningView {
  const view = exampleProvisioning(1);
  const [user] = view.sipUsers;
  const [group] = view.ringGroups;
  const [member] = group?.members ?? [];
  if (user === undefined || group === undefined || member === undefined) throw new Error("the example is another");
  view.wssUrl = `wss://${version}.example/`;
  view.sipUsers = Array.from({ length: USERS }, (_, index) => ({
    ...user,
    ...{ userId: index + 1, sipUsername: `user${index}`, extension: `${2_000 + index}`, forwardNumber: `+1${version}` },
  }));
  group.members = view.sipUsers.map(({ userId }) => ({ ...member, userId, forwardNumber: `+1${version}` }));
  return view;
}

function importVersion(version: number): Promise<void> {
  return storeProvisioning((instances.services[0] as Instances["services"][0]).store, versionOf(version));
}

/** Imports one version after another until `work` has ended. */
async function beside(work: () => Promise<void>): Promise<void> {
  let isOver = false;
  const worked = work().finally(() => {
    isOver = true;
  });
  for (let version = 1; !isOver; version += 1) await importVersion(version);
  await worked;
}

it("an import becomes visible as a whole", async () => {
  await beside(async () => {
    for (let reads = 0; reads < 60; reads += 1) {
      const view: ProvisioningView = (await instances.call(1, "GET", "/api/v1/voice/provisioning")).json();
      const members = view.ringGroups.flatMap((group) => group.members);
      const marks = [...view.sipUsers, ...members].map(({ forwardNumber }) => forwardNumber?.replace("+1", ""));
      expect(marks).toHaveLength(2 * USERS);
      expect(new Set([...marks, view.wssUrl?.replace(/\D/g, "")]).size).toBe(1);
    }
  });
});

it("an import never hides a phone", async () => {
  await beside(async () => {
    for (let round = 0; round < 20; round += 1) {
      const replies = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          instances.call(1, "POST", "/api/v1/voice/provisioning/sip-presence", {
            body: { sipUsername: `user${index % 3}`, registered: index % 2 === 0 },
          }),
        ),
      );
      expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([204]));
      const found = await instances.call(1, "GET", "/api/v1/voice/provisioning/freeswitch/directory/user1");
      expect(found.body).toContain("user1");
    }
  });
});

it("two concurrent imports take effect one after the other", async () => {
  await Promise.all(
    instances.services.flatMap(({ store }, index) =>
      [1, 2, 3].map((round) => storeProvisioning(store, versionOf(2 * round + index))),
    ),
  );
  const view: ProvisioningView = (await instances.call(1, "GET", "/api/v1/voice/provisioning")).json();
  expect(new Set(view.sipUsers.map(({ forwardNumber }) => forwardNumber)).size).toBe(1);
  expect(view.sipUsers).toHaveLength(USERS);
});
