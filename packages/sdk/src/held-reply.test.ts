/** Tests foreign replies: a 2xx that does not come from the service is an error with an unknown outcome. */
import { type OperationEntry, operations } from "@msgctl/contract";
import { describe, expect, it } from "vitest";
import { ConnectionError, CoreClient, SendResource, UnexpectedReplyError } from "./index.ts";
import { API_KEY, API_SECRET, accepted, answered, BASE_URL, identified } from "./testing/answering.ts";

const table: OperationEntry[] = Object.values(operations);
const AT_ONCE = { "retry-after": "0" };

/** Replies from something other than the service, such as a gateway. */
const texts = ["{}", "[]", '{"status":"maintenance"}', '[{"status":"maintenance"}]', '"text"', "null", "17", ""];
const foreign: Record<string, () => Response> = {
  ...Object.fromEntries(
    texts.map((text) => [
      text || "nothing",
      () => new Response(text, { headers: { ...AT_ONCE, "content-type": "application/json" } }),
    ]),
  ),
  204: () => new Response(null, { status: 204, headers: AT_ONCE }),
  HTML: () => new Response("<h1>Sign in</h1>", { headers: { ...AT_ONCE, "content-type": "text/html" } }),
};

/** Replies that are not a success of the operation: a list may be empty, and a reply without a body is a 204. */
function foreignTo({ responseIsArray, successStatus }: OperationEntry): [string, () => Response][] {
  return Object.entries(foreign).filter(
    ([name]) => !(name === "[]" && responseIsArray) && name !== String(successStatus),
  );
}

const valuesOf = ({ pathParameters }: OperationEntry) =>
  Object.fromEntries(pathParameters.map((name) => [name, `${name}-1`]));

const filledPathOf = ({ path }: OperationEntry) => path.replace(/\{(\w+)\}/g, "$1-1");

describe("a foreign 2xx", () => {
  it("is not a success of any operation, in whatever form the path is given, even with exactIntegers", async () => {
    for (const operation of table) {
      const { method, path, operationId } = operation;
      const ways = [
        [path, { path: valuesOf(operation) }, {}],
        [path, { path: valuesOf(operation) }, { exactIntegers: true }],
        [filledPathOf(operation), {}, {}],
        [`${filledPathOf(operation)}?of=the%20caller`, {}, {}],
      ] as const;
      for (const [name, reply] of foreignTo(operation)) {
        for (const [route, args, options] of ways) {
          const { client } = answered(reply);
          const outcome = await client.request(method, route, args, { ...options, idempotencyKey: "k1" }).safe();
          const said = `${operationId}, ${name}, ${route}`;
          expect.soft(outcome, said).toMatchObject({
            ...{ ok: false, error: expect.any(UnexpectedReplyError) },
            meta: { status: reply().status, idempotencyKey: "k1", attempts: 1 },
          });
        }
      }
    }
  });

  it("is retried under the same key", async () => {
    for (const operation of table) {
      const { method, path, operationId } = operation;
      for (const [name, reply] of foreignTo(operation)) {
        const { client, sent } = answered(reply, { maxRetries: 1 });
        const { meta } = await client.request(method, path, { path: valuesOf(operation) }).safe();
        const keys = sent.map(({ headers }) => headers["idempotency-key"]);
        expect.soft(keys, `${operationId}, ${name}`).toEqual([meta.idempotencyKey, meta.idempotencyKey]);
        expect.soft(keys[0] !== undefined, operationId).toBe(method === "POST");
      }
    }
  });

  it("is not a success in the raw client", async () => {
    for (const operation of table) {
      const { method, path, operationId } = operation;
      for (const [name, reply] of foreignTo(operation)) {
        const { client } = answered(reply);
        const send = client.raw[method] as (path: string, init: object) => Promise<unknown>;
        const call = send(path, { params: { path: valuesOf(operation) } });
        await expect.soft(call, `${operationId}, ${name}`).rejects.toThrow(UnexpectedReplyError);
      }
    }
  });
});

const sms = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" } as const;

async function errorFor(reply: Response): Promise<UnexpectedReplyError> {
  const { client } = answered(() => reply);
  const outcome = await client.send.sms(sms, { idempotencyKey: "k1" }).safe();
  if (outcome.ok || !(outcome.error instanceof UnexpectedReplyError))
    throw new Error("It is not an UnexpectedReplyError.");
  return outcome.error;
}

