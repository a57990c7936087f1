import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import { systemClock } from "../../process/clock.ts";
import { folder, msgctl, type Received, reply, type Service, service, type World } from "../../testing/world.ts";

const HEADER = "merchantId,to,message,type\n";
const row = (digit: number) => `m1,+1202555010${digit},Hello,OTP\n`;
const HOURS = 60 * 60 * 1000;

/** Starts a service that remembers the state of each message, and the keys until `forget` is called. */
async function remembering(statusOf: (to: string) => string | undefined) {
  const known = new Set<string>();
  let sentCount = 0;
  let next: "answered" | "cut" | "limited" = "answered";
  const answering = await service((response, { headers, body }: Received) => {
    const { to } = JSON.parse(body);
    const key = String(headers["idempotency-key"]);
    const status = statusOf(to);
    if (status === undefined) return reply(response, 503, { code: "unavailable", status: 503, title: "x", type: "x" });
    if (status === "REFUSED")
      return reply(response, 409, { code: "consent_required", status: 409, title: "x", type: "x" });
    const fate = next;
    next = "answered";
    if (fate === "limited")
      return reply(response, 429, { code: "rate_limited", status: 429, title: "x", type: "x" }, { "retry-after": "0" });
    const isReplayed = known.has(key);
    if (!isReplayed) sentCount += 1;
    known.add(key);
    if (fate === "cut") return void response.destroy();
    const data = { messageId: `msg_${to.slice(-1)}`, merchantId: "m1", channel: "SMS" };
    const headersOf = isReplayed ? { "idempotent-replayed": "true" } : undefined;
    reply(response, 202, { ...data, status: isReplayed ? status : "QUEUED" }, headersOf);
  });
  const treatNext = (fate: typeof next) => {
    next = fate;
  };
  return { answering, forget: () => known.clear(), countSent: () => sentCount, treatNext };
}

function scene({ env }: Service, list: string) {
  const cwd = folder();
  writeFileSync(join(cwd, "list.csv"), list);
  return (flags: readonly string[], world: Partial<World> = {}, retries = "0") =>
    msgctl(["send", "bulk", "list.csv", "--channel", "SMS", "--retries", retries, "--concurrency", "1", ...flags], {
      ...{ cwd, env, catalog },
      ...world,
    });
}

const later = (hours: number) => ({ clock: { ...systemClock, now: () => Date.now() + hours * HOURS } });

it("reports the status of each row, and sends nothing", async () => {
  const statuses = ["DELIVERED", "UNDELIVERED", "REFUSED", undefined, "DELIVERED"];
  const { answering, countSent } = await remembering((to) => statuses[Number(to.slice(-1))]);
  const run = scene(answering, HEADER + [0, 1, 2, 3, 4].map(row).join(""));
  await run(["-y"]);
  expect(countSent()).toBe(3);
  const asked = answering.received.length;
  const plain = await run(["--status"]);
  expect(plain).toMatchObject({ exitCode: 0, stderr: "" });
  expect(plain.stdout).toBe("2  DELIVERED\n1  UNDELIVERED\n1  unknown: it may or may not have been sent\n1  refused\n");
  // open and refused rows are not looked up
  expect(answering.received).toHaveLength(asked + 3);
  expect(JSON.parse((await run(["--status", "-o", "json"])).stdout)).toEqual({
    ...{ rows: 5, statuses: { DELIVERED: 2, UNDELIVERED: 1 }, noLongerKnown: 0, open: 1, refused: 1, notSent: 0 },
  });
  const lines = (await run(["--status", "-o", "jsonl"])).stdout.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line)).slice(0, 3)).toEqual([
    { row: 1, line: 2, status: "DELIVERED", messageId: "msg_0", state: "known" },
    { row: 2, line: 3, status: "UNDELIVERED", messageId: "msg_1", state: "known" },
    { row: 3, line: 4, status: null, messageId: null, state: "refused" },
  ]);
  expect(countSent()).toBe(3);
});

