import { describe, expect, it } from "vitest";
import { createPolledCommand } from "../../testing/polled-command.ts";

describe("consent check", () => {
  const record = { merchantId: "m1", channel: "SMS", contact: "+12025550100", status: "OPT_IN" };
  const consents = [
    { ...record, source: "form", updatedAt: "2026-03-01T11:00:00.000Z" },
    { ...record, channel: "VOICE", status: "OPT_OUT", source: null, updatedAt: "2026-03-01T11:00:00.000Z" },
    { ...record, channel: "EMAIL", contact: "mara@example.com", source: null, updatedAt: "2026-03-01T11:00:00.000Z" },
  ];
  const check = (argv: readonly string[]) => createPolledCommand([consents], ["consent", "check", ...argv]);
  const M1 = ["--merchant-id", "m1"];

  it.each<[string[], object]>([
    [["+12025550100", "--channel", "SMS", ...M1], { contact: "+12025550100", source: "form" }],
    [["MARA@Example.com", ...M1], { contact: "mara@example.com", channel: "EMAIL" }],
    [["mara@example.com", "--channel", "EMAIL", ...M1], { contact: "mara@example.com" }],
  ])("exits with 0 for %j", async (argv, verdict) => {
    const { run, received } = await check(argv);
    const ended = await run(["-o", "json"]);
    expect([ended.exitCode, ended.stderr]).toEqual([0, ""]);
    expect(JSON.parse(ended.stdout)).toMatchObject({ optedIn: true, status: "OPT_IN", ...verdict });
    expect(received.map(({ url }) => url)).toEqual(["/api/v1/consents?merchantId=m1"]);
  });

  it.each([
    ["VOICE", "consent_opted_out", "OPT_OUT", "has opted out of the VOICE messages of m1"],
    ["SMS", "consent_required", null, "has not opted in to the SMS messages of m1"],
  ])("exits with 8 for %s, and prints the verdict on standard output", async (channel, code, status, said) => {
    const contact = status === null ? "+12025550199" : "+12025550100";
    const ended = await (await check([contact, "--channel", channel, ...M1])).run(["-o", "json"]);
    expect([ended.exitCode, JSON.parse(ended.stdout)]).toEqual([
      8,
      expect.objectContaining({ optedIn: false, status }),
    ]);
    const error = JSON.parse(ended.stderr);
    expect([error.code, error.message]).toEqual([code, `${contact} ${said}`]);
    expect(error.hints[0]).toContain(`--channel ${channel} --contact ${contact} --status OPT_IN`);
  });

  it.each<[string[], number, string]>([
    [["+12025550100", ...M1], 9, "--channel: missing: SMS or VOICE"],
    [["mara@example.com"], 9, "--merchant-id: missing"],
    [["+1 202", "--channel", "SMS", ...M1], 2, '<contact>: received "+1 202"'],
    [["mara@example.com", "--channel", "SMS", ...M1], 2, "expected EMAIL for mara@example.com"],
    [["+12025550100", "--channel", "EMAIL", ...M1], 2, "expected SMS or VOICE for +12025550100"],
    [[...M1], 9, "<contact>: missing"],
  ])("refuses %j with exit code %i", async (argv, exitCode, said) => {
    const { run, received } = await check(argv);
    const ended = await run();
    expect([ended.exitCode, ended.stderr]).toEqual([exitCode, expect.stringContaining(said)]);
    expect(received).toEqual([]);
  });
});
