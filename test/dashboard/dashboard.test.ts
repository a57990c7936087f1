// The dashboard of a server in development, in a real browser: what a program sends appears, and what it is shown with is safe.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MsgdFolder } from "../e2e/msgd-process.ts";
import { findChromium } from "../packages/chromium.ts";

const program = findChromium();
if (program === undefined) console.warn("No Chromium is on PATH: the dashboard's pages are NOT tested.");

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = new MsgdFolder();

let baseUrl: string;
let browser: Browser;
let page: Page;
/** What a page must not do: speak to another host, break its policy, or fail. */
let faults: string[];

describe.runIf(program !== undefined)("in a browser", () => {
  beforeAll(async () => {
    ({ baseUrl } = await folder.serveDemo());
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    browser = await chromium.launch({ executablePath: program ?? "", args });
  });
  afterAll(async () => {
    await browser?.close();
    await folder.remove();
  });

  beforeEach(async () => {
    await fetch(`${baseUrl}/control/reset`, { method: "POST" });
    page = await browser.newPage();
    faults = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      // a refusal that the page shows is reported there too
      if (message.type() === "error" && !message.text().includes("status of 400")) faults.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(baseUrl)) faults.push(request.url());
    });
  });
  afterEach(async () => {
    await page.close();
    expect(faults).toEqual([]);
  });

  async function call(path: string, body: object): Promise<Record<string, string>> {
    const { apiKey, apiSecret } = folder.demoCredential;
    const headers = { "content-type": "application/json", "x-api-key": apiKey, "x-api-secret": apiSecret };
    const reply = await fetch(baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
    return (await reply.json()) as Record<string, string>;
  }
  const send = (message: string, to = "+12025550100") =>
    call("/api/v1/messages/sms", { merchantId: "demo", type: "OTP", to, message });
  const open = (path: string) => page.goto(baseUrl + path);
  const rows = () => page.locator("a.row");

  it("shows what is sent, what becomes of it, and why it was refused, without a reload", async () => {
    await open("/");
    expect(new URL(page.url()).pathname).toBe("/dashboard");
    await page.getByText("No message yet").waitFor();
    await send("Your code is 123456");
    await rows().getByText("Your code is 123456").waitFor();
    await rows().getByText("delivered").waitFor();
    await rows().click();
    await page.getByLabel("Reply as the recipient").fill("STOP");
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("opts the recipient out").waitFor();
    const refused = await send("One more");
    expect(refused.code).toBe("consent_opted_out");
    await page.getByRole("link", { name: "Requests" }).click();
    await page.locator(".problem").getByText("consent_opted_out").click();
    await page.getByRole("link", { name: "consent_opted_out" }).waitFor();
  });

  it("says how a program sends the same", async () => {
    const { messageId } = await send("It's 417");
    await open(`/dashboard/messages/${messageId}`);
    await page.getByText("The same from a program").click();
    await page.getByText("client.send.sms({").waitFor();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("region", { name: "msgctl" }).getByRole("button", { name: "Copy" }).click();
    await page.getByText("msgctl is copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain("--message 'It'\\''s 417'");
  });

  it("opens a message, and finds the others to the same person", async () => {
    const { messageId } = await send("One");
    await send("Two");
    await send("Three", "+12025550101");
    await open("/dashboard");
    await rows().getByText("One").click();
    await page.getByText(messageId ?? "", { exact: true }).waitFor();
    await page.getByRole("link", { name: "+12025550100" }).click();
    await rows().nth(1).waitFor();
    expect(await rows().allInnerTexts()).toHaveLength(2);
    expect(new URL(page.url()).searchParams.get("q")).toBe("to:+12025550100");
    await page.goBack();
    await page.getByRole("heading", { name: "Message" }).waitFor();
  });

  it("keeps a filtered view live, and tells what of a search is not understood", async () => {
    await open("/dashboard/messages?q=to%3A%2B12025550101");
    await page.getByText("Nothing is found").waitFor();
    await send("Other");
    await send("Mine", "+12025550101");
    await rows().getByText("Mine").waitFor();
    expect(await rows().count()).toBe(1);
    await page.getByRole("searchbox").fill("stauts:failed");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("received stauts:").waitFor();
  });

  it("is used by the keyboard alone", async () => {
    for (const text of ["One", "Two", "Three"]) await send(text);
    await open("/dashboard");
    await rows().nth(2).waitFor();
    await page.keyboard.press("/");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("q");
    await page.keyboard.press("Escape");
    const focused = () => page.evaluate("document.activeElement.textContent");
    const texts = await rows().allTextContents();
    await expect.poll(focused).toBe(texts[0]);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    expect(await focused()).toBe(texts[1]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Message" }).waitFor();
  });

  it("shows requests with what was at fault", async () => {
    await send("To nobody", "me");
    await open("/dashboard/requests");
    await page.locator(".problem").getByText("invalid_phone_number").click();
    await page.getByText('received "me"').waitFor();
    await page.getByRole("link", { name: "Refused or failed" }).click();
    await page
      .getByRole("list", { name: "By code and operation" })
      .getByText("1 × invalid_phone_number sendSms")
      .waitFor();
    await expect.poll(() => page.locator(".request").count()).toBe(1);
  });

  it("shows hostile texts as texts", async () => {
    const texts = [
      "<img src=x onerror=alert(1)><script>alert(2)</script>",
      "moved\u202Eback\u2066x",
      "{{7*7}} javascript:alert(3)",
      "x".repeat(1_000),
    ];
    const ids: string[] = [];
    for (const text of texts) ids.push((await send(text)).messageId ?? "");
    await open("/dashboard");
    await rows().nth(3).waitFor();
    expect((await rows().allInnerTexts()).join("\n")).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
    expect(await page.locator("img, main script, iframe").count()).toBe(0);
    for (const [index, id] of ids.entries()) {
      await open(`/dashboard/messages/${id}`);
      const shown = texts[index]?.replace("\u202E", "‹U+202E›").replace("\u2066", "‹U+2066›");
      await expect.poll(() => page.locator(".content").first().textContent()).toBe(shown);
    }
  });

  it("sends to a recipient of whom it is known what becomes of it", async () => {
    await open("/dashboard/simulator");
    await page.getByText("Test recipients").click();
    await page.getByRole("button", { name: "+12025550111" }).click();
    await page.getByLabel("Text").fill("To a blocked phone");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Accepted:").getByRole("link").click();
    await page.getByText("BLOCKED").or(page.getByText("blocked")).first().waitFor();
    await page.getByText("To a blocked phone", { exact: true }).waitFor();
    await page.goBack();
    await page.getByLabel("To", { exact: true }).fill("bounced@simulator.example");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Accepted:").waitFor();
    await page.getByLabel("To", { exact: true }).fill("nobody");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText('received "nobody"').waitFor();
  });

  it("lets time pass, and says what is not a duration", async () => {
    await open("/dashboard/simulator");
    await page.getByText("as the machine's").waitFor();
    await page.getByRole("button", { name: "+ 24h" }).click();
    await page.getByText("ahead of the machine's").waitFor();
    const { offsetMs } = (await (await fetch(`${baseUrl}/control/clock`)).json()) as { offsetMs: number };
    expect(offsetMs / 3_600_000).toBeCloseTo(24, 1);
    await page.getByLabel("By", { exact: true }).fill("tomorrow");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText('received "tomorrow"').waitFor();
  });

  it("plans failures, calls them off, and begins anew", async () => {
    await send("Hello");
    await open("/dashboard/simulator");
    await page.getByText("None is planned").waitFor();
    await page.getByRole("combobox", { name: "Operation", exact: true }).selectOption("sendEmail");
    await page.getByRole("combobox", { name: "answers", exact: true }).selectOption("rate_limited");
    await page.getByRole("button", { name: "Plan" }).last().click();
    const planned = page.getByRole("list", { name: "Planned failures" });
    await planned.getByText("sendEmail answers rate_limited, once.").waitFor();
    await page.getByRole("button", { name: "Plan" }).first().click();
    await planned.getByText("The carrier neither takes it nor answers, once.").waitFor();
    await page.getByRole("button", { name: "Call all off" }).click();
    await page.getByText("None is planned").waitFor();
    await page.getByRole("button", { name: "Remove everything …" }).click();
    await page.getByRole("button", { name: "Keep it" }).click();
    await page.getByRole("button", { name: "Remove everything …" }).click();
    await page.getByRole("button", { name: "Yes, remove everything" }).click();
    await page.getByText("Everything is as it was at first").waitFor();
    await open("/dashboard");
    await page.getByText("No message yet").waitFor();
  });

  it("makes only the rows in sight of many", async () => {
    for (let count = 0; count < 120; count += 1) await send(`Number ${count}.`);
    await open("/dashboard");
    await rows().getByText("Number 119.").waitFor();
    const list = page.locator(".rows");
    await expect
      .poll(async () => {
        await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        return rows().getByText("Number 0.").count();
      })
      .toBe(1);
    expect(await rows().count()).toBeLessThan(80);
  });

  it.each(
    [390, 1_280].flatMap((width) =>
      (["light", "dark"] as const).flatMap((colorScheme) =>
        [
          "",
          "/requests",
          "/requests?outcome=failed",
          "/messages?q=nothing%3A",
          "/simulator",
          "/nowhere",
          "/messages/ID",
        ].map((path) => [path, width, colorScheme] as const),
      ),
    ),
  )("%s is open to all at %i px, %s", async (path, width, colorScheme) => {
    const { messageId = "" } = await send("Hello");
    await send("Hello", "me");
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await open(`/dashboard${path.replace("ID", messageId)}`);
    await page.locator("a.row, .request, [role=alert], .facts, .panel, h1:text('Nothing here')").first().waitFor();
    for (const summary of await page.locator("summary").all()) await summary.click();
    await page.evaluate(axe);
    const { violations } = (await page.evaluate(
      "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })",
    )) as { violations: { id: string; nodes: { html: string }[] }[] };
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    expect(await page.evaluate(overflow)).toBe(0);
  });
});
