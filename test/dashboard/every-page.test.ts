// Every page of the dashboard for users, in a real browser, with long names and names in scripts of either direction: its title, its
// faults, and that it can be read at any zoom, with spaced text and in the reader's own colours.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { exampleProvisioning } from "../../packages/server/src/testing/provisioning-example.ts";
import { installedFirefox } from "../browser/firefox.ts";
import { createPost } from "../e2e/create-post.ts";
import { type Credential, MsgdFolder } from "../e2e/msgd-process.ts";
import { browser, expectReadable, expectZoom, watchFaults } from "./pages.ts";

const PASSWORD = "correct horse battery staple";
const ADMIN = `admin-${"of-everything-".repeat(4)}@example.com`;
const LENGTH = 200;

/** Names of 200 characters by the id of a merchant. */
const names = Object.entries({
  latin: "The Very Long Established Family Dining and Catering Company ",
  unbroken: "W",
  arabic: "عيادة الواحة لطب الأسنان ",
  hebrew: "מאפיית בית לחם ",
  japanese: "さくらラーメン渋谷店",
}).map(([merchantId, text]) => ({ merchantId, name: text.repeat(LENGTH).slice(0, LENGTH).trim() }));

const folder = new MsgdFolder();
let baseUrl: string;
let credential: Credential;

beforeAll(async () => {
  credential = folder.createTenant("Riverbend", "America/New_York");
  ({ baseUrl } = await folder.serve("--consent-policy", "opt_out_only", "--allow-private-callbacks"));
  const post = createPost(baseUrl, credential);
  async function call<Reply>(path: string, body: object): Promise<Reply> {
    const reply = await post(path, body);
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`);
    return JSON.parse(text) as Reply;
  }
  for (const { merchantId, name } of names) {
    const limits = { smsLimit: 5_000_000, voiceMinutesLimit: 60, emailLimit: 10_000 };
    await call("/api/v1/merchants", { merchantId, displayName: name, ...limits });
    const message = name.slice(0, 120);
    for (const ending of ["00", "10", "11"]) {
      const sms = { merchantId, type: "TRANSACTIONAL", to: `+120255501${ending}`, message };
      const { messageId } = await call<{ messageId: string }>("/api/v1/messages/sms", sms);
      paths.message = `/messages/${messageId}`;
    }
    const to = `delivered+${"long-".repeat(9)}@simulator.example`;
    await call("/api/v1/messages/email", { merchantId, type: "TRANSACTIONAL", to, subject: message, body: name });
    const calls = {
      merchantId,
      useCase: "REMINDER",
      messageText: message,
      toNumbers: ["+12025550100", "+12125550131"],
    };
    const callbackUrl = `http://127.0.0.1:9/${"long-path-".repeat(15)}`;
    const batch = await call<{ batchId: string }>("/api/v1/voice/tts-calls", { ...calls, callbackUrl });
    paths.batch = `/calls/batches/${batch.batchId}`;
    const consent = {
      merchantId,
      contact: "+12025550100",
      channel: "SMS",
      status: "OPT_IN",
      source: name.slice(0, 60),
    };
    await call("/api/v1/consents", consent);
    await call(`/api/v1/merchants/${merchantId}/messaging/brand`, {
      ...{ legalBusinessName: name.slice(0, 120), businessType: "PRIVATE_PROFIT", websiteUrl: "https://a.example" },
      ...{ provider: "carrier-hub", providerBrandId: `B-${merchantId}`, status: "APPROVED" },
    });
  }
  folder.command("keys", "create", "--tenant", credential.tenantId, "--name", "long-name-".repeat(6));
  await post("/api/v1/messages/sms", { merchantId: "nobody", to: "+12025550100" });
  await provision();
  await addAdmin();
});
afterAll(() => folder.remove());

async function provision(): Promise<void> {
  const file = join(folder.parent, "provisioning.json");
  writeFileSync(file, JSON.stringify(exampleProvisioning(Number(credential.tenantId))), { mode: 0o600 });
  await folder.run("provisioning", "import", file, "--tenant", credential.tenantId);
}

async function addAdmin(): Promise<void> {
  const args = ["users", "create", "--tenant", credential.tenantId, "--email", ADMIN, "--role", "admin"];
  const { hash } = new URL(folder.command<{ link: string }>(...args).link);
  const body = JSON.stringify({ link: hash.slice(1), password: PASSWORD });
  const headers = { "content-type": "application/json" };
  const reply = await fetch(`${baseUrl}/dashboard/api/password`, { method: "POST", headers, body });
  if (!reply.ok) throw new Error(`the password was not set: ${reply.status} ${await reply.text()}`);
}

/** The address of each page. Those with an id are completed above. */
const paths = {
  messages: "/messages",
  message: "",
  calls: "/calls",
  batch: "",
  recipients: "/recipients",
  recipient: "/recipients/%2B12025550100",
  overview: "/overview",
  merchants: "/merchants",
  merchant: "/merchants/unbroken",
  registration: "/registration?merchant=latin",
  voice: "/voice",
  requests: "/requests",
  callbacks: "/callbacks",
  keys: "/keys",
  operations: "/operations",
  operation: "/operations/sendSms?merchantId=arabic",
  carriers: "/carriers",
  health: "/health",
  users: "/users",
  audit: "/audit",
  account: "/account",
  nothing: "/nothing",
};

describe.runIf(browser.isInstalled)(`the dashboard in ${browser.name}`, () => {
  let context: BrowserContext;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    context = await browser.openContext();
    page = await context.newPage();
    faults = watchFaults(page, baseUrl, [401]);
    await page.goto(`${baseUrl}/dashboard`);
    await page.getByLabel("Email").fill(ADMIN);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Sign out" }).waitFor();
  });
  afterAll(() => context?.close());
  afterEach(() => expect(faults.splice(0)).toEqual([]));

  it.each(Object.keys(paths) as (keyof typeof paths)[])("can be read by everybody: %s", async (name) => {
    await page.goto(`${baseUrl}/dashboard${paths[name]}`);
    const heading = page.locator("h1");
    await heading.waitFor();
    await page.locator(".loading, .skeleton").first().waitFor({ state: "detached" });
    const title = (await heading.textContent()) ?? "";
    expect(await page.title()).toMatch(/^.+ · msgd$/);
    expect(await page.title()).toContain(title);
    // Playwright cannot emulate the reader's preferences in Firefox
    await (browser === installedFirefox ? expectZoom(page) : expectReadable(page));
  });
});
