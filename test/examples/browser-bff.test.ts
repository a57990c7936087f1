// The page and its backend with a real server: served files, refused requests, and the page in a real browser.

import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { hasChromium, openContext } from "../browser/chromium.ts";
import { MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";
import { ExampleProcess } from "./example-process.ts";

const folder = new MsgdFolder();
let server: MsgdProcess;
let backend: ExampleProcess;
/** Headers and bodies of all replies of the backend. */
const served: string[] = [];

beforeAll(async () => {
  server = await folder.serveDemo();
  const { apiKey, apiSecret } = folder.demoCredential;
  backend = await ExampleProcess.start("examples/browser-bff/backend.ts", {
    ...{ MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret, MSGCTL_BASE_URL: server.baseUrl },
    PORT: "0",
  });
});
afterAll(async () => {
  await backend?.end();
  await folder.remove();
});

/** Sends a request with exactly these headers, as any program can. */
function ask(method: string, path: string, headers: Record<string, string> = {}, body = ""): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const asked = request(`${backend.origin}${path}`, { method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => {
        served.push(JSON.stringify(response.headers), text);
        resolve([response.statusCode ?? 0, text]);
      });
    });
    asked.on("error", reject).end(body);
  });
}

async function countMessages(): Promise<number> {
  return ((await (await fetch(`${server.baseUrl}/control/messages`)).json()) as unknown[]).length;
}

const requestId = "0b8f2d52-5f0e-4b83-9a0e-3a5f7f0a1c11";
const text = (order: unknown, id = requestId) => JSON.stringify({ order, requestId: id });
const own = () => ({ origin: backend.origin, "content-type": "application/json" });

describe("the page", () => {
  it("may text the owner of an order, once", async () => {
    const sent = [200, JSON.stringify({ said: "We have sent you a text." })];
    expect(await ask("POST", "/api/order-texts", own(), text("1001"))).toEqual(sent);
    expect(await ask("POST", "/api/order-texts", own(), text("1001"))).toEqual(sent);
    expect(await countMessages()).toBe(1);
  });

  it.each([
    ["a customer who has opted out", text("1002"), 403],
    ["an order that does not exist", text("9999"), 404],
    ["an invalid order number", text("toString"), 400],
  ])("may not send a text for %s", async (_, body, status) => {
    expect((await ask("POST", "/api/order-texts", own(), body))[0]).toBe(status);
    expect(await countMessages()).toBe(1);
  });
});

it.each([
  ["another site", { origin: "https://elsewhere.example" }, 403],
  ["a page without an origin", { origin: "null" }, 403],
  ["a program that names no origin", { origin: "" }, 403],
  ["a host name that was rebound to this server", { host: "elsewhere.example" }, 403],
  ["a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
  ["a form that sends plain text", { "content-type": "text/plain" }, 415],
])("the backend refuses %s", async (_, headers, status) => {
  const before = await countMessages();
  const body = text("1001", requestId.replace("0b", "1c"));
  expect((await ask("POST", "/api/order-texts", { ...own(), ...headers }, body))[0]).toBe(status);
  expect(await countMessages()).toBe(before);
});

it.skipIf(!hasChromium)("the page works in a browser", async () => {
  const before = await countMessages();
  const context = await openContext();
  try {
    const page = await context.newPage();
    await page.goto(backend.origin);
    const said = () => page.evaluate('document.querySelector("[role=status]")?.textContent');
    const submit = (order: string) =>
      page.evaluate(
        `document.querySelector("input").value = "${order}"; document.querySelector("form").requestSubmit()`,
      );
    expect(await said()).toBe("");
    for (const [order, answer] of [
      ["1001", "We have sent you a text."],
      ["1002", "You have asked us not to text you."],
      ["9999", "There is no such order."],
    ] as const) {
      await submit(order);
      await vi.waitFor(async () => expect(await said()).toBe(answer), 60_000);
    }
    expect(await countMessages()).toBe(before + 1);
    served.push(String(await page.evaluate("document.documentElement.outerHTML")));
    // under the content security policy, the page reaches only its own backend
    const elsewhere = `fetch("${server.baseUrl}/healthz").then(() => "reached", (error) => error.name)`;
    expect(await page.evaluate(elsewhere)).toBe("TypeError");
  } finally {
    await context.close();
  }
});

it("the backend never reveals the credential, not even while the service fails", async () => {
  for (const path of ["/", "/page.js", "/.env", "/backend.ts", "/page/../backend.ts"]) await ask("GET", path);
  await server.end("SIGTERM");
  const [status] = await ask("POST", "/api/order-texts", own(), text("1001", requestId.replace("0b", "2d")));
  expect(status).toBe(502);
  const { apiKey, apiSecret } = folder.demoCredential;
  const everything = [...served, ...backend.written].join("\n");
  expect(everything).toContain("Text me the state of it");
  expect(everything).toContain("/api/order-texts");
  for (const hidden of [apiKey, apiSecret, apiSecret.slice(4, 24)]) expect(everything).not.toContain(hidden);
});
