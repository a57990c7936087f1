/** Tests the remarks after a send at a terminal. */
import { expect, it } from "vitest";
import { catalog } from "../catalog.ts";
import { msgctl, reply, service } from "../testing/world.ts";

const SMS = ["send", "sms", "--merchant-id", "m1", "--to", "+12025550100", "--type", "OTP", "-y"];
const KEY = ["--idempotency-key", "april"];

async function send(argv: readonly string[], terminal: number | undefined, data: object, headers = {}) {
  const { env } = await service((response) => reply(response, 200, data, headers));
  return msgctl(argv, { env: { NO_COLOR: "1", ...env }, catalog, terminal });
}

const sent = { messageId: "msg_1", status: "QUEUED", merchantId: "m1", channel: "SMS" };

it("names the idempotency key, and a command that really shows the status", async () => {
  const { stdout, stderr } = await send([...SMS, "--message", "Hi there", ...KEY], 100, sent);
  expect(stdout).toContain("messageId   msg_1\n");
  const [, ...again] = stderr.trimEnd().split("\n");
  expect(stderr).toMatch(
    /^Idempotency key april\. To check it again, repeat the command with this key; nothing is sent twice:\n/,
  );
  expect(again).toEqual([
    '  msgctl send sms --merchant-id m1 --to +12025550100 --message "Hi there" --type OTP --yes --idempotency-key april',
  ]);
  const replayed = await send([...SMS, "--message", "Hi there", ...KEY], 100, sent, { "idempotent-replayed": "true" });
  expect(replayed.stderr).toBe("Already done with this idempotency key; this is the current state.\n");
});

it.each([
  ["of several lines", "one\ntwo"],
  ["that is long", "x".repeat(500)],
])("does not print the whole command with a message %s", async (_, message) => {
  const { stderr } = await send([...SMS, "--message", message, ...KEY], 100, sent);
  expect(stderr).toContain("\n  the same command with --idempotency-key april\n");
});

it("names the command that follows the work", async () => {
  const argv = ["tts", "create", "--merchant-id", "m1", "--message-text", "Hi", "--use-case", "OTP", "-y", ...KEY];
  const { stderr } = await send([...argv, "--to-number", "+12025550100"], 100, { batchId: "9002", status: "QUEUED" });
  expect(stderr).toBe("Idempotency key april. Check it again with `msgctl tts watch 9002`.\n");
});

it.each([
  ["off a terminal", [], undefined],
  ["with -o json", ["-o", "json"], 100],
  ["with --quiet", ["--quiet"], 100],
])("prints no remark %s", async (_, flags, terminal) => {
  expect((await send([...SMS, "--message", "Hi", ...flags], terminal, sent)).stderr).toBe("");
});