it("does not look up rows whose keys the service may have forgotten", async () => {
  const { answering } = await remembering(() => "DELIVERED");
  const run = scene(answering, HEADER + row(0));
  await run(["-y"]);
  expect((await run(["--status"], later(70))).stdout).toBe("1  DELIVERED\n");
  const asked = answering.received.length;
  expect((await run(["--status"], later(72))).stdout).toBe("1  unknown: sent too long ago to look up\n");
  expect(answering.received).toHaveLength(asked);
});

it("stops at the first message that the service sent again", async () => {
  const { answering, forget, countSent } = await remembering(() => "DELIVERED");
  const run = scene(answering, HEADER + row(0) + row(1) + row(2));
  await run(["-y"]);
  forget();
  const ended = await run(["--status"]);
  expect(ended).toMatchObject({ exitCode: 8, stdout: "" });
  expect(ended.stderr).toContain("the service no longer knew the key of line 2, and sent the message again");
  expect(countSent()).toBe(4);
});

it("does not report rows as unsent if they were sent with another API key", async () => {
  const { answering } = await remembering(() => "DELIVERED");
  const run = scene(answering, HEADER + row(0));
  await run(["-y"]);
  const rotated = { env: { ...answering.env, MSGCTL_API_KEY: "mkt_test_rotated" } };
  expect(await run(["--status"], rotated)).toMatchObject({
    ...{ exitCode: 2, stderr: expect.stringContaining("with another API key") },
  });
  expect((await run(["--status", "--same-account"], rotated)).stdout).toBe("1  DELIVERED\n");
});

it.each(["--status", "-y"])(
  "an interruption with %s suggests no --idempotency-key, which the command does not accept",
  async (flag) => {
    let isSilent = false;
    const controller = new AbortController();
    const { answering } = await remembering(() => {
      if (isSilent) controller.abort();
      return "DELIVERED";
    });
    const run = scene(answering, HEADER + row(0) + row(1));
    if (flag === "--status") await run(["-y"]);
    isSilent = true;
    const ended = await run([flag], { signal: controller.signal });
    expect(ended).toMatchObject({ exitCode: 130, stdout: "" });
    expect(ended.stderr).toContain("interrupted");
    expect(ended.stderr).not.toMatch(/idempotency.key/);
  },
);

it("reports how many rows it looked up before an error", async () => {
  let status: string | undefined = "DELIVERED";
  const { answering } = await remembering((to) => (to.endsWith("1") ? status : "DELIVERED"));
  const run = scene(answering, HEADER + row(0) + row(1) + row(2));
  await run(["-y"]);
  status = undefined;
  const ended = await run(["--status"]);
  expect(ended).toMatchObject({ exitCode: 5, stdout: "" });
  expect(ended.stderr).toContain("; 1 of 3 rows was asked about");
});

it("looks up nothing if the clock was set back, since the age of a key is then unknown", async () => {
  const { answering } = await remembering(() => "DELIVERED");
  const run = scene(answering, HEADER + row(0));
  await run(["-y"]);
  const asked = answering.received.length;
  await run(["--status"], later(-2));
  expect(answering.received).toHaveLength(asked);
});

it("says that a list was never sent", async () => {
  const { answering } = await remembering(() => "DELIVERED");
  expect((await scene(answering, HEADER + row(0))(["--status"])).stdout).toBe("1  not sent from this machine\n");
  expect(answering.received).toEqual([]);
});

it("does not retry a lost response, since a retry cannot tell whether the message was sent again", async () => {
  const { answering, forget, treatNext } = await remembering(() => "DELIVERED");
  const run = scene(answering, HEADER + row(0));
  await run(["-y"]);
  forget();
  treatNext("cut");
  const ended = await run(["--status"], {}, "3");
  expect(ended).toMatchObject({ exitCode: 6, stdout: "" });
});

it("waits for as long as Retry-After says", async () => {
  const { answering, treatNext } = await remembering(() => "DELIVERED");
  const run = scene(answering, HEADER + row(0) + row(1));
  await run(["-y"]);
  treatNext("limited");
  expect(await run(["--status"])).toMatchObject({ exitCode: 0, stdout: "2  DELIVERED\n" });
});
