import { afterEach, describe, expect, it } from "vitest";
import { saveStanding } from "../../domain/tenancy/rows.ts";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";

const enabled = { disabledAt: null, disabledReason: null, disabledBy: null };

let service: InMemoryService;
afterEach(() => service.close());

const ask = (request: Parameters<InMemoryService["call"]>[2] = {}) => service.call("GET", "/api/v1/merchants", request);

function limitsOf({ headers }: Awaited<ReturnType<typeof ask>>) {
  return [headers["ratelimit-policy"], headers.ratelimit, headers["retry-after"]];
}

describe("a limit", () => {
  it("admits a burst, shows the remaining number, and refuses further requests", async () => {
    service = await openInMemoryService({ rateLimit: { perSecond: 0.5, burst: 3 } });
    const replies = [await ask(), await ask(), await ask(), await ask()];
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429]);
    expect(replies.map(limitsOf)).toEqual([
      ['"default";q=3;w=6', '"default";r=2;t=2', undefined],
      ['"default";q=3;w=6', '"default";r=1;t=4', undefined],
      ['"default";q=3;w=6', '"default";r=0;t=6', undefined],
      ['"default";q=3;w=6', '"default";r=0;t=6', "2"],
    ]);
    expect(replies[3]?.json()).toMatchObject({ status: 429, code: "rate_limited", title: expect.any(String) });
  });

  it("refills at its rate, up to the burst", async () => {
    service = await openInMemoryService({ rateLimit: { perSecond: 0.5, burst: 2 } });
    await Promise.all([ask(), ask()]);
    await service.clock.advanceBy(1_999);
    expect((await ask()).statusCode).toBe(429);
    await service.clock.advanceBy(1);
    expect((await ask()).statusCode).toBe(200);
    expect((await ask()).statusCode).toBe(429);
    await service.clock.advanceBy(3_600_000);
    const statuses = (await Promise.all([ask(), ask(), ask()])).map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it("admits a client again after the Retry-After time", async () => {
    service = await openInMemoryService({ rateLimit: { perSecond: 0.3, burst: 1 } });
    await ask();
    const refused = await ask();
    await service.clock.advanceBy(Number(refused.headers["retry-after"]) * 1_000);
    expect((await ask()).statusCode).toBe(200);
  });

  it("applies to each credential separately", async () => {
    service = await openInMemoryService({ rateLimit: { perSecond: 1, burst: 1 } });
    const other = await service.issue({ merchantId: "default" });
    expect([(await ask()).statusCode, (await ask()).statusCode]).toEqual([200, 429]);
    expect((await ask({ as: other })).statusCode).toBe(200);
  });

  it("of a tenant is shared by its credentials, replaces the server's, and applies within a second", async () => {
    service = await openInMemoryService({ rateLimit: { perSecond: 1, burst: 1 } });
    const { tenantId } = service.credential;
    const decide = (rateLimit: string | null) =>
      service.store.write((tx) => saveStanding(tx, { ...enabled, tenantId, rateLimit }));
    const own = await service.issue({ merchantId: "default" });
    const stranger = await service.issue({ tenant: "Other" });
    await ask();
    await decide("1:3");
    await service.clock.advanceBy(1_000);
    const replies = [await ask(), await ask({ as: own }), await ask(), await ask({ as: own })];
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429]);
    expect(limitsOf(replies[0] as never)[0]).toBe('"default";q=3;w=3');
    expect(replies[3]?.json().detail).toMatch(/^All credentials of this account together may make 3 requests at once/);
    expect([(await ask({ as: stranger })).statusCode, (await ask({ as: stranger })).statusCode]).toEqual([200, 429]);
    await decide(null);
    await service.clock.advanceBy(1_000);
    expect([(await ask()).statusCode, (await ask()).statusCode]).toEqual([200, 429]);
  });

  it("of a tenant applies if the server has none", async () => {
    service = await openInMemoryService();
    const { tenantId } = service.credential;
    expect((await ask()).headers["ratelimit-policy"]).toBeUndefined();
    await service.store.write((tx) => saveStanding(tx, { ...enabled, tenantId, rateLimit: "0.5:1" }));
    await service.clock.advanceBy(1_000);
    expect([(await ask()).statusCode, (await ask()).statusCode]).toEqual([200, 429]);
  });

  it("is checked after the credential and before everything else", async () => {
    service = await openInMemoryService({ rateLimit: { perSecond: 1, burst: 1 } });
    const wrong = { ...service.credential, apiSecret: "wrong" };
    expect((await ask({ as: wrong })).json().code).toBe("credentials_invalid");
    expect((await ask({ as: wrong })).headers.ratelimit).toBeUndefined();
    expect((await service.call("GET", "/api/v1/nothing")).json().code).toBe("route_not_found");
    // nothing has been used so far
    const unacceptable = { headers: { accept: "text/html" } };
    expect((await ask(unacceptable)).json().code).toBe("not_acceptable");
    expect((await ask(unacceptable)).json().code).toBe("rate_limited");
    const bad = await service.call("POST", "/api/v1/messages/sms", {
      body: "x".repeat(3 << 20),
      headers: { accept: "text/html" },
    });
    expect(bad.json().code).toBe("rate_limited");
  });

  it("refuses without writing", async () => {
    service = await openInMemoryService({ rateLimit: { perSecond: 1, burst: 1 } });
    await ask();
    const body = { merchantId: "late", displayName: "Late" };
    expect((await service.call("POST", "/api/v1/merchants", { body })).statusCode).toBe(429);
    await service.clock.advanceBy(1_000);
    const merchants = (await ask()).json() as { merchantId: string }[];
    expect(merchants.map(({ merchantId }) => merchantId)).toEqual(["default"]);
  });
});

describe("no limit", () => {
  it("adds no headers", async () => {
    service = await openInMemoryService();
    expect(limitsOf(await ask())).toEqual([undefined, undefined, undefined]);
  });
});
