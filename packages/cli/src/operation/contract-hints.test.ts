/** Runs the commands in the contract's hints. */
import { describe, expect, it } from "vitest";
import { catalog } from "../catalog.ts";
import { hints } from "../generated/hints.ts";
import { msgctl } from "../testing/world.ts";

/** The value that a user would insert for each placeholder. */
const VALUES: Readonly<Record<string, string>> = {
  group: "send",
  command: "sms",
  merchantId: "bright-dental",
  otherMerchantId: "smile-dental",
  name: "Bright",
  channel: "SMS",
  "SMS|VOICE|EMAIL": "SMS",
  to: "+12025550100",
  phoneNumber: "+12025550100",
  otherPhoneNumber: "+12025550101",
  required: "500",
  displayName: "Bright",
  suggestedLimit: "1000",
  "sms-limit|voice-minutes-limit|email-limit": "sms-limit",
};

const quoted = Object.entries(hints).flatMap(([code, hint]) =>
  [...hint.matchAll(/`msgctl ([^`]+)`/g)].map(([, line = ""]) => [code, line] as const),
);
const bare = quoted.filter(([, line]) => !/[-<]/.test(line));
const whole = quoted.filter((entry) => !bare.includes(entry));

const words = (line: string) =>
  line.replaceAll(/<([^>]+)>/g, (_, name: string) => VALUES[name] ?? expect.fail(`<${name}> has no value`)).split(" ");

describe("a command in a hint", () => {
  it.each(bare)("%s: msgctl %s exists", async (_, line) => {
    const { stdout } = await msgctl([...line.split(" "), "--help"], { catalog });
    expect(stdout).toContain(`USAGE\n  msgctl ${line} `);
  });

  it.each(whole)("%s: msgctl %s runs when its placeholders are filled in", async (_, line) => {
    const argv = line.endsWith(" --help") ? words(line) : [...words(line), "--dry-run"];
    const { exitCode, stderr } = await msgctl(argv, { catalog, env: { MSGCTL_BASE_URL: "http://127.0.0.1:9" } });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.not.stringContaining("error:") });
  });
});