describe("the error", () => {
  it("names the reply, the expected one and the remedy", async () => {
    const headers = { "x-request-id": "req-1" };
    const error = await errorFor(Response.json({ status: "maintenance" }, { headers }));
    expect(error.message).toBe(
      'POST https://api.example.test/api/v1/messages/sms got no usable reply: HTTP 200, application/json, {"status":' +
        '"maintenance"}. Expected a JSON object with messageId. Whether the call was done is unknown. Is something ' +
        "else at https://api.example.test?",
    );
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      ...{ name: "UnexpectedReplyError", status: 200, requestId: "req-1", idempotencyKey: "k1", attempts: 1 },
    });
  });

  it.each([
    ["a long text", `<p>${"x".repeat(5_000)}`, /, <p>x{97}…\. Expected/],
    ["control characters", "a\u001b[31m\u009b\u202eb\nc\td\ud800", /a\\u1b\[31m\\u9b\\u202eb c d\ufffd\./],
    ["a password", '{"user":"1001","password":"hunter2"}', /a body that may hold a secret\. Expected/],
    ["nothing", "", /, no body\. Expected/],
  ])("shows %s as a bounded excerpt in one line", async (_, text, shown) => {
    const { message } = await errorFor(new Response(text, { headers: { "content-type": "text/html" } }));
    expect(message).toMatch(shown);
    expect(message).not.toContain("hunter2");
    expect(message.length).toBeLessThan(500);
  });

  it.each([
    ["listMerchants", "a JSON list of objects with merchantId"],
    ["getDirectoryEntry", "XML with <document>"],
    ["reportSipPresence", "HTTP 204"],
  ] as const)("says of %s that it expected %s", async (operationId, expected) => {
    const { method, path } = operations[operationId];
    const { client } = answered(() => Response.json({ status: "maintenance" }));
    const call = client.request(method, path, { path: { identifier: "1001" } });
    await expect(call).rejects.toThrow(`Expected ${expected}.`);
  });
});

describe("a reply is accepted", () => {
  it("without the members that do not identify it", async () => {
    const { client } = answered(() => Response.json({ merchantId: "m1" }));
    expect(await client.merchants.get("m1")).toEqual({ merchantId: "m1" });
  });

  it("with any JSON or without a body, for an unknown operation", async () => {
    const { client } = answered(({ url }) =>
      url.endsWith("/none") ? new Response(null, { status: 204 }) : accepted(),
    );
    expect(await client.request("POST", "/api/v2/messages/sms")).toEqual(identified);
    expect(await client.request("POST", "/api/v2/none")).toBeUndefined();
  });
});

describe("a client without the generated methods", () => {
  const core = (reply: () => Response) =>
    new CoreClient({
      ...{ apiKey: API_KEY, apiSecret: API_SECRET, baseUrl: BASE_URL, maxRetries: 0 },
      fetch: async () => reply(),
    });
  const maintenance = () => Response.json({ status: "maintenance" });

  it("knows the operations of its resources", async () => {
    const client = core(maintenance);
    expect(await client.request("POST", "/api/v1/messages/sms")).toEqual({ status: "maintenance" });
    await expect(new SendResource(client).sms(sms)).rejects.toThrow(UnexpectedReplyError);
  });

  it.each([
    [["parcelId"], /a JSON object with parcelId/],
    [[["parcelId", "kind"]], /a JSON list of objects with parcelId, kind/],
    ["parcel", /XML with <parcel>/],
    [null, /HTTP 204/],
  ] as const)("compares the reply with the identity %j of the call", async (identity, expected) => {
    await expect(core(maintenance).request("GET", "/parcels/7", { identity })).rejects.toThrow(expected);
  });
});

it("a foreign 2xx makes a row fail", async () => {
  const { client } = answered(foreign["{}"] ?? accepted);
  const ended: unknown[] = [];
  for await (const outcome of client.send.many([sms], { channel: "SMS" })) ended.push(outcome);
  expect(ended).toEqual([expect.objectContaining({ ok: false, error: expect.any(UnexpectedReplyError) })]);
});
