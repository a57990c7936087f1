// The pages on which admins manage users and keys, in a real browser.

import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, openContext } from "../browser/chromium.ts";
import { createPost } from "../e2e/create-post.ts";
import { type Credential, MsgdFolder } from "../e2e/msgd-process.ts";
import { expectOpenToAll, holdBack, leave, watchFaults } from "./pages.ts";

const PASSWORD = "correct horse battery staple";
const ADMIN = "admin@example.com";
const folder = new MsgdFolder();

let baseUrl: string;
let credential: Credential;
let context: BrowserContext;
let page: Page;
let faults: string[];

describe.runIf(hasChromium)("the dashboard in a browser", () => {
  beforeAll(async () => {
    credential = folder.createTenant("Acme");
    ({ baseUrl } = await folder.serve());
    context = await openContext({ permissions: ["clipboard-read", "clipboard-write"] });
    page = await context.newPage();
    faults = watchFaults(page, baseUrl, [400, 401]);
    const post = createPost(baseUrl, credential);
    await post("/api/v1/merchants", { merchantId: "shop", displayName: "Shop" });
    await add(ADMIN, "--role", "admin");
  });
  afterAll(async () => {
    await context?.close();
    await folder.remove();
  });

  afterEach(async () => {
    await leave(page, baseUrl);
    expect(faults.splice(0)).toEqual([]);
  });

  /** Adds a user who has a password, with the `msgd` command line. */
  async function add(email: string, ...flags: string[]): Promise<void> {
    const args = ["users", "create", "--tenant", credential.tenantId, "--email", email, ...flags];
    const { hash } = new URL(folder.command<{ link: string }>(...args).link);
    const body = JSON.stringify({ link: hash.slice(1), password: PASSWORD });
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${baseUrl}/dashboard/api/password`, { method: "POST", headers, body })).status).toBe(200);
  }

  async function signIn(path: string, email = ADMIN, on = page): Promise<void> {
    await on.goto(`${baseUrl}/dashboard${path}`);
    await on.getByLabel("Email").fill(email);
    await on.getByLabel("Password").fill(PASSWORD);
    await on.keyboard.press("Enter");
    await on.getByRole("button", { name: "Sign out" }).waitFor();
  }

  const rowOf = (text: string) => page.locator("li.managed").filter({ hasText: text });
  const shown = () => page.getByRole("region", { name: "Shown only once" });

  /** Focuses an element until it keeps the focus: a newly rendered element may take the focus from it. Then presses a key. */
  async function press(what: Locator, key = "Enter"): Promise<void> {
    const keepsFocus = async () => {
      await what.focus();
      await page.evaluate("new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)))");
      return what.evaluate((element) => element === document.activeElement);
    };
    await expect.poll(keepsFocus).toBe(true);
    await page.keyboard.press(key);
  }

  it("adds a user with the keyboard, with a link that is shown once and works once", async () => {
    await signIn("/");
    await press(page.getByRole("link", { name: "Users" }));
    await rowOf(ADMIN).getByText("(you)").waitFor();
    expect(await rowOf(ADMIN).getByText("Change").count()).toBe(0);
    await press(page.getByText("Add a user"), "Space");
    await page.getByLabel("Email").fill("ann@example.com");
    await page.getByLabel("Role").selectOption("agent");
    await page.getByLabel("Merchant").selectOption("Shop");
    await press(page.getByRole("button", { name: "Add" }));
    await shown().waitFor();
    await expect.poll(() => shown().evaluate((section) => section === document.activeElement)).toBe(true);
    const link = await shown().locator("code").innerText();
    expect(link).toMatch(/\/dashboard\/password#[\w-]{43}$/);
    await press(shown().getByRole("button", { name: "Copy Link for ann@example.com" }));
    await shown().getByText("Link for ann@example.com is copied.").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(link);
    await expect
      .poll(() => rowOf("ann@example.com").innerText())
      .toMatch(/Invited\s+agent: .+\s+sees Shop\s+never signed in.*link, which works until/);
    await press(shown().getByRole("button", { name: "Hide" }));
    await shown().waitFor({ state: "detached" });
    await page.reload();
    await rowOf("ann@example.com").waitFor();
    expect(await page.content()).not.toContain(link.split("#")[1]);
    const other = await openContext();
    const ann = await other.newPage();
    await ann.goto(link);
    await ann.getByLabel("New password").fill(PASSWORD);
    await ann.keyboard.press("Enter");
    await ann.getByRole("heading", { name: "Your password is set" }).waitFor();
    await signIn("/users", "ann@example.com", ann);
    await ann.getByText("Only admins can see this page.").waitFor();
    expect(await ann.getByRole("link", { name: /^(Users|API keys)$/ }).count()).toBe(0);
    await other.close();
    await page.reload();
    await rowOf("ann@example.com").getByText("active").waitFor();
  });

  it("says why an address cannot be used", async () => {
    await signIn("/users");
    await page.getByText("Add a user").click();
    await page.getByLabel("Email").fill(ADMIN);
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByRole("alert").getByText(`${ADMIN} cannot be used for a new user`).waitFor();
  });

  it("changes the user's own password, after which the other sessions have ended", async () => {
    await add("dee@example.com", "--role", "viewer");
    const other = await openContext();
    await signIn("/account", "dee@example.com", await other.newPage());
    await signIn("/account", "dee@example.com");
    const sessions = () => page.getByRole("region", { name: "Sessions" }).getByRole("row");
    await expect.poll(() => sessions().count()).toBe(3);
    await expectOpenToAll(page);
    const form = page.getByRole("region", { name: "Password", exact: true });
    await form.getByLabel("Present password").fill("not my password");
    await form.getByLabel("New password").fill("a new and longer passphrase");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("The present password is wrong.").waitFor();
    await form.getByLabel("Present password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByText("The password was changed, and your other sessions have ended.").waitFor();
    await expect.poll(() => sessions().count()).toBe(2);
    expect((await context.cookies()).map(({ name }) => name).sort()).toEqual([
      ...["__Host-msgd-device", "__Host-msgd-session"],
    ]);
    await other.close();
  });

  it("changes a role, issues a new link, and disables a user after a confirmation", async () => {
    await add("bob@example.com", "--role", "viewer");
    await signIn("/users");
    const bob = rowOf("bob@example.com");
    await press(bob.getByText("Change bob@example.com"), "Space");
    await bob.getByLabel("Role").selectOption("agent");
    await press(bob.getByRole("button", { name: "Give this role" }));
    await bob.getByRole("status").getByText("The role is agent now.").waitFor();
    await press(bob.getByRole("button", { name: "Disable …" }));
    const keep = bob.getByRole("button", { name: "Keep them" });
    await expect.poll(() => keep.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    const ask = bob.getByRole("button", { name: "Disable …" });
    await expect.poll(() => ask.evaluate((button) => button === document.activeElement)).toBe(true);
    await expect.poll(() => bob.getByText("active").count()).toBe(1);
    await page.keyboard.press("Enter");
    await press(bob.getByRole("button", { name: "Yes, disable them" }));
    await bob.getByText("Disabled", { exact: true }).waitFor();
    await press(bob.getByRole("button", { name: "Enable with a new link …" }));
    await press(bob.getByRole("button", { name: "Yes, end their sessions" }));
    await shown().waitFor();
    await bob.getByText("invited").waitFor();
    await page.getByRole("link", { name: "Audit" }).click();
    await page
      .getByRole("table", { name: "Audit" })
      .getByRole("row")
      .filter({ hasText: "disabled a user" })
      .getByText("bob@example.com")
      .waitFor();
  });

  it("creates a key, rotates its secret, and revokes it after a confirmation", async () => {
    await signIn("/");
    await press(page.getByRole("link", { name: "API keys" }));
    await rowOf(credential.apiKey).waitFor();
    await press(page.getByText("Create a key"), "Space");
    await press(page.getByRole("button", { name: "Create" }));
    await shown().waitFor();
    const [apiKey = "", first = ""] = await shown().locator("code").allInnerTexts();
    await press(shown().getByRole("button", { name: "Copy API secret" }));
    await shown().getByText("API secret is copied.").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(first);
    await press(shown().getByRole("button", { name: "Hide" }));
    const use = async (apiSecret: string) => {
      const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret };
      return (await fetch(`${baseUrl}/api/v1/merchants`, { headers })).status;
    };
    expect(await use(first)).toBe(200);
    const key = rowOf(apiKey);
    await press(key.getByText(`Change ${apiKey}`), "Space");
    await key.getByLabel("Previous secret").selectOption("ends now");
    await press(key.getByRole("button", { name: "New secret …" }));
    await press(key.getByRole("button", { name: "Yes, issue a new secret" }));
    await shown().waitFor();
    const second = await shown().locator("code").last().innerText();
    await expect.poll(async () => [await use(first), await use(second)]).toEqual([401, 200]);
    await press(key.getByRole("button", { name: "Revoke …" }));
    await press(key.getByRole("button", { name: "Yes, revoke it permanently" }));
    await key.getByText("Revoked", { exact: true }).waitFor();
    await key.getByText(`by ${ADMIN}`).waitFor();
    await expect.poll(() => use(second)).toBe(401);
    await page.reload();
    await key.waitFor();
    expect(await key.getByText("Change").count()).toBe(0);
    expect(await page.content()).not.toContain(first);
    expect(await page.content()).not.toContain(second);
  });

  it("keeps the text that a user has typed when a reply arrives", async () => {
    const answerMerchants = await holdBack(page, "**/dashboard/api/v1/merchants");
    await signIn("/keys");
    await page.getByText("Create a key").click();
    const name = page.getByLabel("Name");
    await name.pressSequentially("my ");
    answerMerchants();
    await page.getByRole("option", { name: "Shop" }).waitFor({ state: "attached" });
    await page.keyboard.type("key");
    expect(await name.inputValue()).toBe("my key");

    await page.getByRole("link", { name: "Users" }).click();
    await rowOf(ADMIN).waitFor();
    await page.getByText("Add a user").click();
    const email = page.getByLabel("Email");
    const answerUser = await holdBack(page, "**/dashboard/api/users");
    await email.fill("first@example.com");
    await page.keyboard.press("Enter");
    await email.fill("next@example.com");
    answerUser();
    await shown().getByText("Link for first@example.com").waitFor();
    expect(await email.inputValue()).toBe("next@example.com");
    await email.press("Enter");
    await shown().getByText("Link for next@example.com").waitFor();
    expect(await email.inputValue()).toBe("");
  });

  it("disables a user while another change of the user is in progress", async () => {
    await add("carl@example.com", "--role", "viewer");
    await signIn("/users");
    const carl = rowOf("carl@example.com");
    await carl.getByText("Change carl@example.com").click();
    const letGo = await holdBack(page, "**/dashboard/api/users/*/role");
    await carl.getByLabel("Role").selectOption("agent");
    await carl.getByRole("button", { name: "Give this role" }).click();
    await carl.getByRole("button", { name: "Disable …" }).click();
    await carl.getByRole("button", { name: "Yes, disable them" }).click();
    await carl.getByText("Disabled", { exact: true }).waitFor();
    letGo();
    await carl.locator("span", { hasText: "agent: can also record consent" }).waitFor();
  });

  it("focuses the safe choice of a confirmation before the first paint", async () => {
    await add("dora@example.com");
    await signIn("/users");
    const dora = rowOf("dora@example.com");
    await dora.getByText("Change dora@example.com").click();
    const focused = await dora.getByRole("button", { name: "Disable …" }).evaluate(async (button) => {
      (button as HTMLElement).click();
      // rendering runs in microtasks, painting in a later task: wait for some microtasks
      for (let turn = 0; turn < 10; turn += 1) await null;
      return document.activeElement?.textContent;
    });
    expect(focused).toBe("Keep them");
  });

  it.each(["users", "keys"])("the page of %s is accessible", async (name) => {
    await add(`${name}@example.com`);
    await signIn(`/${name}`);
    const row = rowOf(name === "users" ? "users@example.com" : credential.apiKey);
    await row.getByText(/^Change/).click();
    if (name === "users") {
      await row.getByRole("button", { name: "New link …" }).click();
      await row.getByRole("button", { name: "Yes, end their sessions" }).click();
    } else {
      await page.getByText("Create a key").click();
      await page.getByRole("button", { name: "Create" }).click();
      await row.getByRole("button", { name: "Revoke …" }).click();
    }
    await shown().waitFor();
    await expectOpenToAll(page);
  });
});
