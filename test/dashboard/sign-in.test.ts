// The dashboard of a production server, in a real browser: who may sign in, and for how long.

import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { codeOf, fromBase32, stepAt } from "../../packages/server/src/domain/users/totp.ts";
import { hasChromium, openContext } from "../browser/chromium.ts";
import { createPost, type Post } from "../e2e/create-post.ts";
import { type Credential, MsgdFolder } from "../e2e/msgd-process.ts";
import { expectOpenToAll, expectReadable, holdBack, leave, watchFaults } from "./pages.ts";

const PASSWORD = "correct horse battery staple";
const folder = new MsgdFolder();

let baseUrl: string;
let credential: Credential;
let context: BrowserContext;
let page: Page;
let faults: string[];
let post: Post;
let users = 0;

describe.runIf(hasChromium)("the dashboard in a browser", () => {
  beforeAll(async () => {
    credential = folder.createTenant("Acme");
    ({ baseUrl } = await folder.serve("--consent-policy", "opt_out_only"));
    post = createPost(baseUrl, credential);
    context = await openContext();
    page = await context.newPage();
    faults = watchFaults(page, baseUrl, [400, 401, 403]);
    await call("/api/v1/merchants", { merchantId: "shop", displayName: "Shop", smsLimit: 1_000 });
  });
  afterAll(async () => {
    await context?.close();
    await folder.remove();
  });

  afterEach(async () => {
    await leave(page, baseUrl);
    expect(faults.splice(0)).toEqual([]);
  });

  async function call(path: string, body: object): Promise<Record<string, string>> {
    return (await (await post(path, body)).json()) as Record<string, string>;
  }
  const send = (message: string, to = "+12025550100") =>
    call("/api/v1/messages/sms", { merchantId: "shop", type: "OTP", to, message });
  const open = (path: string) => page.goto(baseUrl + path);

  interface Invited {
    readonly email: string;
    readonly link: string;
  }

  function invite(...flags: string[]): Invited {
    users += 1;
    const email = `user${users}@example.com`;
    const args = ["users", "create", "--tenant", credential.tenantId, "--email", email, ...flags];
    const { link } = folder.command<{ link: string }>(...args);
    return { email, link: new URL(link).pathname + new URL(link).hash };
  }

  async function setPassword({ link }: Invited): Promise<void> {
    await open(link);
    await page.getByLabel("New password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Your password is set" }).waitFor();
  }

  async function signIn({ email }: Invited): Promise<void> {
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Sign out" }).waitFor();
  }

  /** Waits for the reply: loading another page would end the request. */
  async function signOut(): Promise<void> {
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to msgd" }).waitFor();
  }

  it("leads from an invitation link to the live messages, and removes the secret from the address", async () => {
    const user = invite("--role", "admin");
    await setPassword(user);
    expect(page.url()).toBe(`${baseUrl}/dashboard/password`);
    await page.getByRole("link", { name: "Sign in" }).click();
    await signIn(user);
    await page.getByText(user.email).waitFor();
    await send("Your code is 123456");
    await page.locator("tr.row").getByText("Your code is 123456").waitFor();
    await page.locator("tr.row").getByText("Delivered").waitFor();
    expect(await page.getByRole("link", { name: "Simulator" }).count()).toBe(0);
  });

  it("requires a sign-in for any page, and then opens that page", async () => {
    const user = invite();
    await setPassword(user);
    await open("/dashboard/requests");
    await page.getByRole("heading", { name: "Sign in to msgd" }).waitFor();
    await page.getByLabel("Email").fill(user.email);
    await page.getByLabel("Password").fill("something else");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("The address or the password is wrong.").waitFor();
    await signIn(user);
    await page.getByRole("heading", { name: "Requests" }).waitFor();
  });

  it("shows an admin which users viewed which recipients", async () => {
    const user = invite("--role", "admin");
    await setPassword(user);
    const { messageId } = await send("Hello", "+12025550166");
    await open(`/dashboard/messages/${messageId}`);
    await signIn(user);
    await page.getByText("Hello", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Audit" }).click();
    await page.getByLabel("Entries about a phone number").fill("+12025550166");
    await page.keyboard.press("Enter");
    const entry = page.getByRole("table", { name: "Audit" }).locator("tr.row");
    await entry.getByText("viewed a message").waitFor();
    for (const text of [user.email, `messageId ${messageId}`]) expect(await entry.innerText()).toContain(text);
    await expectOpenToAll(page);
    await entry.click();
    await page.getByRole("dialog").getByText(/^req_/).waitFor();
    await expectOpenToAll(page);
  });

  it("shows a viewer the callbacks, without a button to resend them, and no health page", async () => {
    await call("/api/v1/merchants", { merchantId: "bell", displayName: "Bell", voiceMinutesLimit: 100 });
    const words = { merchantId: "bell", useCase: "OTP", messageText: "Hello", toNumber: "+12025550100" };
    await call("/api/v1/voice/tts-calls", { ...words, callbackUrl: "https://hooks.invalid/" });
    const user = invite("--role", "viewer");
    await setPassword(user);
    await open("/dashboard/callbacks");
    await signIn(user);
    await page
      .locator("tr.row")
      .filter({ hasText: /\d attempt/ })
      .first()
      .click();
    await page.locator(".content").waitFor();
    expect(await page.getByRole("button", { name: "Send again" }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Health" }).count()).toBe(0);
  });

  it("shows the voice page, which has SIP passwords, only to admins, and says so to other users", async () => {
    const user = invite("--role", "agent");
    await setPassword(user);
    await open("/dashboard/voice");
    await signIn(user);
    await page.getByText("Only admins of the whole tenant can see this page").waitFor();
    expect(await page.getByRole("link", { name: "Voice" }).count()).toBe(0);
    await page.getByRole("link", { name: "Calls" }).click();
    await page.getByRole("heading", { name: "Calls" }).waitFor();
  });

  it("tells an agent which role an operation needs, and asks an admin to confirm a billable operation", async () => {
    const agent = invite("--role", "agent");
    await setPassword(agent);
    await open("/dashboard/operations/sendSms");
    await signIn(agent);
    await page.getByText("This needs the role admin, and you have the role agent").waitFor();
    expect(await page.getByRole("button", { name: "Send …" }).isDisabled()).toBe(true);
    await signOut();

    const admin = invite("--role", "admin");
    await setPassword(admin);
    await open("/dashboard/operations/sendSms");
    await signIn(admin);
    await page.getByLabel("merchantId", { exact: true }).fill("shop");
    await page.getByLabel("to", { exact: true }).fill("+12025550177");
    await page.getByRole("button", { name: "Send …" }).click();
    await page.getByRole("button", { name: "Do not send" }).click();
    await page.getByRole("button", { name: "Send …" }).click();
    await page.getByRole("button", { name: "Yes, send it" }).click();
    const answer = page.getByRole("region", { name: "Answer" });
    await answer.getByRole("link", { name: /^msg_/ }).click();
    await page.getByRole("link", { name: "+1 202 555 0177", exact: true }).waitFor();
  });

  it("lets the server refuse a request sent before the role's permissions are known", async () => {
    const agent = invite("--role", "agent");
    await setPassword(agent);
    const letGo = await holdBack(page, "**/dashboard/api/permissions");
    await open("/dashboard/operations/upsertMerchant");
    await signIn(agent);
    await page.getByLabel("merchantId", { exact: true }).fill("corner-shop");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Answer" }).getByText("This needs the role admin").first().waitFor();
    await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link", { name: "Operations" }).click();
    await page.getByRole("link", { name: "Send an SMS for a merchant" }).click();
    await page.getByLabel("to", { exact: true }).press("Enter");
    await page.getByRole("button", { name: "Yes, send it" }).waitFor();
    letGo();
    await page.getByText("This needs the role admin, and you have the role agent").waitFor();
    expect(await page.getByRole("button", { name: "Yes, send it" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Send …" }).isDisabled()).toBe(true);
  });

  it("keeps the session across a reload and in another tab, until the user signs out", async () => {
    const user = invite();
    await setPassword(user);
    await open("/");
    await signIn(user);
    await page.reload();
    await page.getByText(user.email).waitFor();
    const other = await context.newPage();
    await other.goto(`${baseUrl}/dashboard`);
    await other.getByText(user.email).waitFor();
    await page.reload();
    await page.getByText(user.email).waitFor();
    await signOut();
    // the other tab's stream ends with the session
    await other.getByRole("heading", { name: "Sign in to msgd" }).waitFor();
    await other.close();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in to msgd" }).waitFor();
  });

  it("keeps the session when several pages load at once, and when a page reloads before it is ready", async () => {
    const user = invite();
    await setPassword(user);
    await open("/");
    await signIn(user);
    const other = await context.newPage();
    for (let round = 0; round < 10; round += 1) {
      const refreshed = page.waitForRequest("**/dashboard/api/session/refresh");
      await Promise.all([page, other].map((each) => each.goto(`${baseUrl}/dashboard`, { waitUntil: "commit" })));
      // start the next load before the reply to the refresh has arrived
      await refreshed;
    }
    for (const each of [page, other]) await each.getByText(user.email).waitFor();
    await other.close();
    await signOut();
  });

  it("shows no more data to a user who was disabled", async () => {
    const user = invite();
    await setPassword(user);
    await open("/");
    await signIn(user);
    folder.command("users", "disable", user.email);
    await page.getByRole("heading", { name: "Sign in to msgd" }).waitFor();
  });

  describe("with a second factor", () => {
    const card = () => page.getByRole("region", { name: "Second factor", exact: true });

    /** Sets a second factor up in its card. Returns the secret and the recovery codes. */
    async function setUp(look: () => Promise<void> = async () => {}): Promise<{ secret: string; codes: string[] }> {
      await card().getByLabel("Present password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await card().getByRole("img", { name: "QR code of the key" }).waitFor();
      const secret = (await card().locator("code").innerText()).replaceAll(" ", "");
      const link = await card().getByRole("link", { name: "add it to the app" }).getAttribute("href");
      expect(new URL(link ?? "").searchParams.get("secret")).toBe(secret);
      await look();
      const field = card().getByLabel("Code that the app shows now");
      await field.fill("x");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").getByText("The code is wrong").waitFor();
      await field.fill(codeAt(secret, 0));
      await page.keyboard.press("Enter");
      const once = page.getByRole("region", { name: "Shown only once" });
      const codes = (await once.locator("code").innerText()).split("\n");
      expect(codes).toHaveLength(10);
      await look();
      await once.getByRole("button", { name: "Hide" }).click();
      return { secret, codes };
    }

    /** The code of the present step, or one of a neighbour that is valid too. */
    const codeAt = (secret: string, steps: number) => codeOf(fromBase32(secret), stepAt(Date.now()) + steps);

    async function signInWith(user: Invited, code: string): Promise<void> {
      await page.getByLabel("Email").fill(user.email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByLabel("Code").waitFor();
      // the field has the focus
      await page.keyboard.type(code);
      await page.keyboard.press("Enter");
    }

    it("signs in with a code of the app or a recovery code, until the user turns it off", async () => {
      const user = invite("--role", "agent");
      await setPassword(user);
      await open("/dashboard/account");
      await signIn(user);
      const { secret, codes } = await setUp(() => expectOpenToAll(page));
      await card().getByText("10 recovery codes left").waitFor();
      await signOut();
      await signInWith(user, "000 000");
      await page.getByRole("alert").getByText("The code is wrong or was used before").waitFor();
      await expectOpenToAll(page);
      await page.keyboard.type(codeAt(secret, 1));
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Your account" }).waitFor();
      await signOut();
      await signInWith(user, codes[0] ?? "");
      await card().getByText("9 recovery codes left").waitFor();
      await card().getByText("Replace the recovery codes").click();
      await expectOpenToAll(page);
      await card().getByLabel("Present password").fill(PASSWORD);
      await card()
        .getByLabel("Code, or recovery code")
        .fill(codes[1] ?? "");
      await card().getByRole("button", { name: "Turn it off" }).click();
      await card().getByRole("status").getByText("The second factor is off.").waitFor();
      await signOut();
      await signIn(user);
    });

    it("is set up before anything else if the tenant requires it, also in open pages", async () => {
      const [admin, agent] = [invite("--role", "admin"), invite("--role", "agent")];
      for (const user of [admin, agent]) {
        // a link that differs only after the # would not load the page again
        await open("/healthz");
        await setPassword(user);
      }
      await open("/dashboard/account");
      await signIn(admin);
      const { secret } = await setUp();
      const other = await openContext();
      const agentPage = await other.newPage();
      await agentPage.goto(`${baseUrl}/dashboard/merchants`);
      await agentPage.getByLabel("Email").fill(agent.email);
      await agentPage.getByLabel("Password").fill(PASSWORD);
      await agentPage.keyboard.press("Enter");
      await agentPage.getByRole("link", { name: "Shop" }).waitFor();

      await page.getByRole("link", { name: "Users" }).click();
      await page.getByText("A second factor is optional.").waitFor();
      await page.getByRole("button", { name: "Require it of all users" }).click();
      await page.getByRole("button", { name: "Yes, require it" }).click();
      await page.getByText("A second factor is required").waitFor();
      await page.getByRole("listitem").filter({ hasText: admin.email }).getByText("has a second factor").waitFor();
      await page.getByRole("listitem").filter({ hasText: agent.email }).getByText("has no second factor").waitFor();
      await expectOpenToAll(page);
      // the open page notices at its next request
      await agentPage.getByRole("heading", { name: "Set up a second factor" }).waitFor();
      await other.close();

      await signOut();
      await open("/dashboard/merchants");
      await page.getByLabel("Email").fill(agent.email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
      await expectOpenToAll(page);
      await setUp();
      await page.getByRole("heading", { name: "Merchants" }).waitFor();
      await signOut();
      await signInWith(admin, codeAt(secret, 1));
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      folder.command("tenants", "second-factor", credential.tenantId, "optional", "--by", "Ann");
    });
  });

  it("reports a used or incomplete link", async () => {
    const user = invite();
    await setPassword(user);
    await open("/dashboard");
    await open(user.link);
    await page.getByLabel("New password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("The link has been used or has expired").waitFor();
    await open("/dashboard");
    await open("/dashboard/password");
    await page.getByText("the part after the # is missing").waitFor();
  });

  it.each(["/dashboard", "/dashboard/password#x"])("%s is accessible", async (path) => {
    await open(path);
    await page.locator("form").waitFor();
    await expectOpenToAll(page);
    await expectReadable(page);
  });
});
