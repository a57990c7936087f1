// Calls in a real browser: a batch in progress, long lists, and labels that callers wrote.

import type { Page, Request } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasChromium } from "../browser/chromium.ts";
import type { Post } from "../e2e/create-post.ts";
import { openDemo } from "./demo.ts";
import { expectOpenToAll } from "./pages.ts";

let baseUrl: string;
let page: Page;
let post: Post;

describe.runIf(hasChromium)("the dashboard in a browser", () => {
  openDemo([400, 404], (demo) => {
    ({ baseUrl, page, post } = demo);
  });

  interface Created {
    readonly batchId: string;
    readonly requestId: string;
  }

  async function create(path: string, body: object): Promise<Created> {
    const reply = await post(path, body);
    expect(reply.status).toBeLessThan(300);
    return (await reply.json()) as Created;
  }
  const speak = (toNumbers: readonly string[], more: object = {}) =>
    create("/api/v1/voice/tts-calls", {
      ...{ merchantId: "demo", useCase: "OTP", messageText: "Your code is 1 2 3", toNumbers },
      ...more,
    });
  const shown = (number: string) => number.replace(/^\+1(...)(...)/, "+1 $1 $2 ");
  const testNumber = (end: string, area = 202) => `+1${area}55501${end}`;
  const open = (path: string) => page.goto(`${baseUrl}/dashboard${path}`);
  const rows = () => page.locator("tr.row");
  const steps = () => page.getByRole("list", { name: "What happened" }).getByRole("listitem");

  it("shows calls as they arrive, with links to the batch, the call, its recipient and its message", async () => {
    await open("/calls");
    await page.getByText("No calls yet").waitFor();
    const { batchId } = await speak([testNumber("00"), testNumber("31")]);
    await rows().filter({ hasText: "no answer" }).waitFor();
    await rows().filter({ hasText: "Success" }).waitFor();
    await rows()
      .filter({ hasText: batchId })
      .filter({ hasText: shown(testNumber("31")) })
      .click();
    await page.getByRole("link", { name: batchId, exact: true }).click();
    await page.getByRole("heading", { name: `Batch ${batchId}` }).waitFor();
    await rows()
      .filter({ hasText: shown(testNumber("31")) })
      .click();
    await page.locator(".page-head").getByText("no answer").waitFor();
    await page.getByRole("link", { name: shown(testNumber("31")) }).click();
    await page.getByRole("heading", { name: shown(testNumber("31")) }).waitFor();
    await page.goBack();
    await page.getByRole("link", { name: /^msg_/ }).click();
    await page.getByRole("heading", { name: `Call to ${shown(testNumber("31"))}` }).waitFor();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Calls" }).click();
    await rows().nth(1).waitFor();
  });

  it("polls a batch until it is complete, and then stops", async () => {
    const asked: string[] = [];
    const note = (request: Request) => {
      // the notices of every page are polled for as long as it is open
      if (!request.url().endsWith("/dashboard/api/notices")) asked.push(request.url());
    };
    page.on("request", note);
    const { batchId } = await speak([testNumber("00"), testNumber("01"), testNumber("33"), testNumber("37")]);
    await open(`/calls/batches/${batchId}`);
    const bar = page.getByRole("progressbar");
    await bar.waitFor();
    await fetch(`${baseUrl}/control/clock`, {
      ...{ method: "POST", headers: { "content-type": "application/json" } },
      body: JSON.stringify({ advance: "10m" }),
    });
    await expect.poll(() => bar.getAttribute("aria-valuetext")).toBe("4 of 4");
    const counters = page.getByRole("navigation", { name: "Which numbers" });
    await counters.getByText("success 2").waitFor();
    await counters.getByText("partial 1").waitFor();
    await counters.getByText("failed 1").waitFor();
    await page.getByText("for 0 calls not yet priced").waitFor();
    await steps()
      .filter({ hasText: "Last call ended" })
      .getByText("2 heard to the end, 1 in part, 1 failed.")
      .waitFor();
    await rows().filter({ hasText: "hung up" }).waitFor();
    await counters.getByText("failed 1").click();
    await expect.poll(() => rows().count()).toBe(1);
    await rows().getByText("no speech").waitFor();
    const before = asked.length;
    await page.waitForTimeout(3_000);
    page.off("request", note);
    expect(asked.slice(before)).toEqual([]);
  });

  it("tells what happened to a call and why, what it cost, and leads to its callback", async () => {
    const { requestId } = await create("/api/v1/voice/tts-calls", {
      ...{ merchantId: "demo", useCase: "OTP", messageText: "Your code is 1 2 3", toNumber: testNumber("33") },
      callbackUrl: "http://127.0.0.1:9/hook",
    });
    await open(`/calls/${requestId}`);
    await page.getByRole("heading", { name: `Call to ${shown(testNumber("33"))}` }).waitFor();
    await steps()
      .filter({ hasText: "Heard in part" })
      .getByText("The recipient hung up while it was playing.")
      .waitFor();
    for (const title of ["Accepted", "Started", "Speech ready", "Dialled by"]) {
      await steps().filter({ hasText: title }).first().waitFor();
    }
    await steps().filter({ hasText: "no opt-in" }).waitFor();
    await page.getByRole("region", { name: "Spoken text" }).getByText("Your code is 1 2 3").waitFor();
    const cost = page.getByRole("region", { name: "Cost" });
    await cost.getByRole("row").filter({ hasText: "Minutes" }).getByText("1 minute", { exact: true }).waitFor();
    await steps().filter({ hasText: "Callback pending" }).getByRole("link").click();
    await steps().filter({ hasText: "Not accepted" }).getByText("Nothing listens at the receiver's port.").waitFor();
    await page.getByRole("definition").getByRole("link", { name: requestId }).click();
    await page.getByRole("link", { name: "Call again" }).click();
    expect(await page.getByLabel("messageText", { exact: true }).inputValue()).toBe("Your code is 1 2 3");
    expect(page.url()).not.toContain("Your");
  });

  it("says until when a call waits for the end of quiet hours, and when its batch cannot end before", async () => {
    const clock = async (body: object) => {
      const headers = { "content-type": "application/json" };
      await fetch(`${baseUrl}/control/clock`, { method: "POST", headers, body: JSON.stringify(body) });
    };
    const { now } = (await (await fetch(`${baseUrl}/control/clock`)).json()) as { now: string };
    // midnight in Washington
    await clock({ advance: `${29 - new Date(now).getUTCHours()}h` });
    const number = testNumber("00");
    const consent = { merchantId: "demo", channel: "VOICE", contact: number, status: "OPT_IN" };
    await post("/api/v1/consents", consent);
    const { batchId } = await speak([number], { useCase: "MARKETING" });
    await open(`/calls/batches/${batchId}`);
    await steps().filter({ hasText: "1 call to go" }).getByText("so the batch does not end before that").waitFor();
    await rows().first().click();
    await steps().filter({ hasText: "Accepted" }).getByText("Quiet hours: marketing calls ring from 08:00").waitFor();
    await steps().filter({ hasText: "Scheduled" }).getByText("if the recipient has not opted out by then").waitFor();
  });

  it("filters the list of calls, and keeps the filters in the address", async () => {
    await speak([testNumber("00")], { sourceSystem: "booking" });
    await speak([testNumber("30")], { sourceSystem: "shop" });
    await open("/calls");
    await rows().nth(1).waitFor();
    await page.getByLabel("Source system").fill("shop");
    await page.keyboard.press("Enter");
    await expect.poll(() => rows().count()).toBe(1);
    expect(new URL(page.url()).search).toBe("?sourceSystem=shop");
    await page.reload();
    await expect.poll(() => rows().count()).toBe(1);
    await rows().getByText("busy").waitFor();
    await page.getByLabel("Merchant").selectOption("Demo Bakery");
    await page.getByRole("button", { name: "Show" }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("merchant")).toBe("demo");
  });

  it("reports a call or batch that does not exist", async () => {
    await open("/calls/999");
    await page.getByRole("alert").waitFor();
    await open("/calls/batches/nonsense");
    await page.getByRole("alert").waitFor();
  });

  it.each(["/calls", "/calls/batches/BATCH", "/calls/CALL"])("%s is accessible", async (path) => {
    const ends = ["00", "01", "10", "31", "32", "33", "37"];
    const { batchId } = await speak(
      ends.map((end) => testNumber(end)),
      { campaignName: "Spring check-ups" },
    );
    const { requestId } = await speak([testNumber("00")]);
    await open(path.replace("BATCH", batchId).replace("CALL", requestId));
    await page.locator("tr.row, .facts").first().waitFor();
    await expectOpenToAll(page);
  });
});
