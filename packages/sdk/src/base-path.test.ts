/** The credentials are only sent below the base URL, whatever path a caller gives. */
import { describe, expect, it } from "vitest";
import { MessagingClient, UsageError } from "./index.ts";
import { accepted, answered, BASE_URL } from "./testing/answering.ts";

const astray = [
  "/../admin",
  "/api/v1/../../admin",
  "/api/v1/..",
  "/api/./v1",
  "/%2e%2e/admin",
  "/%2E./admin",
  "/.%2e/admin",
  "/api/%2e",
  "//elsewhere.test/admin",
  "/api//v1",
  "/\\elsewhere.test",
  "/..\\admin",
  "/.\t./admin",
  "/\n/elsewhere.test",
  "/api/.. ",
  "/api/v1/merchants#/..",
  "https://elsewhere.test/api/v1/merchants",
  "@elsewhere.test/",
  ".elsewhere.test/",
  "api/v1/merchants",
  "",
];

describe.each([BASE_URL, `${BASE_URL}/tenants/a`])("a client at %s", (baseUrl) => {
  it("sends no request for a path that leads elsewhere", async () => {
    for (const path of astray) {
      const { client, sent } = answered(() => Response.json([]), { baseUrl });
      const refused = { ok: false, error: expect.any(UsageError), meta: { attempts: 0 } };
      expect.soft(await client.request("GET", path).safe(), path).toMatchObject(refused);
      const raw = client.raw.GET as unknown as (path: string) => Promise<unknown>;
      await expect.soft(raw(path), path).rejects.toThrow(UsageError);
      expect.soft(sent, path).toEqual([]);
    }
  });

  it.each([
    ["/api/v1/merchants/{id}", { id: "..%2f" }, "/api/v1/merchants/..%252f"],
    ["/api/v1/merchants/{id}", { id: "a/../b" }, "/api/v1/merchants/a%2F..%2Fb"],
    ["/api/v1/merchants/{id}", { id: "%2e%2e" }, "/api/v1/merchants/%252e%252e"],
    ["/api/v1/..a/.b/c../%2e%2ed", {}, "/api/v1/..a/.b/c../%2e%2ed"],
    ["/api/v1/consents?note=/../", {}, "/api/v1/consents?note=/../"],
  ])("requests %s with %j", async (path, values, address) => {
    const { client, sent } = answered(() => (path.includes("{id}") ? accepted() : Response.json([])), { baseUrl });
    await client.request("GET", path, { path: values });
    expect(sent.map(({ url }) => url)).toEqual([baseUrl + address]);
    expect(new URL(baseUrl + address).href).toBe(baseUrl + address);
  });
});

it("the raw client's own base URL for a call cannot lead elsewhere", async () => {
  const { client, sent } = answered(() => Response.json([]), { baseUrl: `${BASE_URL}/tenants/a` });
  for (const baseUrl of ["https://elsewhere.test", BASE_URL, `${BASE_URL}/tenants/a/../b`])
    await expect(client.raw.GET("/api/v1/merchants", { baseUrl })).rejects.toThrow(UsageError);
  expect(sent).toEqual([]);
});

it("a base URL's own path segments are resolved before anything is sent", async () => {
  const { client, sent } = answered(() => Response.json([]), { baseUrl: `${BASE_URL}/tenants/b/../a/%2e` });
  await client.merchants.list();
  expect(sent[0]?.url).toBe(`${BASE_URL}/tenants/a/api/v1/merchants`);
  expect(client).toBeInstanceOf(MessagingClient);
});
