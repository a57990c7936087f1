// The built light mocks in a page in a real browser, with msw's service worker.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { hasChromium } from "../browser/chromium.ts";
import { outcomeOfPage } from "../browser/script-page.ts";
import { bundle, forBrowser } from "./bundled.ts";
import { root } from "./packed.ts";

const program = `
  import { createHandlers, exampleHandlers, exampleOf, onUnhandledRequest, problemResponse } from "@msgctl/mocks/light";
  import { MessagingClient } from "@msgctl/sdk";
  import { setupWorker } from "msw/browser";
  const baseUrl = "https://api.example.com";
  const lines = [];
  console.error = console.warn = (line) => lines.push(String(line));

  async function exercise() {
    const http = createHandlers({ baseUrl });
    const worker = setupWorker(
      http.post("/api/v1/messages/sms", async ({ request, response }) => {
        const { message } = await request.json();
        if (message === "") return response.untyped(problemResponse("quota_exceeded"));
        return response(200).json({ ...exampleOf("sendSms"), messageId: "msg_of_the_page" });
      }),
    );
    await worker.start({ onUnhandledRequest, quiet: true });
    const client = new MessagingClient({ apiKey: "key", apiSecret: "secret", baseUrl, maxRetries: 0 });
    const body = { merchantId: "m1", to: "+12025550100", type: "OTP" };
    const sent = await client.send.sms({ ...body, message: "Hello" });
    const refused = await client.send.sms({ ...body, message: "" }).safe();
    const unmocked = await client.merchants.list().safe();
    worker.use(...exampleHandlers(baseUrl));
    const listed = await client.merchants.list().safe();
    worker.stop();
    return { messageId: sent.messageId, refusal: refused.error.code, unmocked: unmocked.error.name, isListed: listed.ok, lines };
  }
  globalThis.outcome = exercise();
`;

const worker = readFileSync(createRequire(import.meta.url).resolve("msw/mockServiceWorker.js"));

it("the mocks answer a page, and report unmocked requests on its console", async ({ skip }) => {
  if (!hasChromium) return skip("there is no chromium or google-chrome on PATH");
  // uses the built files instead of the sources that tsconfig.json names
  const { text: script } = await bundle(program, root, { ...forBrowser, tsconfigRaw: {} });
  const outcome = await outcomeOfPage({
    script,
    answer(request, response) {
      const isWorker = request.url === "/mockServiceWorker.js";
      if (isWorker) response.setHeader("content-type", "text/javascript").end(worker);
      return isWorker;
    },
  });
  expect(outcome).toEqual({
    messageId: "msg_of_the_page",
    refusal: "quota_exceeded",
    unmocked: "ConnectionError",
    isListed: true,
    lines: [expect.stringMatching(/^@msgctl\/mocks: GET \/api\/v1\/merchants is not mocked\. It is listMerchants /)],
  });
});
