/** Tests logins and logouts that are killed at each of their steps. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeKeychain } from "../../testing/fake-keychain.ts";
import { folder } from "../../testing/world.ts";
import { removeCredential, storeCredential } from "./profile-credentials.ts";
import { readProfile } from "./profiles.ts";
import * as replaceFile from "./replace-file.ts";
import { STORE_KINDS, type StoreKind } from "./store/credential.ts";
import { openStore } from "./store/open-store.ts";

const world = { keychain: new FakeKeychain(), stepsLeft: Number.POSITIVE_INFINITY };
const step = () => {
  if (world.stepsLeft === 0) throw new Killed();
  world.stepsLeft -= 1;
};

class Killed extends Error {}

const original = replaceFile.replaceFile;
beforeEach(() => {
  world.keychain.install();
  vi.spyOn(replaceFile, "replaceFile").mockImplementation((...args) => {
    step();
    original(...args);
  });
});
afterEach(() => {
  world.stepsLeft = Number.POSITIVE_INFINITY;
  vi.restoreAllMocks();
});

const A = "https://a.example";
const B = "https://b.example";
const old = { apiKey: "old-key", apiSecret: "old-secret" };
const fresh = { apiKey: "new-key", apiSecret: "new-secret" };

const held = { renew: () => true };

function begin() {
  world.keychain.reset("present");
  world.keychain.onChange = step;
  return folder();
}

/** Runs `act`, and kills it after `steps` steps. Returns whether it finished before that. */
function killAt(steps: number, act: () => void): boolean {
  world.stepsLeft = steps;
  try {
    act();
    // A keychain's error during a removal is reported, not thrown. If no step was left, the kill may have caused it.
    return world.stepsLeft > 0;
  } catch (error) {
    // A keychain's error becomes a CliError, with the kill as its cause or in its message.
    if (error instanceof Killed || world.stepsLeft === 0) return false;
    throw error;
  } finally {
    world.stepsLeft = Number.POSITIVE_INFINITY;
  }
}

function inUse(path: string) {
  try {
    return readProfile(path, "p");
  } catch {
    return undefined;
  }
}

const copies = (path: string) => [
  ...[...world.keychain.entries.values()].map((text) => JSON.parse(text)),
  ...[openStore(path).read("p") ?? []].flat(),
];

const moves = [undefined, ...STORE_KINDS].flatMap((from) =>
  STORE_KINDS.flatMap((to) => [A, B].map((baseUrl) => [from, to, baseUrl] as const)),
);

describe.each(moves)("a login from %s to %s at %s", (from, to, baseUrl) => {
  const login = (path: string, store: StoreKind) =>
    storeCredential(path, "p", { credential: fresh, baseUrl, store }, held);

  it("leaves a consistent state wherever it is killed, and no copy after the next login or logout", () => {
    for (let steps = 0, isWhole = false; !isWhole; steps += 1) {
      const path = begin();
      if (from !== undefined) storeCredential(path, "p", { credential: old, baseUrl: A, store: from }, held);
      isWhole = killAt(steps, () => login(path, to));
      const found = inUse(path);
      if (found?.apiKey === "new-key") expect(found).toEqual({ ...fresh, baseUrl });
      else expect([undefined, { ...old, baseUrl: A }]).toContainEqual(found);
      if (isWhole) expect(copies(path)).toEqual([fresh]);
      // the next login, to the same or the other store, or a logout: each of them removes leftovers
      const again = STORE_KINDS[steps % 2] ?? to;
      if (steps % 3 === 0) {
        removeCredential(path, "p");
        expect([copies(path), inUse(path)]).toEqual([[], undefined]);
      } else {
        login(path, again);
        expect([copies(path), inUse(path)]).toEqual([[fresh], { ...fresh, baseUrl }]);
      }
      if (steps > 20) throw new Error("It has no end.");
    }
  });
});

describe.each(STORE_KINDS)("a logout from %s", (store) => {
  it("removes all copies when repeated, wherever the first attempt was killed", () => {
    for (let steps = 0, isWhole = false; !isWhole; steps += 1) {
      const path = begin();
      storeCredential(path, "p", { credential: old, baseUrl: A, store }, held);
      isWhole = killAt(steps, () => void removeCredential(path, "p"));
      removeCredential(path, "p");
      expect([copies(path), inUse(path)]).toEqual([[], undefined]);
    }
  });
});

it("a copy in a locked keychain is reported, and removed by a later logout", () => {
  const path = begin();
  storeCredential(path, "p", { credential: old, baseUrl: A, store: "keychain" }, held);
  world.keychain.state = "locked";
  const moved = () => storeCredential(path, "p", { credential: fresh, baseUrl: B, store: "file" }, held);
  expect(moved()).toContain("the collection is locked");
  expect(inUse(path)).toEqual({ ...fresh, baseUrl: B });
  expect(() => removeCredential(path, "p")).toThrow("the collection is locked");
  expect(inUse(path)).toBeUndefined();
  world.keychain.state = "present";
  expect([removeCredential(path, "p"), copies(path)]).toEqual([true, []]);
});

it("a login stores no credential if another login changed the address while the keychain waited for the user", () => {
  const path = begin();
  let isHeld = true;
  world.keychain.onChange = () => {
    if (!isHeld) return;
    isHeld = false;
    storeCredential(path, "p", { credential: fresh, baseUrl: B, store: "keychain" }, held);
  };
  const late = () =>
    storeCredential(path, "p", { credential: old, baseUrl: A, store: "keychain" }, { renew: () => isHeld });
  expect(late).toThrow("another msgctl changed the profiles at the same time; the credential was not stored");
  expect([copies(path), inUse(path)]).toEqual([[], undefined]);
});
