// The light handlers behind msw in Node, called by fetch.

import { type OperationId, operations, type Problem } from "@msgctl/contract";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, it, vi } from "vitest";
import { createHandlers, exampleHandlers, exampleOf, onUnhandledRequest, problemResponse } from "./light.ts";

const baseUrl = "https://api.example.com";
const server = setupServer();
const ids = Object.keys(operations) as OperationId[];
const http = createHandlers({ baseUrl });

beforeAll(() => server.listen({ onUnhandledRequest }));
afterEach(() => {
  server.resetHandlers();
  vi.restoreAllMocks();
});
afterAll(() => server.close());

/** Calls an operation, with some value for each placeholder. */
function call(operationId: OperationId): Promise<Response> {
  const { method, path } = operations[operationId];
  return fetch(baseUrl + path.replaceAll(/\{\w+\}/g, "7"), { method });
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  return response.headers.get("content-type")?.endsWith("json") ? JSON.parse(text) : text || undefined;
}

describe("exampleHandlers", () => {
  it("answer each operation with its example", async () => {
    server.use(...exampleHandlers(`${baseUrl}/`));
    for (const operationId of ids) {
      const response = await call(operationId);
      const { successStatus, responseMediaType } = operations[operationId];
      const told = [response.status, response.headers.get("content-type")];
      expect.soft(told, operationId).toEqual([successStatus, responseMediaType]);
      expect.soft(response.headers.get("x-request-id"), operationId).toMatch(/^req_/);
      expect.soft(await bodyOf(response), operationId).toEqual(exampleOf(operationId));
      expect.soft(exampleOf(operationId) !== undefined, operationId).toBe(responseMediaType !== null);
    }
  });

  it("answer with the given status if the operation documents it", async () => {
    server.use(...exampleHandlers(baseUrl, { status: 402 }));
    const [sms, list] = [await call("sendSms"), await call("listMerchants")];
    expect([sms.status, sms.headers.get("content-type")]).toEqual([402, "application/problem+json"]);
    expect(await sms.json()).toEqual(exampleOf("sendSms", "quota_exceeded"));
    expect(list.status).toBe(200);
  });

  it("answer single operations as configured, with the headers of that status", async () => {
    server.use(...exampleHandlers(baseUrl, { status: 503, answers: { sendSms: "rate_limited", sendEmail: 200 } }));
    const replies = [await call("sendSms"), await call("sendEmail"), await call("sendVoice")];
    expect(replies.map(({ status }) => status)).toEqual([429, 200, 503]);
    expect(replies[0]?.headers.get("retry-after")).toBe("1");
  });

  it("answer at any origin if the base URL is *", async () => {
    server.use(...exampleHandlers("*"));
    expect((await fetch("http://127.0.0.1:9/api/v1/alerts")).status).toBe(200);
  });

  it("answer only after the delay", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    try {
      server.use(...exampleHandlers(baseUrl, { delayMs: 60_000 }));
      const answered = vi.fn();
      const reply = call("listAlerts").then(answered);
      // waitUntil itself advances the clock a little
      await vi.waitUntil(() => vi.getTimerCount() > 0, 60_000);
      await vi.advanceTimersByTimeAsync(50_000);
      expect(answered).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(10_000);
      await reply;
      expect(answered).toHaveBeenCalledOnce();
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ["a status that no operation has", { status: 418 }, "No operation of the contract answers 418."],
    ["an operation that does not exist", { answers: { sendFax: 200 } }, "The contract has no operation sendFax."],
    [
      "an answer that the operation does not have",
      { answers: { listMerchants: "quota_exceeded" } },
      "listMerchants does not answer quota_exceeded. Its statuses are 200, 400,",
    ],
  ])("refuses %s", (_, options, message) => {
    expect(() => exampleHandlers(baseUrl, options as object)).toThrow(message);
  });
});

describe("exampleOf", () => {
  it("returns the example of each documented status and code", () => {
    for (const id of ids) {
      for (const [status, codes] of Object.entries(operations[id].errors)) {
        expect(exampleOf(id, Number(status) as never)).toMatchObject({ status: Number(status), code: codes[0] });
        for (const code of codes) expect(exampleOf(id, code as never)).toMatchObject({ status: Number(status), code });
      }
    }
  });

  it("returns a copy each time", () => {
    const first = exampleOf("sendSms");
    first.messageId = "msg_changed";
    expect(exampleOf("sendSms").messageId).not.toBe("msg_changed");
  });

  it("lists the existing entries if the given one does not exist", () => {
    expect(() => exampleOf("sendFax" as "sendSms")).toThrow(/no operation sendFax\. It has upsertMerchant, /);
    expect(() => exampleOf("sendSms", 418 as 422)).toThrow(/does not answer 418\. Its statuses are 200, 400, /);
  });

  it("has the types of the contract", () => {
    expectTypeOf(exampleOf("sendSms").messageId).toEqualTypeOf<string>();
    expectTypeOf(exampleOf("sendSms", 422)).toEqualTypeOf<Problem>();
    expectTypeOf(exampleOf("reportSipPresence")).toEqualTypeOf<undefined>();
    // @ts-expect-error a code that listMerchants does not have
    expect(() => exampleOf("listMerchants", "quota_exceeded")).toThrow(RangeError);
  });
});

describe("createHandlers", () => {
  it("types params, body and replies of one handler", async () => {
    server.use(
      http.get("/api/v1/merchants/{merchantId}", ({ params, response }) => {
        expectTypeOf(params.merchantId).toEqualTypeOf<string>();
        return response(200).json({ ...exampleOf("getMerchant"), merchantId: params.merchantId });
      }),
      http.post("/api/v1/messages/sms", async ({ request, response }) => {
        const { to, message } = await request.json();
        expectTypeOf(to).toEqualTypeOf<string>();
        if (message === "") return response(422).json(exampleOf("sendSms", "consent_required"));
        // @ts-expect-error the view has no such status
        response(200).json({ ...exampleOf("sendSms"), status: 7 });
        return response.untyped(problemResponse("quota_exceeded", { detail: `none left for ${to}` }));
      }),
    );
    // @ts-expect-error not a path of the contract
    http.get("/api/v1/fax", () => undefined);
    const merchant = await fetch(`${baseUrl}/api/v1/merchants/smile`);
    expect(await merchant.json()).toMatchObject({ merchantId: "smile" });
    const body = JSON.stringify({ to: "+12025550100", message: "Hi" });
    const refused = await fetch(`${baseUrl}/api/v1/messages/sms`, { method: "POST", body });
    expect([refused.status, refused.headers.get("content-type")]).toEqual([402, "application/problem+json"]);
    expect(await refused.json()).toMatchObject({ code: "quota_exceeded", detail: "none left for +12025550100" });
  });
});

describe("onUnhandledRequest", () => {
  it("refuses a request of this API that nobody mocked, and names it", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await expect(call("sendSms")).rejects.toThrow();
    expect(said.mock.calls[0]?.[0]).toBe(
      '@msgctl/mocks: POST /api/v1/messages/sms is not mocked. It is sendSms (POST /api/v1/messages/sms), and no handler answers it at https://api.example.com. Give the server http.post("/api/v1/messages/sms", ...) of createHandlers({ baseUrl: "https://api.example.com" }), or exampleHandlers("https://api.example.com").',
    );
  });

  it("leaves other requests to msw's warning", () => {
    const print = { warning: vi.fn(), error: vi.fn() };
    onUnhandledRequest(new Request("https://elsewhere.example/fonts/a.woff"), print);
    expect([print.warning.mock.calls.length, print.error.mock.calls.length]).toEqual([1, 0]);
  });
});
