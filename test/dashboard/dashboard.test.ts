// The dashboard of a development server, in a real browser: a program's messages appear, and are displayed safely.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { BrowserContext, Page, Request } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasChromium } from "../browser/chromium.ts";
import type { Post } from "../e2e/create-post.ts";
import type { MsgdFolder } from "../e2e/msgd-process.ts";
import { openDemo } from "./demo.ts";
import { expectOpenToAll, expectReadable, holdBack } from "./pages.ts";

let baseUrl: string;
let context: BrowserContext;
let faults: string[];
let folder: MsgdFolder;
let page: Page;
let post: Post;

describe.runIf(hasChromium)("the dashboard in a browser", () => {
  openDemo([400, 404], (demo) => {
    ({ baseUrl, context, faults, folder, page, post } = demo);
  });

  async function call(path: string, body: object): Promise<Record<string, string>> {
    return (await (await post(path, body)).json()) as Record<string, string>;
  }
  const send = (message: string, to = "+12025550100") =>
    call("/api/v1/messages/sms", { merchantId: "demo", type: "OTP", to, message });
  const open = (path: string) => page.goto(baseUrl + path);
  const rows = () => page.locator("tr.row");
  /** The row that has a text. Clicking it opens it, wherever it is clicked. */
  const rowOf = (text: string) => rows().filter({ hasText: text });
  /** The message beside the list. */
  const beside = () => page.getByRole("complementary", { name: "Message" });

  it("shows a message, its outcome, and the reason for a refusal, without a reload", async () => {
    await open("/");
    expect(new URL(page.url()).pathname).toBe("/dashboard");
    await page.getByText("No messages yet").waitFor();
    await send("Your code is 123456");
    await rows().getByText("Your code is 123456").waitFor();
    await rows().getByText("Delivered").waitFor();
    await rows().click();
    await page.getByRole("textbox", { name: "Reply as the recipient" }).fill("STOP");
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("opts the recipient out").waitFor();
    const refused = await send("One more");
    expect(refused.code).toBe("consent_opted_out");
    await page.getByRole("link", { name: "Requests" }).click();
    await rowOf("consent_opted_out").click();
    await page.getByRole("dialog").getByRole("link", { name: "consent_opted_out" }).waitFor();
  });

  it("continues a search that found nothing within its time limit, on every page with a search", async () => {
    await send("Found at last");
    const asked: (string | null)[] = [];
    await page.route(/\/dashboard\/api\/messages\?/, async (route) => {
      const url = new URL(route.request().url());
      const cursor = url.searchParams.get("cursor");
      asked.push(cursor);
      if (cursor === null) {
        const looked = { lookedBackTo: new Date().toISOString(), isComplete: true, readAs: [] };
        const nothingYet = { messages: [], next: "further", ...looked };
        return route.fulfill({ json: nothingYet });
      }
      url.searchParams.delete("cursor");
      return route.continue({ url: url.href });
    });
    await open("/dashboard");
    await rows().getByText("Found at last").first().waitFor();
    await open(`/dashboard/recipients/${encodeURIComponent("+12025550100")}`);
    await rows().getByText("Found at last").first().waitFor();
    expect(asked).toContain("further");
  });

  it("shows a recipient's message that the search does not find yet when the page is opened", async () => {
    await send("Indexed late");
    let asked = 0;
    await page.route(/\/dashboard\/api\/messages\?/, async (route) => {
      asked += 1;
      if (asked > 1) return route.continue();
      const reply = await route.fetch();
      const page = (await reply.json()) as object;
      return route.fulfill({ response: reply, json: { ...page, messages: [], next: null } });
    });
    await open(`/dashboard/recipients/${encodeURIComponent("+12025550100")}`);
    await rows().getByText("Indexed late").waitFor();
  });

  it("shows code that sends the same message", async () => {
    const { messageId } = await send("It's 417");
    await open(`/dashboard/messages/${messageId}`);
    await page.getByText("The same request from a program").click();
    await page.getByText("client.send.sms({").waitFor();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("region", { name: "msgctl" }).getByRole("button", { name: "Copy" }).click();
    await page.getByText("msgctl is copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain("--message 'It'\\''s 417'");
  });

  it("opens a message, and finds the recipient's other messages", async () => {
    const { messageId } = await send("The first");
    await send("The second");
    await send("The third", "+12025550101");
    await open("/dashboard");
    await rowOf("The first").click();
    await beside()
      .getByText(messageId ?? "", { exact: true })
      .waitFor();
    await beside().getByRole("link", { name: "+1 202 555 0100", exact: true }).click();
    await page.getByRole("heading", { name: "+1 202 555 0100" }).waitFor();
    await page.getByRole("link", { name: "All messages, live" }).click();
    await rows().nth(1).waitFor();
    expect(await rows().allInnerTexts()).toHaveLength(2);
    expect(new URL(page.url()).searchParams.get("q")).toBe("to:+12025550100");
    await page.goBack();
    await page.getByRole("heading", { name: "+1 202 555 0100" }).waitFor();
    await page.goBack();
    await beside().getByRole("heading", { name: "SMS to +1 202 555 0100" }).waitFor();
  });

  it("shows a recipient's decisions, and records a new one", async () => {
    await send("Hello", "+12025550177");
    await open("/dashboard/recipients/%2B12025550177");
    await page.getByText("No decision is recorded for this recipient").waitFor();
    await rows().getByText("Hello").waitFor();
    await page.getByText("Record a decision").click();
    await page.getByLabel("Merchant").selectOption("demo");
    await page.getByLabel("Source").fill("phone call");
    await page.keyboard.press("Enter");
    const row = page.getByRole("row", { name: "Demo Bakery SMS Opted out phone call" });
    await row.waitFor();
    await page.getByText("History of decisions").click();
    await page.locator(".history").getByText("phone call").waitFor();
    expect((await send("Again", "+12025550177")).code).toBe("consent_opted_out");
    await page.getByText("Export this recipient's data").click();
    const download = page.getByRole("button", { name: "Download" });
    for (const [changed, told] of [
      [{ hasMore: true }, "There is more data than a page can hold"],
      [{ isComplete: false }, "still indexing older messages"],
    ] as const) {
      // change the field in each reply that contains it
      await page.route(/\/recipients\/[^/]+(\/messages)?$/, async (route) => {
        const reply = await route.fetch();
        const content = (await reply.json()) as object;
        const isOwn = Object.keys(changed).some((name) => name in content);
        await route.fulfill({ response: reply, json: isOwn ? { ...content, ...changed } : content });
      });
      await download.click();
      await page.getByRole("status").getByText(told).waitFor();
      await page.unrouteAll();
    }
    const downloading = page.waitForEvent("download");
    await download.click();
    const downloaded = await downloading;
    expect(downloaded.suggestedFilename()).toBe("+12025550177.json");
    const file = JSON.parse(readFileSync(await downloaded.path(), "utf8"));
    expect(file).toMatchObject({ contact: "+12025550177", messages: [{ content: "Hello" }] });
    expect(file.changes).toHaveLength(1);
    await page.getByRole("status").getByText("Downloaded, with 1 message.").waitFor();
    await open("/dashboard/recipients/me");
    await page.getByRole("alert").getByText("Expected a phone number").waitFor();
  });

  it("shows a recipient's STOPs, the numbers they were sent to, and the opt-ins that override them", async () => {
    const saidAt = "2026-01-15T12:00:00.000Z";
    const override = { merchantId: "demo", channel: "SMS", status: "OPT_IN", source: "counter", updatedAt: saidAt };
    const stops = [
      { number: "+12025550181", word: "END", saidAt, overrides: [override] },
      { number: "+12025550182", word: "STOP", saidAt, overrides: [] },
    ];
    // put the STOPs into the reply: a recipient can send STOP only to a real carrier's number
    await page.route(/\/recipients\/[^/]+$/, async (route) => {
      if (route.request().resourceType() === "document") return route.continue();
      const reply = await route.fetch();
      await route.fulfill({ response: reply, json: { ...((await reply.json()) as object), stops } });
    });
    await open("/dashboard/recipients/%2B12025550177");
    await page.getByRole("row", { name: /^\+12025550181 END .*Opted in SMS of Demo Bakery, counter/ }).waitFor();
    await page
      .getByRole("row", {
        name: /^\+12025550182 STOP .*nobody: messages from this number to the recipient are refused$/,
      })
      .waitFor();
    await page.unrouteAll();
  });

  it("says that a recipient is suppressed and that a text waits for the morning, and lifts the suppression", async () => {
    const to = "grace@example.com";
    const mail = { merchantId: "demo", type: "OTP", to, subject: "Code", body: "Your code is 77" };
    // no real carrier serves this tenant, so the database gets the bounce; night is at the recipient's at any time
    const database = new Database(join(folder.path, "msgd.db"));
    const { tenantId } = folder.demoCredential;
    const clock = (await (await fetch(`${baseUrl}/control/clock`)).json()) as { readonly now: string };
    const now = Date.parse(clock.now);
    database
      .prepare("INSERT INTO suppressions VALUES (?, 'EMAIL', ?, 'UNREACHABLE', 'msg_1', 'demo', ?, ?, ?)")
      .run(tenantId, to, now, now, now + 86_400_000);
    const { messageId } = await call("/api/v1/messages/email", mail);
    await open(`/dashboard/messages/${messageId}`);
    await page.getByText("Not handed to a carrier").waitFor();
    await page.getByText("because the address bounced for good").waitFor();
    await page.getByRole("link", { name: to }).first().click();
    await page.getByText("no such mailbox, reported for a").waitFor();
    await page.getByText("All merchants may send nothing").waitFor();
    await expectOpenToAll(page);
    await page.getByText("Lift the suppression").click();
    await page.getByRole("button", { name: "Lift", exact: true }).click();
    await page.getByText("no such mailbox, reported for a").waitFor({ state: "detached" });
    expect(database.prepare("SELECT * FROM suppressions WHERE contact = ?").all(to)).toEqual([]);

    database.prepare("UPDATE tenants SET text_hours = '09:00-20:00' WHERE tenant_id = ?").run(tenantId);
    const atNight = findNight(now);
    await call("/api/v1/consents", { merchantId: "demo", channel: "SMS", contact: atNight, status: "OPT_IN" });
    const text = { merchantId: "demo", type: "MARKETING", to: atNight, message: "Our sale has begun" };
    const held = await call("/api/v1/messages/sms", text);
    await open(`/dashboard/messages/${held.messageId}`);
    await page.getByText("marketing texts are sent only from 09:00 to 20:00 at the recipient").waitFor();
    database.prepare("UPDATE tenants SET text_hours = NULL WHERE tenant_id = ?").run(tenantId);
    database.close();
  });

  it("shows how much of this month's quota is used, and recent failures", async () => {
    await call("/api/v1/merchants", { merchantId: "small", displayName: "Small", smsLimit: 4 });
    const consent = { merchantId: "small", channel: "SMS", contact: "+12025550100", status: "OPT_IN" };
    await call("/api/v1/consents", consent);
    const sendSmall = () =>
      call("/api/v1/messages/sms", { merchantId: "small", type: "OTP", to: "+12025550100", message: "Hi" });
    for (let sent = 0; sent < 5; sent += 1) await sendSmall();
    await open("/dashboard/overview");
    const quotas = page.getByRole("table", { name: "Who runs out first" });
    await quotas.getByRole("row", { name: "Small SMS 4 of 4 used up" }).waitFor();
    await page.getByText("1 × quota_exceeded sendSms").waitFor();
    await page.getByRole("region", { name: "Alerts" }).getByText("Small").first().waitFor();
    await page.getByRole("img", { name: /^\d+ messages, \d+ at most at a time$/ }).waitFor();
    await page.getByText("As numbers").click();
    await page.getByRole("table", { name: "Messages by hour" }).getByRole("cell").first().waitFor();
    await page.getByRole("combobox").selectOption("30 days");
    await page.getByRole("table", { name: "Messages by day" }).waitFor();
    await quotas.getByRole("link", { name: "Small" }).click();
    await page.getByRole("heading", { name: "Small" }).waitFor();
    await rows().nth(3).waitFor();
  });

  it("shows an email as its recipient sees it, in a frame that runs no code and loads nothing", async () => {
    const body = `<style>p { color: rgb(0, 128, 0) }</style><script>document.documentElement.id = "run"</script>
      <p onclick="alert(1)">Thank you</p><img alt="seen" src="https://elsewhere.example/seen.png">
      <img alt="broken" src="x" onerror="parent.document.title = 'run'"><a href="https://elsewhere.example/">there</a>
      <form action="https://elsewhere.example/"><button>Send</button></form>
      <iframe src="https://elsewhere.example/"></iframe>`;
    const mail = { merchantId: "demo", type: "TRANSACTIONAL", to: "ada@example.com", subject: "Receipt", body };
    const { messageId } = await call("/api/v1/messages/email", mail);
    const answered: string[] = [];
    page.on("response", (response) => answered.push(response.url()));
    await open(`/dashboard/messages/${messageId}`);
    const frame = page.frameLocator("iframe.mail");
    await frame.getByText("Thank you").click();
    expect(await frame.getByText("Thank you").evaluate((text) => getComputedStyle(text).color)).toBe("rgb(0, 128, 0)");
    await frame.getByRole("button", { name: "Send" }).click();
    expect(await page.evaluate("document.documentElement.id")).toBe("");
    await page.getByRole("button", { name: "Source" }).click();
    await page.getByRole("region", { name: "Mail" }).locator("pre").getByText("<p onclick=").waitFor();
    expect(answered.filter((url) => !url.startsWith(baseUrl))).toEqual([]);
    // the browser reports each action of the frame that it blocked
    const told = faults.splice(0);
    expect(told.filter((fault) => !/elsewhere|sandboxed|Content Security Policy/.test(fault))).toEqual([]);
  });

  it("keeps a filtered list live, and reports an unknown search condition", async () => {
    await open("/dashboard/messages?q=to%3A%2B12025550101");
    await page.getByText("No messages found").waitFor();
    await send("Other");
    await send("Mine", "+12025550101");
    await rows().getByText("Mine").waitFor();
    expect(await rows().count()).toBe(1);
    await page.getByRole("searchbox").fill("stauts:failed");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("received stauts:").waitFor();
  });

  it("links from an Idempotency-Key, a request's id and other ids to their pages", async () => {
    const sendUnder = async (key: string, path: string, body: object) => {
      const reply = await post(path, body, { "idempotency-key": key });
      return { repliedAs: reply.headers.get("x-request-id") ?? "", ...((await reply.json()) as { batchId: number }) };
    };
    const sms = { merchantId: "demo", type: "OTP", to: "+12025550100", message: "Hello" };
    const { repliedAs } = await sendUnder("order:1", "/api/v1/messages/sms", sms);
    const voice = { merchantId: "demo", useCase: "OTP", messageText: "Your code is 1234", toNumber: "+12025550100" };
    const { batchId } = await sendUnder("order:2", "/api/v1/voice/tts-calls", voice);
    const named = page.getByRole("list", { name: "Matching ids" });
    const paste = async (text: string) => {
      await open("/dashboard");
      await page.getByRole("searchbox").fill(text);
      await page.keyboard.press("Enter");
      await named.getByText("Enter opens it.").waitFor();
    };
    await paste("order:1");
    await named.getByText("Idempotency-Key of sendSms: message msg_").waitFor();
    // the text is not a valid search, but it is an id
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "SMS to +1 202 555 0100" }).waitFor();
    await page.goBack();
    await named.getByRole("link").click();
    await page.getByText("Hello", { exact: true }).waitFor();
    await paste(String(batchId));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: `Batch ${batchId}` }).waitFor();
    await paste(repliedAs);
    await page.keyboard.press("Enter");
    await page.getByText("/api/v1/messages/sms").waitFor();
    expect(await page.locator(".facts").count()).toBe(1);
    await paste(`req_${"0".repeat(19)}`);
    await named.getByText("not among the last requests").waitFor();
    await named.getByRole("link").click();
    await page.getByText("This instance does not have the request").waitFor();
    await open("/dashboard/messages?q=demo");
    await named.getByRole("link", { name: "messages of merchant demo" }).click();
    await rows().nth(1).waitFor();
  });

  it("filters messages by project label, also in live lists", async () => {
    const sendIn = async (project: string, message: string) => {
      const body = { merchantId: "demo", type: "OTP", to: "+12025550100", message };
      expect((await post("/api/v1/messages/sms", body, { "x-project": project })).status).toBe(200);
    };
    await sendIn("run-1", "Of one run");
    await sendIn("run-2", "Of another run");
    await open("/dashboard");
    await rows().nth(1).waitFor();
    await page.getByLabel("Project").selectOption("run-1");
    await expect.poll(() => rows().count()).toBe(1);
    expect(new URL(page.url()).searchParams.get("q")).toBe("project:run-1");
    await page.getByText("live", { exact: true }).waitFor();
    await sendIn("run-2", "Not shown");
    await sendIn("run-1", "Shown as it comes");
    await rows().getByText("Shown as it comes").waitFor();
    expect(await rows().count()).toBe(2);
    await expectOpenToAll(page);
    await page.getByLabel("Project").selectOption("all");
    await rows().getByText("Not shown").waitFor();
    await page.getByRole("link", { name: "Requests" }).click();
    await rows().first().click();
    await page.getByRole("link", { name: "run-1" }).first().waitFor();
  });

  it("can be used with the keyboard alone", async () => {
    for (const text of ["One", "Two", "Three"]) await send(text);
    await open("/dashboard");
    await rows().nth(2).waitFor();
    await page.keyboard.press("/");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("q");
    await page.keyboard.press("Escape");
    const focused = () => page.locator("tr.row:has(:focus) .text").textContent();
    const texts = await rows().locator(".text").allTextContents();
    await expect.poll(focused).toBe(texts[0]);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    expect(await focused()).toBe(texts[1]);
    await page.keyboard.press("Enter");
    await beside().getByText("Two", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await beside().waitFor({ state: "detached" });
    expect(await focused()).toBe(texts[1]);
    // where there is no space for a message beside the list, it opens as a page
    await page.setViewportSize({ width: 1_100, height: 720 });
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "SMS to +1 202 555 0100" }).waitFor();
    await page.goBack();
    await expect.poll(focused).toBe(texts[1]);
  });

  it("shows refused requests with their faults", async () => {
    await send("To nobody", "me");
    await open("/dashboard/requests");
    await rowOf("invalid_phone_number").click();
    await page.getByRole("dialog").getByText('received "me"').waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Refused or failed" }).click();
    await page
      .getByRole("list", { name: "By code and operation" })
      .getByText("1 × invalid_phone_number sendSms")
      .waitFor();
    await expect.poll(() => rows().count()).toBe(1);
  });

  it("sends to a test recipient whose outcome is known", async () => {
    await open("/dashboard/simulator");
    await page.getByText("Test recipients").click();
    await page.getByRole("button", { name: "+12025550111" }).click();
    await page.getByLabel("message", { exact: true }).fill("To a blocked phone");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Accepted:").getByRole("link").click();
    await page.getByText("BLOCKED").or(page.getByText("blocked")).first().waitFor();
    await page.getByText("To a blocked phone", { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Email", exact: true }).click();
    await page.getByLabel("to", { exact: true }).fill("bounced@simulator.example");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Accepted:").waitFor();
    await page.getByLabel("to", { exact: true }).fill("nobody");
    await page.keyboard.press("Enter");
    const answer = page.getByRole("region", { name: "Answer" });
    await answer.getByRole("list").getByText('received "nobody"').waitFor();
    await answer.getByRole("link", { name: "invalid_email" }).waitFor();
    expect(await page.getByLabel("to", { exact: true }).getAttribute("aria-invalid")).toBe("true");
  });

  it("lists every operation of the contract, and runs one with the keyboard alone", async () => {
    await open("/dashboard/operations");
    const links = page.getByRole("main").getByRole("listitem").getByRole("link");
    await expect.poll(() => links.count()).toBe(27);
    await links.getByText("Create or update a merchant").focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("merchantId", { exact: true }).fill("corner-shop");
    await page.getByLabel("smsLimit").fill("many");
    await page.keyboard.press("Enter");
    const answer = page.getByRole("region", { name: "Answer" });
    await answer.getByText("/smsLimit", { exact: true }).waitFor();
    await page.getByLabel("smsLimit").fill("25");
    await page.keyboard.press("Enter");
    await answer.getByText('"merchantId": "corner-shop"').waitFor();
    await page.getByText("The same request from a program").click();
    await page.getByText("--sms-limit 25").waitFor();
    await page.getByText("client.merchants.upsert({").waitFor();

    await open("/dashboard/operations/getMerchant");
    await page.getByLabel("merchantId", { exact: true }).fill("nobody");
    await page.keyboard.press("Enter");
    await answer.getByRole("link", { name: "merchant_not_found" }).waitFor();
    await page.getByLabel("merchantId", { exact: true }).fill("corner-shop");
    await page.keyboard.press("Enter");
    await answer.getByText('"smsLimit": 25').waitFor();

    await open("/dashboard/operations/getVoiceProvisioning");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await answer.locator(".status-code").waitFor();
    await open("/dashboard/operations/doEverything");
    await page.getByText("no such operation").waitFor();
  });

  it("asks once for a message that does not exist", async () => {
    const asked: string[] = [];
    const note = (request: Request) => request.url().includes("/api/messages/") && asked.push(request.url());
    page.on("request", note);
    await open("/dashboard/messages/msg_nothing");
    await page.getByRole("alert").getByText("There is no such message").waitFor();
    // longer than the interval at which an open message is polled
    await page.waitForTimeout(1_500);
    page.off("request", note);
    expect(asked).toHaveLength(1);
  });

  it("accepts Enter before the user's permissions are loaded", async () => {
    const letGo = await holdBack(page, "**/dashboard/api/permissions");
    await open("/dashboard/operations/getMerchant");
    await page.getByLabel("merchantId", { exact: true }).fill("nobody");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Answer" }).getByRole("link", { name: "merchant_not_found" }).waitFor();
    letGo();
  });

  it("focuses the merchant field, and records nothing, if Enter is pressed before the merchants are loaded", async () => {
    const letGo = await holdBack(page, "**/dashboard/api/v1/merchants");
    await open("/dashboard/recipients/%2B12025550177");
    await page.getByText("Record a decision").click();
    await page.getByLabel("Source").fill("phone call");
    await page.keyboard.press("Enter");
    // the browser focuses the select and says that a choice is required
    await page.locator("select:focus:invalid").waitFor();
    letGo();
    await page.locator("select:focus:valid").waitFor();
    await page.getByLabel("Source").press("Enter");
    await page.getByRole("row", { name: "SMS opted out phone call" }).waitFor();
  });

  it("keeps text typed into the search before the page is painted", async () => {
    const early = await context.newPage();
    await early.addInitScript(`new MutationObserver((_changes, observer) => {
      const search = document.querySelector("#q");
      if (search === null) return;
      observer.disconnect();
      search.value = "typed";
      search.dispatchEvent(new Event("input", { bubbles: true }));
    }).observe(document, { childList: true, subtree: true })`);
    await early.goto(`${baseUrl}/dashboard`);
    await early.getByRole("searchbox").press("Enter");
    await early.waitForURL(/[?]q=typed$/);
    await early.close();
  });

  it("shows a form when its merchant is known, so that the first click sends what it shows", async () => {
    const letGo = await holdBack(page, "**/dashboard/api/v1/merchants");
    await open("/dashboard/operations/sendSms");
    const merchant = page.getByLabel("merchantId", { exact: true });
    await page.getByRole("status", { name: "Loading" }).waitFor();
    expect(await merchant.count()).toBe(0);
    letGo();
    await merchant.waitFor();
    expect(await merchant.inputValue()).toBe("default");
  });

  it("shows a form with the contract's example if the merchants cannot be loaded", async () => {
    await page.route("**/dashboard/api/v1/merchants", (route) => route.fulfill({ status: 404, json: {} }));
    await open("/dashboard/operations/sendSms");
    const merchant = page.getByLabel("merchantId", { exact: true });
    await merchant.waitFor();
    expect(await merchant.inputValue()).toBe("bright-dental");
  });

  it("sends a message and a reply only once, even if Enter is pressed twice", async () => {
    const sent: string[] = [];
    const note = (request: Request) => request.method() === "POST" && sent.push(new URL(request.url()).pathname);
    page.on("request", note);
    const answerSend = await holdBack(page, "**/dashboard/api/v1/messages/sms");
    await open("/dashboard/operations/sendSms");
    await page.getByLabel("to", { exact: true }).fill("+12025550100");
    for (const key of ["Enter", "Enter"]) await page.keyboard.press(key);
    answerSend();
    await page.getByText("Accepted:").getByRole("link").click();
    const answerReply = await holdBack(page, "**/dashboard/api/v1/simulator/reply");
    await page.getByRole("textbox", { name: "Reply as the recipient" }).fill("STOP");
    for (const key of ["Enter", "Enter"]) await page.keyboard.press(key);
    answerReply();
    await page.getByRole("status").getByText("opts the recipient out").waitFor();
    page.off("request", note);
    expect(sent).toEqual(["/dashboard/api/v1/messages/sms", "/dashboard/api/v1/simulator/reply"]);
  });

  it("completes a send even if the user goes to another page", async () => {
    const letGo = await holdBack(page, "**/dashboard/api/v1/messages/sms");
    await open("/dashboard/operations/sendSms");
    await page.getByLabel("message", { exact: true }).fill("On its way");
    const sending = page.waitForRequest("**/dashboard/api/v1/messages/sms");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await sending;
    await page.getByRole("link", { name: "Messages", exact: true }).click();
    letGo();
    await rows().getByText("On its way").waitFor();
  });

  it("shows the tenant that was chosen last, whichever reply arrives first", async () => {
    const [second, third] = ["Second", "Third"].map((name) => folder.createTenant(name).tenantId);
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route("**/dashboard/api/session", async (route) => {
      if (route.request().headers()["x-dashboard-tenant"] === second) await held;
      await route.continue();
    });
    await open("/dashboard/requests");
    const choice = page.getByLabel("Tenant");
    const asked = page.waitForRequest((request) => request.headers()["x-dashboard-tenant"] === second);
    await choice.selectOption("Second");
    await asked;
    const givenUp = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/dashboard/api/session"));
    await choice.selectOption("Third");
    await givenUp;
    letGo();
    expect(await choice.inputValue()).toBe(third);
  });

  it("keeps the focus on a button while its action runs, and runs the action once", async () => {
    await open("/dashboard/simulator");
    await page.getByText("the same as the machine's").waitFor();
    let advances = 0;
    const count = (request: Request) => {
      if (request.method() === "POST" && request.url().endsWith("/control/clock")) advances += 1;
    };
    page.on("request", count);
    const letGo = await holdBack(page, "**/control/clock");
    const button = page.getByRole("button", { name: "+ 1h" });
    const isFocused = () => button.evaluate((element) => element === document.activeElement);
    await button.press("Enter");
    await page.getByText("Running everything due by then").waitFor();
    // a browser takes the focus from a disabled element at its next paint
    await page.evaluate("new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)))");
    expect(await isFocused()).toBe(true);
    await page.keyboard.press("Enter");
    letGo();
    await page.getByText("ahead of the machine's").waitFor();
    await page.getByText("Running everything due by then").waitFor({ state: "detached" });
    expect([await isFocused(), advances]).toEqual([true, 1]);
    await page.keyboard.press("Enter");
    await expect.poll(() => advances).toBe(2);
    page.off("request", count);
  });

  it("plans a failure while another is being planned", async () => {
    await open("/dashboard/simulator");
    await page.getByText("No failures are planned").waitFor();
    const letGo = await holdBack(page, "**/control/faults");
    for (const button of await page.getByRole("button", { name: "Plan" }).all()) await button.click();
    letGo();
    const planned = page.getByRole("list", { name: "Planned failures" });
    await planned.getByText("The carrier neither accepts the message nor answers, once.").waitFor();
    await planned.getByText("sendSms answers rate_limited, once.").waitFor();
  });

  it("advances the clock, and refuses an invalid duration", async () => {
    await open("/dashboard/simulator");
    await page.getByText("the same as the machine's").waitFor();
    await page.getByRole("button", { name: "+ 24h" }).click();
    await page.getByText("ahead of the machine's").waitFor();
    const { offsetMs } = (await (await fetch(`${baseUrl}/control/clock`)).json()) as { offsetMs: number };
    expect(offsetMs / 3_600_000).toBeCloseTo(24, 1);
    await page.getByLabel("Advance by").fill("tomorrow");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText('received "tomorrow"').waitFor();
  });

  it("plans failures, cancels them, and resets the server", async () => {
    await send("Hello");
    await open("/dashboard/simulator");
    await page.getByText("No failures are planned").waitFor();
    await page.getByRole("combobox", { name: "Operation", exact: true }).selectOption("sendEmail");
    await page.getByRole("combobox", { name: "answers", exact: true }).selectOption("rate_limited");
    await page.getByRole("button", { name: "Plan" }).last().click();
    const planned = page.getByRole("list", { name: "Planned failures" });
    await planned.getByText("sendEmail answers rate_limited, once.").waitFor();
    await page.getByRole("button", { name: "Plan" }).first().click();
    await planned.getByText("The carrier neither accepts the message nor answers, once.").waitFor();
    await page.getByRole("button", { name: "Cancel all" }).click();
    await page.getByText("No failures are planned").waitFor();
    await page.getByRole("button", { name: "Add the demo data …" }).click();
    await page.getByRole("button", { name: "Leave it as it is" }).click();
    await page.getByRole("button", { name: "Add the demo data …" }).click();
    await page.getByRole("button", { name: "Yes, add it" }).click();
    await page.getByText("The demo tenant has its merchants").waitFor();
    await page.getByRole("button", { name: "Remove everything …" }).click();
    await page.getByRole("button", { name: "Keep it" }).click();
    await page.getByRole("button", { name: "Remove everything …" }).click();
    await page.getByRole("button", { name: "Yes, remove everything" }).click();
    await page.getByText("The server is in its initial state").waitFor();
    await open("/dashboard");
    await page.getByText("No messages yet").waitFor();
  });

  it.each([
    "",
    "/requests",
    "/requests?outcome=failed",
    "/messages?q=nothing%3A",
    "/messages?q=demo",
    "/requests?id=req_1",
    "/simulator",
    "/installation",
    "/operations",
    "/operations/createTtsCalls",
    "/overview",
    "/nowhere",
    "/messages/ID",
    "/messages?open=ID",
    "/merchants",
    "/merchants/demo",
    "/recipients",
    "/recipients/%2B12025550100",
  ])("%s is accessible", async (path) => {
    const { messageId = "" } = await send("Hello");
    await send("Hello", "me");
    await open(`/dashboard${path.replace("ID", messageId)}`);
    await page
      .locator("tr.row, .named, .nothing, [role=alert], .card, .entry, .operation-page, h1:text('Nothing here')")
      .first()
      .waitFor();
    for (const summary of await page.locator("summary").all()) await summary.click();
    await expectOpenToAll(page);
    // every-page.test.ts reads the pages that users see without --dev
    if (["/simulator", "/installation"].includes(path)) await expectReadable(page);
  });
});

/**
 * A number in a country where it is before 09:00 or after 20:00, and will be for the next hour: one of two on opposite sides of
 * the earth, both without summer time.
 */
function findNight(now: number): string {
  const hourInTokyo = (new Date(now).getUTCHours() + 9) % 24;
  return hourInTokyo >= 20 || hourInTokyo < 8 ? "+819012345678" : "+551123456789";
}
