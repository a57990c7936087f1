import { expect, it } from "vitest";
import { catalog } from "../catalog.ts";
import { msgctl } from "../testing/world.ts";

it.each([
  ["login", "Run `msgctl auth login`."],
  ["logout", "Run `msgctl auth logout`."],
  ["status", "Run `msgctl registration status` or `msgctl auth status`."],
  ["messages", "Run `msgctl send sms`, `msgctl send voice` or `msgctl send email`."],
  ["init", "Run `msgctl auth login`."],
  ["configure", "Run `msgctl auth login`."],
  ["sms", "Run `msgctl send sms`."],
  ["SMS", "Run `msgctl send sms`."],
  ["call", "Run `msgctl send voice` or `msgctl tts create`."],
  ["logs", "Run `msgctl alerts list`, `msgctl tts list` or `msgctl listen`."],
  ["webhooks", "Run `msgctl listen`."],
  ["tail", "Run `msgctl alerts tail`."],
  ["bulk", "Run `msgctl send bulk`."],
  ["import", "Run `msgctl merchants import` or `msgctl consent import`."],
  ["upgrade", "Run `msgctl billing upgrade`."],
  ["send text", "Run `msgctl send sms`."],
  ["help login", "Run `msgctl auth login`."],
])("suggests the command that msgctl %s may mean", async (words, hint) => {
  const ended = await msgctl(words.split(" "), { catalog, env: { MSGCTL_OUTPUT: "json" } });
  expect(ended).toMatchObject({ exitCode: 2, stdout: "" });
  const { message, hints } = JSON.parse(ended.stderr);
  expect([message, hints]).toEqual([expect.not.stringContaining("did you mean"), [hint]]);
});

it.each([
  ["consents", "did you mean consent?"],
  ["send tail", "unknown command 'tail'"],
  ["toString", "unknown command 'toString'"],
])("suggests no command for msgctl %s", async (words, said) => {
  const ended = await msgctl(words.split(" "), { catalog });
  expect([ended.exitCode, ended.stderr]).toEqual([2, expect.stringContaining(said)]);
  expect(ended.stderr).toContain("--help`.");
});

it("suggests only commands that exist", async () => {
  const { OTHER_WORDS } = await import("./other-words.ts");
  for (const words of new Set(Object.values(OTHER_WORDS).flat())) {
    if (words.startsWith("-")) continue;
    expect((await msgctl([...words.split(" "), "--help"], { catalog })).exitCode).toBe(0);
  }
});

it.each([
  [["send", "bulk", "l.csv", "--merchant-id", "bella"], "Give it to all rows with `--set merchantId=bella`"],
  [["send", "bulk", "l.csv", "--type=OTP"], "Give it to all rows with `--set type=OTP`"],
  [["send", "bulk", "l.csv", "--subject"], "Give it to all rows with `--set subject=<value>`"],
  [["consent", "import", "l.csv", "--source", "till 4"], 'Give it to all rows with `--set source="till 4"`'],
  [
    ["consent", "check", "--contact", "+12025550100"],
    "Give <contact> without a flag: `msgctl consent check <contact>`.",
  ],
  [
    ["merchants", "get", "--merchant-id", "bella"],
    "Give <merchant-id> without a flag: `msgctl merchants get <merchant-id>`.",
  ],
  [["send", "bulk", "l.csv", "--chanel", "SMS"], "Run `msgctl send bulk --help`."],
])("says what to give instead of the unknown flag in %j", async (argv, advice) => {
  const { exitCode, stderr } = await msgctl(argv, { catalog });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^error: unknown option '--[a-z-]+'|^error: unknown option '--type=OTP'/);
  expect(stderr).toContain(advice);
});
