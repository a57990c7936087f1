import { randomInt } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeApiKey, makeApiSecret } from "../../domain/tenancy/credentials.ts";
import { listCredentials, revokeCredential } from "../../domain/tenancy/rows.ts";
import { rotateCredential } from "../../domain/tenancy/tenants.ts";
import { type InMemoryService, openInMemoryService, pepper } from "../../testing/in-memory-service.ts";
import { createAuthenticator } from "./authentication.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let service: InMemoryService;
beforeEach(async () => {
  service = await openInMemoryService();
});
afterEach(() => service.close());

const statusAs = async (as: InMemoryService["credential"]) =>
  (await service.call("GET", "/api/v1/merchants", { as })).statusCode;

async function rotate(overlapMs: number) {
  const { apiKey } = service.credential;
  const request = { apiKey, overlapMs, pepper, now: service.clock.now() };
  return service.store.write((tx) => rotateCredential(tx, request));
}

async function lastUsedAt(): Promise<number | null | undefined> {
  const { tenantId } = service.credential;
  const [listed] = await service.store.read((tx) => listCredentials(tx, tenantId, service.clock.now()));
  return listed?.lastUsedAt;
}

describe("an invalid credential", () => {
  it("is refused with the same text, whether the key or the secret is wrong", async () => {
    const known = service.credential;
    expect(await statusAs(known)).toBe(200);
    const wrong = [
      { ...known, apiSecret: makeApiSecret(randomInt) },
      { ...known, apiKey: makeApiKey("tenant", "test", randomInt) },
      { ...known, apiKey: makeApiKey("merchant", "live", randomInt), apiSecret: makeApiSecret(randomInt) },
      { ...known, apiSecret: known.apiSecret.slice(0, -1) },
      { ...known, apiKey: known.apiSecret, apiSecret: known.apiKey },
      { ...known, apiKey: "k", apiSecret: "s" },
    ];
    const replies = await Promise.all(wrong.map((as) => service.call("GET", "/api/v1/merchants", { as })));
    const problems = replies.map((reply) => ({ ...reply.json(), requestId: "" }));
    for (const problem of problems) expect(problem).toEqual(problems[0]);
    expect(problems[0]).toMatchObject({ status: 401, code: "credentials_invalid" });
    expect(replies.map(({ headers }) => headers["www-authenticate"])).toEqual(wrong.map(() => 'ApiKey realm="msgd"'));
  });

  it("is refused by its checksum if it has a typo, and otherwise looked up", async () => {
    const { credential } = service;
    const reads = vi.spyOn(service.store, "read");
    const flip = (text: string) => text.slice(0, -1) + (text.endsWith("7") ? "8" : "7");
    expect(await statusAs({ ...credential, apiKey: flip(credential.apiKey) })).toBe(401);
    expect(await statusAs({ ...credential, apiSecret: flip(credential.apiSecret) })).toBe(401);
    expect(reads).not.toHaveBeenCalled();
    expect(await statusAs({ ...credential, apiSecret: makeApiSecret(randomInt) })).toBe(401);
    expect(reads).toHaveBeenCalledTimes(1);
  });
});

describe("a secret", () => {
  it("is not stored anywhere", async () => {
    const { apiSecret } = service.credential;
    const kept = await service.store.read((tx) => tx.all("SELECT * FROM credential_secrets"));
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(apiSecret.slice(4, 20));
  });
});

describe("rotation", () => {
  it("keeps both secrets valid until the overlap is over", async () => {
    const before = service.credential;
    expect(await statusAs(before)).toBe(200);
    const after = await rotate(dayMs);
    // works at once, although the key is still cached with only its old secret
    expect([await statusAs(after), await statusAs(before)]).toEqual([200, 200]);
    await service.clock.advanceBy(dayMs - 1_001);
    expect([await statusAs(after), await statusAs(before)]).toEqual([200, 200]);
    await service.clock.advanceBy(1_001);
    expect([await statusAs(after), await statusAs(before)]).toEqual([200, 401]);
  });

  it("leaves at most two secrets", async () => {
    const [first, second, third] = [service.credential, await rotate(dayMs), await rotate(dayMs)];
    expect([await statusAs(first), await statusAs(second), await statusAs(third)]).toEqual([401, 200, 200]);
  });

  it("without an overlap ends the previous secret within a second", async () => {
    const before = service.credential;
    expect(await statusAs(before)).toBe(200);
    const after = await rotate(0);
    await service.clock.advanceBy(1_000);
    expect([await statusAs(before), await statusAs(after)]).toEqual([401, 200]);
  });

  it("does not make a revoked key valid again", async () => {
    await service.store.write((tx) => revokeCredential(tx, service.credential.apiKey, service.clock.now()));
    await expect(rotate(0)).rejects.toThrow("is revoked: make a new one");
  });
});

describe("revocation", () => {
  it("takes effect within a second, and is revealed only to a caller with the secret", async () => {
    const known = service.credential;
    expect(await statusAs(known)).toBe(200);
    await service.store.write((tx) => revokeCredential(tx, known.apiKey, service.clock.now()));
    await service.clock.advanceBy(1_000);
    const revoked = await service.call("GET", "/api/v1/merchants");
    expect(revoked.json()).toMatchObject({ status: 401, code: "credentials_revoked" });
    const as = { ...known, apiSecret: makeApiSecret(randomInt) };
    expect((await service.call("GET", "/api/v1/merchants", { as })).json().code).toBe("credentials_invalid");
  });

  it("still applies when the clock is set back and reaches the same time again", async () => {
    const { apiKey, apiSecret } = service.credential;
    const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret };
    let elapsedMs = 0;
    // the clock shows the same time throughout
    const clock = { ...service.clock, elapsed: () => elapsedMs };
    const authenticate = createAuthenticator({ store: service.store, clock, pepper });
    await authenticate(headers);
    await service.store.write((tx) => revokeCredential(tx, apiKey, service.clock.now()));
    elapsedMs = 1_000;
    await expect(async () => authenticate(headers)).rejects.toMatchObject({ code: "credentials_revoked" });
  });

  it("applies at once, whatever the revoking machine's clock reads", async () => {
    const { apiKey } = service.credential;
    await service.store.write((tx) => revokeCredential(tx, apiKey, service.clock.now() + minuteMs));
    expect((await service.call("GET", "/api/v1/merchants")).json().code).toBe("credentials_revoked");
  });
});

describe("the last use of a key", () => {
  it("is stored, to the minute", async () => {
    const startMs = service.clock.now();
    expect(await lastUsedAt()).toBeNull();
    await statusAs(service.credential);
    expect(await lastUsedAt()).toBe(startMs);
    await service.clock.advanceBy(minuteMs - 1);
    await statusAs(service.credential);
    expect(await lastUsedAt()).toBe(startMs);
    await service.clock.advanceBy(1_000);
    await statusAs(service.credential);
    expect(await lastUsedAt()).toBe(startMs + minuteMs + 999);
  });

  it("is not stored if the secret was wrong", async () => {
    await statusAs({ ...service.credential, apiSecret: makeApiSecret(randomInt) });
    expect(await lastUsedAt()).toBeNull();
  });
});
