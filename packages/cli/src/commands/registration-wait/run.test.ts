import { describe, expect, it } from "vitest";
import { createPolledCommand } from "../../testing/polled-command.ts";

describe("registration wait", () => {
  const registration = (blockingReason: string | null) => ({
    ...{ merchantId: "m1", readyToSend: blockingReason === null, blockingReason },
    ...{ brands: [], campaigns: [], numbers: [] },
  });
  const wait = (reasons: readonly (string | null)[]) =>
    createPolledCommand(reasons.map(registration), ["registration", "wait", "m1"]);

  it("prints each change until the merchant is ready", async () => {
    const { run, received } = await wait(["BRAND_PENDING", "BRAND_PENDING", "CAMPAIGN_PENDING", "A_NEW_ONE", null]);
    const ended = await run(["-o", "json"]);
    expect([ended.exitCode, JSON.parse(ended.stdout)]).toEqual([0, registration(null)]);
    expect(ended.stderr.split("\n")).toEqual([
      "Not ready: BRAND_PENDING.",
      "Not ready: CAMPAIGN_PENDING.",
      "Not ready: A_NEW_ONE.",
      "Ready to send.",
      "",
    ]);
    expect(received[0]?.url).toBe("/api/v1/merchants/m1/messaging/status");
  });

  it.each([
    ["BRAND_MISSING", "`msgctl registration brand m1 --legal-business-name <name>`"],
    ["CAMPAIGN_REJECTED", "`msgctl registration status m1`"],
    ["NUMBER_UNASSIGNED", "`msgctl registration assign m1 <numberId> --campaign-id <campaignId>`"],
  ])("exits at once for %s, and says what to do", async (reason, command) => {
    const { run, received } = await wait(["BRAND_PENDING", reason]);
    const ended = await run(["--columns", "blockingReason"]);
    expect([ended.exitCode, ended.stdout, received.length]).toEqual([8, `blockingReason  ${reason}\n`, 2]);
    expect(ended.stderr).toContain(`merchant m1 is not ready to send, and waiting does not help: ${reason}`);
    expect(ended.stderr).toContain(command);
  });

  it("says how to activate an inactive merchant, by its name", async () => {
    const replies = [registration("MERCHANT_INACTIVE"), { merchantId: "m1", displayName: "M & Sons", active: false }];
    const { run, received } = await createPolledCommand(replies, ["registration", "wait", "m1"]);
    const { exitCode, stderr } = await run([]);
    expect([exitCode, received.at(-1)?.url]).toEqual([8, "/api/v1/merchants/m1"]);
    expect(stderr).toContain('`msgctl merchants upsert --merchant-id m1 --display-name "M & Sons" --active`');
  });

  it("exits with 10 at the deadline", async () => {
    const ended = await (await wait(["CAMPAIGN_PENDING"])).run(["--wait-timeout", "7200", "--quiet"]);
    expect([ended.exitCode, ended.stdout]).toEqual([10, ""]);
    expect(ended.stderr).toContain("merchant m1 was still not ready: CAMPAIGN_PENDING after 2.0 h");
    expect(ended.stderr).toContain("`msgctl registration wait m1`");
  });
});
