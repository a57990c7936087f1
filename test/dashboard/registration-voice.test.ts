// The registration and voice pages in a real browser: registration steps, and passwords that are shown only on demand.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { exampleProvisioning } from "../../packages/server/src/testing/provisioning-example.ts";
import { hasChromium } from "../browser/chromium.ts";
import type { Post } from "../e2e/create-post.ts";
import type { MsgdFolder } from "../e2e/msgd-process.ts";
import { openDemo } from "./demo.ts";
import { expectOpenToAll } from "./pages.ts";

let baseUrl: string;
let folder: MsgdFolder;
let page: Page;
let post: Post;

describe.runIf(hasChromium)("the dashboard in a browser", () => {
  openDemo([404], (demo) => {
    ({ baseUrl, folder, page, post } = demo);
  });

  async function create(path: string, body: object): Promise<void> {
    const reply = await post(path, body);
    expect(reply.status).toBeLessThan(300);
  }
  const registerBrand = () =>
    create("/api/v1/merchants/demo/messaging/brand", {
      ...{ legalBusinessName: "Demo Bakery LLC", businessType: "PRIVATE_PROFIT", websiteUrl: "https://bakery.example" },
      ...{ provider: "carrier-hub", providerBrandId: "B1", status: "APPROVED", verificationStatus: "VERIFIED" },
    });
  const registerNumber = () =>
    create("/api/v1/merchants/demo/messaging/numbers", { phoneNumber: "+12025550142", capabilities: ["SMS", "VOICE"] });
  const open = (path: string) => page.goto(`${baseUrl}/dashboard${path}`);

  const example = () => exampleProvisioning(Number(folder.demoCredential.tenantId));
  async function provision(): Promise<void> {
    const file = join(folder.parent, "provisioning.json");
    writeFileSync(file, JSON.stringify(example()), { mode: 0o600 });
    await folder.run("provisioning", "import", file, "--tenant", folder.demoCredential.tenantId);
  }

  it("shows the next step of a registration, and its command", async () => {
    await open("/registration?merchant=demo");
    const next = page.locator("[aria-current=step]");
    await next.getByRole("link", { name: "Register the brand" }).click();
    expect(await page.getByLabel("merchantId").inputValue()).toBe("demo");
    await page.goBack();
    await next.getByText("From a terminal").click();
    await next.getByText("msgctl registration brand demo").waitFor();
    await registerBrand();
    await registerNumber();
    await next.getByRole("heading", { name: "Campaign" }).waitFor();
    await next.getByRole("link", { name: "Register the campaign" }).waitFor();
    await next.getByText("msgctl registration campaign --help").waitFor({ state: "attached" });
    await page.getByRole("row", { name: "Demo Bakery LLC approved" }).waitFor();
    await page.getByRole("row", { name: "+12025550142" }).waitFor();
    await page.getByLabel("Merchant").selectOption("Demo");
    await page.getByText("No brand is registered yet. A brand is the business that sends.").waitFor();
    expect(new URL(page.url()).searchParams.get("merchant")).not.toBe("demo");
  });

  it("shows which phones are registered, and a password only on demand", async () => {
    await provision();
    await open("/");
    await page.getByRole("link", { name: "Voice" }).click();
    const user = page.getByRole("row", { name: "1001" });
    await user.waitFor();
    const { password, sipUsername } = example().sipUsers[0] ?? {};
    expect(await page.content()).not.toContain(password);
    await user.getByText("registered, available").waitFor();
    await post("/api/v1/voice/provisioning/sip-presence", { sipUsername, registered: false });
    await user.getByText("no phone registered").waitFor();
    await user.getByRole("button", { name: `Show the password of ${sipUsername}` }).focus();
    await page.keyboard.press("Enter");
    await user.getByText(password ?? "").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Hide");
    expect(page.url()).toBe(`${baseUrl}/dashboard/voice`);
    await user.getByRole("button", { name: `Hide the password of ${sipUsername}` }).click();
    expect(await page.content()).not.toContain(password);
    await page.getByRole("table", { name: "Ring groups" }).getByText("all at once").waitFor();
    await page.getByRole("table", { name: "Choices" }).waitFor();
    await page.getByRole("table", { name: "Numbers" }).getByText("Front desk").waitFor();
  });

  it("says on the voice page that nothing is set up", async () => {
    await open("/voice");
    await page.getByText("Nothing is set up").waitFor();
  });

  it.each(["/registration?merchant=demo", "/voice"])("%s is accessible", async (path) => {
    await registerBrand();
    await registerNumber();
    await provision();
    await open(path);
    await page.locator("tbody tr").first().waitFor();
    await expectOpenToAll(page);
  });
});
