// The packed SDK in a page, in a real browser, against the real server behind the page's own origin.

import { cpSync } from "node:fs";
import { request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MsgdFolder } from "../e2e/msgd-process.ts";
import { type Bundle, bundle, forBrowser } from "./bundled.ts";
import { findChromium, openPage } from "./chromium.ts";
import { serve } from "./loopback-service.ts";
import { installSdk, root } from "./packed.ts";
import { expected } from "./programs/page.mjs";

const program = `
  import * as sdk from "@msgctl/sdk";
  import * as webhooks from "@msgctl/sdk/webhooks";
  import { exercisePage } from "./page.mjs";
  const tell = (told) => fetch("/told", { method: "POST", body: JSON.stringify(told) });
  exercisePage(sdk, webhooks, { ...globalThis.credential, baseUrl: location.origin }).then(tell, (error) => tell(String(error?.stack)));
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

it("asks for no module of Node", () => {
  const packages = made.inputs.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path);
  expect([...new Set(packages)].sort()).toEqual(["@msgctl/sdk", "page.mjs", "program.js"]);
});

const chromium = findChromium();

it("works in a page", { timeout: 60_000 }, async ({ skip }) => {
  if (chromium === undefined) return skip("there is no chromium or google-chrome on PATH");
  const { apiKey, apiSecret } = msgd.createTenant();
  const { baseUrl } = await msgd.serve();
  const { promise: told, resolve: tell } = withResolvers<string>();
  const credential = JSON.stringify({ apiKey, apiSecret });
  const page = `<!doctype html><script>globalThis.credential = ${credential}</script><script src="/program.js"></script>`;
  const origin = await serve((request, response) => {
    if (request.url?.startsWith("/api/")) pass(request, response, baseUrl);
    else if (request.url === "/told")
      read(request)
        .then(tell)
        .finally(() => response.end());
    else if (request.url === "/program.js") response.setHeader("content-type", "text/javascript").end(made.text);
    else response.setHeader("content-type", "text/html").end(page);
  });
  const browser = openPage(chromium, origin.origin);
  try {
    expect(JSON.parse(await Promise.race([told, browser.ended.then((said) => JSON.stringify(said))]))).toEqual(
      expected,
    );
  } finally {
    await browser.close();
    await origin.close();
  }
});

/** Passes a request on to another server, and its reply back. */
function pass(request: IncomingMessage, response: ServerResponse, baseUrl: string): void {
  const { method = "GET", headers, url = "/" } = request;
  const onwards = forward(new URL(url, baseUrl), { method, headers }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(response);
  });
  onwards.on("error", () => response.destroy());
  request.pipe(onwards);
}

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

/** As `Promise.withResolvers`, which Node 20 does not have. */
function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
