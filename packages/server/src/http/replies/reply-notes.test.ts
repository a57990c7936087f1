import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { exampleProvisioning, storeProvisioning } from "../../testing/provisioning-example.ts";

const url = "/api/v1/voice/provisioning";
const sipPassword = "kW7-harbor-stone-19";
let service: InMemoryService;
let lines: string[];

beforeEach(async () => {
  lines = [];
  service = await openInMemoryService({ log: (line) => lines.push(line) });
  await storeProvisioning(service.store, exampleProvisioning(service.credential.tenantId));
});
afterEach(() => service.close());

const answered = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "answered");

describe("the log", () => {
  it("has a line for each reply, with its request id, operation, status and duration", async () => {
    const found = await service.call("GET", `${url}/freeswitch/directory/dana`);
    const refused = await service.call("GET", url, { as: null });
    const unknown = await service.call("GET", "/nowhere");
    expect(answered()).toMatchObject([
      { requestId: found.headers["x-request-id"], operation: "getDirectoryEntry", status: 200, tenantId: 1 },
      { requestId: refused.headers["x-request-id"], operation: "getVoiceProvisioning", status: 401 },
      { requestId: unknown.headers["x-request-id"], operation: "unmatched", status: 404 },
    ]);
    for (const { ms } of answered()) expect(ms).toBeGreaterThanOrEqual(0);
  });

  it("holds no credential, password, query or body, whatever becomes of the request", async () => {
    const { apiKey, apiSecret } = service.credential;
    const encoded = Buffer.from(`${apiKey}:${apiSecret}`).toString("base64");
    const directory = `${url}/freeswitch/directory/dana?sip_auth_response=query-canary`;
    const [found, shown] = [await service.call("GET", directory), await service.call("GET", url)];
    expect(shown.body).toContain(sipPassword);
    await service.call("GET", directory, { as: null, headers: { authorization: `Basic ${encoded}` } });
    await service.call("GET", directory, { as: { ...service.credential, apiSecret: `${apiSecret}x` } });
    await service.call("GET", "/nowhere?query-canary");
    const body = { sipUsername: "body-canary", registered: true };
    await service.call("POST", `${url}/sip-presence`, { body });
    await service.call("POST", `${url}/sip-presence`, { body: { ...body, registered: "body-canary" } });
    // the key of sealed passwords is gone, and then the table
    await service.store.write((tx) =>
      tx.run("UPDATE sip_users SET sealed_password = 'v1.00000000.' || substr(sealed_password, 13)"),
    );
    expect((await service.call("GET", directory)).statusCode).toBe(503);
    await service.store.write((tx) => tx.run("ALTER TABLE sip_users RENAME TO gone"));
    expect((await service.call("GET", directory)).statusCode).toBe(500);

    const log = lines.join("");
    expect(answered().map(({ status }) => status)).toEqual([200, 200, 200, 401, 404, 404, 400, 503, 500]);
    const hash = /"a1-hash" value="(\w+)"/.exec(found.body)?.[1] ?? "none";
    for (const secret of [apiSecret, encoded, sipPassword, hash, "query-canary", "body-canary"]) {
      expect(log).not.toContain(secret);
    }
  });
});
