// The packed SDK in a page in a real browser. The page's origin forwards its requests to a real server.

import { cpSync } from "node:fs";
import { request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hasChromium } from "../browser/chromium.ts";
import { outcomeOfPage } from "../browser/script-page.ts";
import { MsgdFolder } from "../e2e/msgd-process.ts";
import { type Bundle, bundle, forBrowser } from "./bundled.ts";
import { installSdk, root } from "./packed.ts";
import { expected } from "./programs/page.mjs";

const program = `
  import * as sdk from "@msgctl/sdk";
  import * as webhooks from "@msgctl/sdk/webhooks";
  import { exercisePage } from "./page.mjs";
  globalThis.outcome = exercisePage(sdk, webhooks, { ...globalThis.credential, baseUrl: location.origin });
`;

const { folder, remove } = installSdk();
const msgd = new MsgdFolder();
let made: Bundle;
beforeAll(async () => {
  cpSync(join(root, "test/packages/programs/page.mjs"), join(folder, "page.mjs"));
  made = await bundle(program, folder, forBrowser);
});
afterAll(async () => {
  await msgd.remove();
  remove();
});

it("the bundle needs no module of Node", () => {
  const packages = made.inputs.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path);
  expect([...new Set(packages)].sort()).toEqual(["@msgctl/sdk", "page.mjs", "program.js"]);
});

it("the SDK works in a page", async ({ skip }) => {
  if (!hasChromium) return skip("there is no chromium or google-chrome on PATH");
  const { apiKey, apiSecret } = msgd.createTenant();
  const { baseUrl } = await msgd.serve();
  const outcome = await outcomeOfPage({
    script: made.text,
    globals: { credential: { apiKey, apiSecret } },
    answer(request, response) {
      if (!request.url?.startsWith("/api/")) return false;
      pass(request, response, baseUrl);
      return true;
    },
  });
  expect(outcome).toEqual(expected);
});

/** Forwards a request to another server, and returns the reply. */
function pass(request: IncomingMessage, response: ServerResponse, baseUrl: string): void {
  const { method = "GET", headers, url = "/" } = request;
  const onwards = forward(new URL(url, baseUrl), { method, headers }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(response);
  });
  onwards.on("error", () => response.destroy());
  request.pipe(onwards);
}
