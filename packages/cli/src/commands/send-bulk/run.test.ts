import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { basename, join } from "node:path";
import { parse } from "csv-parse/sync";
import { expect, it } from "vitest";
import { type Lock, readMark, seize } from "../../call/access/lock.ts";
import { catalog } from "../../catalog.ts";
import { systemClock } from "../../process/clock.ts";
import { folder, msgctl, type Received, reply, type Service, service, type World } from "../../testing/world.ts";

const LIST = `Merchant ID,to,message,type
m1,+12025550100,"One, ""quoted""",OTP
m1,+12025550101,Two,OTP
m1,+12025550102,Three,OTP
`;

const accept = (response: ServerResponse, { body }: Received) =>
  reply(response, 202, {
    ...JSON.parse(body),
    channel: "SMS",
    messageId: `msg_${JSON.parse(body).to}`,
    status: "QUEUED",
  });

const refuse = (response: ServerResponse, status: number, code: string, headers?: Record<string, string>) => {
  const problem = { type: "about:blank", title: code, status, code, detail: `This is ${code}.`, errors: [] };
  return reply(response, status, problem, headers);
};

const keysIn = (received: readonly Received[]) => received.map(({ headers }) => String(headers["idempotency-key"]));
const recipients = ({ received }: Service) => received.map(({ body }) => JSON.parse(body).to).sort();

/** Creates a folder with the list, and a function that runs msgctl there against the service. */
function scene({ env }: Service, list = LIST) {
  const cwd = folder();
  writeFileSync(join(cwd, "list.csv"), list);
  const run = (argv: readonly string[] = [], world: Partial<World> = {}) =>
    msgctl(["send", "bulk", "list.csv", "--channel", "SMS", "-y", "--retries", "0", ...argv], {
      ...{ cwd, env, catalog },
      ...world,
    });
  return { cwd, run };
}

it("sends every row, and sends nothing when the command is repeated", async () => {
  const answering = await service(accept);
  const { run } = scene(answering);
  expect(await run()).toEqual({ exitCode: 0, stdout: "", stderr: "3 rows: 3 done, 0 failed, 0 open.\n" });
  expect(recipients(answering)).toEqual(["+12025550100", "+12025550101", "+12025550102"]);
  expect(JSON.parse(answering.received.find(({ body }) => body.includes("0100"))?.body ?? "")).toEqual({
    ...{ merchantId: "m1", to: "+12025550100", message: 'One, "quoted"', type: "OTP" },
  });
  const again = await run();
  expect(again).toMatchObject({
    exitCode: 9,
    stderr: expect.stringMatching(/^error: all 3 rows went out on .*; nothing was sent\n/),
  });
  expect(again.stderr).toContain("--run <word>");
  expect(answering.received).toHaveLength(3);
  for (const word of ["april", "april", "may"]) await run(["--run", word]);
  expect(new Set(keysIn(answering.received)).size).toBe(9);
});

it.each([
  ["y and Enter", "y\r", 0, 3],
  ["no", "n\r", 130, 0],
  ["Enter alone", "\r", 130, 0],
])("asks for confirmation at a terminal: %s", async (_, keys, exitCode, sent) => {
  const answering = await service(accept);
  const { cwd } = scene(answering);
  const ended = await msgctl(["send", "bulk", "list.csv", "--channel", "SMS"], {
    ...{ cwd, env: { NO_COLOR: "1", ...answering.env }, catalog, terminal: 100, dialogue: [["Go ahead?", keys]] },
  });
  expect(ended.stderr).toContain("Send 3 rows (3 segments) of list.csv");
  expect([ended.exitCode, answering.received.length]).toEqual([exitCode, sent]);
});

it("accepts enum words in any case, and recognises a list whose words have another case", async () => {
  const answering = await service(accept);
  const { cwd, run } = scene(answering, "to,message\n+12025550100,One\n+12025550101,Two\n");
  const set = (type: string) => ["--set", "merchantId=m1", "--set", `type=${type}`];
  expect((await run(set("OTP"))).exitCode).toBe(0);
  const argv = ["send", "bulk", "list.csv", "--channel", "sms", "-y", "--only-new", ...set("otp"), "-o", "JSON"];
  const again = await msgctl(argv, { cwd, env: answering.env, catalog });
  expect(JSON.parse(again.stdout)).toMatchObject({ done: 2, doneEarlier: 2 });
  expect(answering.received.map(({ body }) => JSON.parse(body).type)).toEqual(["OTP", "OTP"]);
  const rows = scene(answering, LIST.replaceAll("OTP", "otp"));
  expect((await rows.run()).exitCode).toBe(0);
  expect(answering.received.slice(2).map(({ body }) => JSON.parse(body).type)).toEqual(["OTP", "OTP", "OTP"]);
});

it("uses the same keys without a journal, and a new key for a changed row", async () => {
  const answering = await service(accept);
  await scene(answering).run();
  await scene(answering).run();
  const keys = keysIn(answering.received);
  expect(keys.slice(3).sort()).toEqual(keys.slice(0, 3).sort());
  await scene(answering, LIST.replace("Three", "3")).run();
  expect(new Set(keysIn(answering.received)).size).toBe(4);
});

it("does not round integers of an answer", async () => {
  const exact = await service((response) => {
    response
      .writeHead(202, { "content-type": "application/json" })
      .end('{"messageId":"msg_1","big":9223372036854775807}');
  });
  const ended = await scene(exact).run(["-o", "jsonl"]);
  expect([ended.exitCode, ended.stdout]).toEqual([0, expect.stringContaining('"big":9223372036854775807')]);
});

it("prints a line for each outcome with -o jsonl, and a summary with -o json", async () => {
  const answering = await service((response, request) =>
    request.body.includes("0101") ? refuse(response, 409, "consent_required") : accept(response, request),
  );
  const lines = (await scene(answering).run(["-o", "jsonl"])).stdout.trim().split("\n");
  const outcomes = lines.map((line) => JSON.parse(line)).sort((a, b) => a.row - b.row);
  expect(outcomes).toMatchObject([
    { row: 1, line: 2, ok: true, replayed: false, data: { messageId: "msg_+12025550100" } },
    { row: 2, line: 3, ok: false, isOpen: false, error: { code: "consent_required", status: 409 } },
    { row: 3, line: 4, ok: true },
  ]);
  const { exitCode, stdout, stderr } = await scene(answering).run(["-o", "json", "--quiet"]);
  expect(exitCode).toBe(8);
  const failure = { code: "consent_required", count: 1, row: 2, line: 3, reason: "This is consent_required." };
  expect(JSON.parse(stdout)).toEqual({
    ...{ rows: 3, done: 2, failed: 1, leftOut: 0, open: 0, doneEarlier: 0 },
    failures: [{ ...failure, hint: expect.stringContaining("msgctl consent record --merchant-id m1 --channel SMS") }],
    failedFile: expect.stringMatching(/list\.failed\.csv$/),
  });
  expect(JSON.parse(stderr)).toMatchObject({
    ...{ code: "rows_failed", exitCode: 8, errors: [failure] },
    created: { failedFile: JSON.parse(stdout).failedFile },
  });
});

it("writes the refused rows to a file that can be sent as a list", async () => {
  let isRefusing = true;
  const answering = await service((response, request) =>
    isRefusing && /010[12]/.test(request.body) ? refuse(response, 409, "consent_required") : accept(response, request),
  );
  const { cwd, run } = scene(answering);
  const ended = await run();
  expect(ended).toMatchObject({ exitCode: 8, stderr: expect.stringContaining("3 rows: 1 done, 2 failed, 0 open.") });
  expect(ended.stderr).toMatch(/run `msgctl send bulk \S*list\.failed\.csv --channel SMS`/);
  const path = join(cwd, "list.failed.csv");
  expect(readFileSync(path, "utf8").split("\n")).toEqual([
    "Merchant ID,to,message,type,error code,error message",
    "m1,+12025550101,Two,OTP,consent_required,This is consent_required.",
    "m1,+12025550102,Three,OTP,consent_required,This is consent_required.",
    "",
  ]);
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);

  isRefusing = false;
  const again = await run();
  expect(again).toMatchObject({ exitCode: 9, stderr: expect.stringContaining("1 of these 3 rows went out on") });
  expect(again.stderr).toContain("--only-new to send the 2 that are new");
  expect(answering.received).toHaveLength(3);
  const mended = ["send", "bulk", "list.failed.csv", "--channel", "SMS", "-y"];
  expect((await msgctl(mended, { cwd, env: answering.env, catalog })).exitCode).toBe(0);
  expect(recipients(answering).slice(-2)).toEqual(["+12025550102", "+12025550102"]);
  expect(answering.received).toHaveLength(5);
  // each row is sent with the same key as when it was refused
  expect([...new Set(keysIn(answering.received))]).toHaveLength(3);
  expect((await run()).stderr).toContain("all 3 rows went out on");
});

it("sends only the refused rows with --only-new", async () => {
  let isRefusing = true;
  const answering = await service((response, request) =>
    isRefusing && request.body.includes("0101") ? refuse(response, 409, "consent_required") : accept(response, request),
  );
  const { run } = scene(answering);
  expect((await run()).exitCode).toBe(8);
  isRefusing = false;
  const ended = await run(["--only-new", "--quiet"]);
  expect(ended.stderr).toMatch(/^2 of these 3 rows went out on .*; 1 is new: rows that are not new are left out\.\n$/);
  expect([ended.exitCode, answering.received.length]).toEqual([0, 4]);
});

it("escapes formulas in a file of failed rows, and sends the original values from it", async () => {
  const messages = [
    "=1+1",
    "'=1",
    "@a",
    "\t=1",
    "\n=1",
    "＝1",
    "+1 202",
    "-",
    "''+",
    "'quoted'",
    "+12025550100",
    " =1",
  ];
  const rows = messages.map((message, index) => `m1,+120255501${10 + index},"${message}",OTP\n`);
  const list = `Merchant ID,to,message,type\n${rows.join("")}`;
  let isRefusing = true;
  const answering = await service((response, request) =>
    isRefusing ? refuse(response, 409, "consent_required") : accept(response, request),
  );
  const { cwd, run } = scene(answering, list);
  const again = ["send", "bulk", "list.failed.csv", "--channel", "SMS", "-y"];
  const sent = () => answering.received.splice(0).map(({ body, headers }) => `${headers["idempotency-key"]} ${body}`);
  expect((await run()).exitCode).toBe(8);
  const first = sent().sort();
  expect(first).toHaveLength(messages.length);
  const written = readFileSync(join(cwd, "list.failed.csv"), "utf8");
  const fields = parse(written, { record_delimiter: "\n" }).flat();
  expect(fields.filter((field) => /^[=+\-@\t\r\n＝＋－＠]/.test(field) && !/^\+\d+$/.test(field))).toEqual([]);
  expect(fields.filter((field) => /^\+\d+$/.test(field))).toHaveLength(messages.length + 1);
  // a file of rows that failed again is escaped, too
  expect((await msgctl(again, { cwd, env: answering.env, catalog })).exitCode).toBe(8);
  expect(sent().sort()).toEqual(first);
  expect(readFileSync(join(cwd, "list.failed.csv"), "utf8")).toBe(written);
  isRefusing = false;
  expect((await msgctl(again, { cwd, env: answering.env, catalog })).exitCode).toBe(0);
  expect(sent().sort()).toEqual(first);
});

/** A service that remembers keys until `forget` is called. */
function remembering(verdict: (body: { to: string; message: string }) => [status: number, code: string] | undefined) {
  const sent: string[] = [];
  const known = new Map<string, string>();
  return {
    sent,
    forget: () => known.clear(),
    answer(response: ServerResponse, request: Received) {
      const key = String(request.headers["idempotency-key"]);
      const before = known.get(key);
      if (before !== undefined && before !== request.body) return refuse(response, 422, "idempotency_key_reused");
      const body = JSON.parse(request.body);
      const refused = verdict(body);
      if (before === undefined && refused !== undefined) return refuse(response, ...refused);
      if (before === undefined) sent.push(`${body.to} ${body.message}`);
      known.set(key, request.body);
      return accept(response, request);
    },
  };
}

const bulk = (path: string, world: Partial<World>, flags: readonly string[] = []) =>
  msgctl(["send", "bulk", path, "--channel", "SMS", "-y", "--retries", "0", ...flags], { ...world, catalog });

function mend(path: string, from: string, to: string): void {
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

it("sends each row once, in whatever order the user follows the hints", async () => {
  // One is refused for good, Two is open at first and then refused, Three succeeds
  let isDown = true;
  const { sent, answer } = remembering(({ message }) => {
    if (message.startsWith("One")) return [409, "consent_required"];
    if (message === "Two") return isDown ? [503, "unavailable"] : [409, "consent_required"];
    return undefined;
  });
  const answering = await service(answer);
  const { cwd, run } = scene(answering);
  const world = { cwd, env: answering.env };
  const [first, second] = [join(cwd, "list.failed.csv"), join(cwd, "list.failed-2.csv")];

  expect((await run()).stderr).toContain("3 rows: 1 done, 1 failed, 1 open.");
  mend(first, '0100,"One, ""quoted"""', "0199,Mended");
  const mended = readFileSync(first, "utf8");
  expect((await bulk(first, world)).stderr).toContain("1 row: 1 done, 0 failed, 0 open.");
  expect(sent).toEqual(["+12025550102 Three", "+12025550199 Mended"]);

  isDown = false;
  const again = await run();
  expect(again.stderr).toContain("3 rows: 1 done (1 by an earlier run), 2 failed, 0 open.");
  // the corrected file is unchanged, and the new file does not have rows that are done by now
  expect(again.stderr).toContain("list.failed-2.csv");
  expect(readFileSync(first, "utf8")).toBe(mended);
  expect(readFileSync(second, "utf8").trimEnd().split("\n")).toHaveLength(3);

  mend(second, "Two", "Two later");
  for (const path of [second, first, second, join(cwd, "list.csv"), first]) await bulk(path, world);
  expect(sent).toEqual(["+12025550102 Three", "+12025550199 Mended", "+12025550101 Two later"]);
});

it("does not overwrite a file of failed rows that the user has changed", async () => {
  const answering = await service((response) => refuse(response, 409, "consent_required"));
  const { cwd, run } = scene(answering);
  await run();
  mend(join(cwd, "list.failed.csv"), "Two", "2");
  writeFileSync(join(cwd, "list.csv"), LIST.replaceAll("m1", "m2"));
  await run();
  const files = readdirSync(cwd).filter((name) => name.includes("failed"));
  expect(files.sort()).toEqual(["list.failed-2.csv", "list.failed.csv"]);
  const stdin = (text: string) =>
    msgctl(["send", "bulk", "-", "--channel", "SMS", "-y"], { ...{ cwd, env: answering.env, catalog }, stdin: text });
  await stdin(LIST.replaceAll("m1", "m4"));
  mend(join(cwd, "stdin.failed.csv"), "Two", "2");
  await stdin(LIST.replaceAll("m1", "m3"));
  expect(readdirSync(cwd)).toEqual(expect.arrayContaining(["stdin.failed.csv", "stdin.failed-2.csv"]));
});

it("overwrites an unchanged file of failed rows", async () => {
  const answering = await service((response) => refuse(response, 409, "consent_required"));
  const { cwd, run } = scene(answering);
  await run();
  const path = join(cwd, "list.failed.csv");
  const before = readFileSync(path, "utf8");
  await bulk("list.failed.csv", { cwd, env: answering.env });
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(readdirSync(cwd).filter((name) => name.includes("failed"))).toEqual(["list.failed.csv"]);
});

it("recognises a list however the service address is spelled", async () => {
  const answering = await service(accept);
  const { run } = scene(answering);
  await run();
  const { baseUrl } = answering;
  for (const spelled of [`${baseUrl}/`, baseUrl.replace("http:", "HTTP:"), `${baseUrl}//`]) {
    const ended = await run([], { env: { ...answering.env, MSGCTL_BASE_URL: spelled } });
    expect(ended).toMatchObject({ exitCode: 9, stderr: expect.stringContaining("all 3 rows went out on") });
  }
  expect(answering.received).toHaveLength(3);
});

it("sends a list with another API key only if a flag says whose key it is", async () => {
  const answering = await service(accept);
  const { run } = scene(answering);
  await run();
  const rotated = { env: { ...answering.env, MSGCTL_API_KEY: "mkt_test_rotated" } };
  expect(await run([], rotated)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("with another API key, possibly of the same account; nothing was sent"),
  });
  expect((await run(["--same-account"], rotated)).stderr).toContain("all 3 rows went out on");
  expect(answering.received).toHaveLength(3);
  const other = { env: { ...answering.env, MSGCTL_API_KEY: "mkt_test_of_another_account" } };
  expect((await run(["--run", "theirs"], other)).exitCode).toBe(0);
  expect(answering.received).toHaveLength(6);
});

it("resumes with another API key after --same-account, and needs the flag only once", async () => {
  const controller = new AbortController();
  const answering = await service((response, request) => {
    if (request.body.includes("0101") && !controller.signal.aborted) controller.abort();
    else accept(response, request);
  });
  const { run } = scene(answering);
  await run(["--concurrency", "1"], { signal: controller.signal });
  const rotated = { env: { ...answering.env, MSGCTL_API_KEY: "mkt_test_rotated" } };
  const paused = new AbortController();
  const onWrite = () => paused.abort();
  await run(["--same-account", "--concurrency", "1"], { ...rotated, signal: paused.signal, onWrite });
  expect((await run([], rotated)).exitCode).toBe(0);
  expect(new Set(keysIn(answering.received)).size).toBe(3);
});

it("sends nothing if there are journals of an earlier format", async () => {
  const answering = await service(accept);
  const { cwd, run } = scene(answering);
  const journals = join(cwd, ".config", "msgctl", "bulk");
  mkdirSync(journals, { recursive: true });
  writeFileSync(join(journals, `${"0".repeat(40)}.jsonl`), '{"begunAtMs":1000}\n');
  expect(await run()).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("which identified rows by their position"),
  });
  expect(answering.received).toEqual([]);
});

it("refuses to run a list while another run of it is in progress", async () => {
  let second: Awaited<ReturnType<typeof msgctl>> | undefined;
  const answering = await service(async (response, request) => {
    if (second === undefined && request.body.includes("0100")) second = await run();
    accept(response, request);
  });
  const { run } = scene(answering);
  expect((await run(["--concurrency", "1"])).exitCode).toBe(0);
  expect(second).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("this list is being sent already") });
  expect(answering.received).toHaveLength(3);
});

/** Returns the folder of the journals of the only operation that ran here. */
function findJournals(cwd: string): string {
  const bulkFolder = join(cwd, ".config", "msgctl", "bulk");
  return join(bulkFolder, readdirSync(bulkFolder)[0] ?? "");
}

/** Returns the path of the lock of the only list that ran here. */
function findLock(cwd: string): string {
  const journals = findJournals(cwd);
  return join(journals, readdirSync(journals).find((name) => name.endsWith(".locked")) ?? "");
}

it.each([
  ["the next row", accept, 2],
  ["the same row", (response: ServerResponse) => refuse(response, 503, "unavailable"), 3],
])("stops before it sends %s if another run has taken the list over", async (_, answer, openCount) => {
  let other: Lock | undefined;
  const answering = await service((response, request) => {
    other ??= seize(findLock(cwd), readMark(findLock(cwd)));
    if (answering.received.length === 1) answer(response, request);
    else accept(response, request);
  });
  const { cwd, run } = scene(answering);
  const argv = ["send", "bulk", "list.csv", "--channel", "SMS", "-y", "--concurrency", "1", "--retries", "3"];
  const ended = await msgctl(argv, { cwd, env: answering.env, catalog });
  expect([ended.exitCode, answering.received.length]).toEqual([8, 1]);
  expect(ended.stderr).toContain("error: another msgctl has taken over this list");
  expect(ended.stderr).toContain(`stopped with ${openCount} rows open`);
  expect(other?.renew()).toBe(true);
  other?.release();
  expect(await run()).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("3 rows: 3 done") });
  expect(answering.received).toHaveLength(1 + openCount);
});

it("leaves the file of failed rows to the run that has taken the list over", async () => {
  const answering = await service((response) => {
    if (answering.received.length === 3) seize(findLock(cwd), readMark(findLock(cwd)));
    refuse(response, 409, "consent_required");
  });
  const { cwd, run } = scene(answering);
  expect((await run(["--concurrency", "1"])).exitCode).toBe(8);
  expect(existsSync(join(cwd, "list.failed.csv"))).toBe(false);
});

it("resumes a killed run, even one from another container, from another host, or from before a reboot", async () => {
  let isDown = true;
  const answering = await service((response, request) => {
    if (answering.received.length === 1) lock = findLock(cwd);
    if (isDown && request.body.includes("0102")) refuse(response, 503, "unavailable");
    else accept(response, request);
  });
  let lock = "";
  const { cwd, run } = scene(answering);
  await run();
  isDown = false;
  mkdirSync(lock);
  writeFileSync(join(lock, `${crypto.randomUUID()}.7`), "");
  const clock = { ...systemClock, pause: async () => {} };
  const again = await run([], { clock });
  expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("3 done (2 by an earlier run)") });
  expect(existsSync(lock)).toBe(false);
});

it("writes the file of failed rows even if a killed run left half of it", async () => {
  const answering = await service((response) => refuse(response, 409, "consent_required"));
  const { cwd, run } = scene(answering);
  await run();
  rmSync(join(cwd, "list.failed.csv"));
  writeFileSync(join(cwd, `list.failed.csv.${basename(findJournals(cwd))}.partial`), "Merchant");
  await run();
  expect(readdirSync(cwd).filter((name) => name.startsWith("list"))).toEqual(["list.csv", "list.failed.csv"]);
});

it("retries failed rows when a run is resumed, and writes the rows that fail again", async () => {
  let isDown = true;
  const answering = await service((response, request) => {
    if (isDown && request.body.includes("0102")) return refuse(response, 503, "unavailable");
    return refuse(response, 409, "consent_required");
  });
  const { cwd, run } = scene(answering);
  expect((await run()).stderr).toContain("3 rows: 0 done, 2 failed, 1 open.");
  isDown = false;
  expect((await run()).stderr).toContain("3 rows: 0 done, 3 failed, 0 open.");
  expect(answering.received).toHaveLength(6);
  expect(readFileSync(join(cwd, "list.failed.csv"), "utf8").split("\n")).toHaveLength(5);
});

it.each([
  ["does not answer", 503, "unavailable"],
  ["is still processing the request", 409, "idempotency_in_progress"],
  ["asks for a pause of an hour", 429, "rate_limited", { "retry-after": "3600" }],
])("keeps a row open, with its key, if the service %s", async (_, status, code, headers?: Record<string, string>) => {
  let isDown = true;
  const answering = await service((response, request) =>
    isDown && request.body.includes("0101") ? refuse(response, status, code, headers) : accept(response, request),
  );
  const { cwd, run } = scene(answering);
  const ended = await run();
  expect(ended).toMatchObject({ exitCode: 8, stderr: expect.stringContaining("2 done, 0 failed, 1 open.") });
  expect(ended.stderr).toContain("Run the same command again");
  expect(existsSync(join(cwd, "list.failed.csv"))).toBe(false);
  isDown = false;
  expect((await run()).exitCode).toBe(0);
  expect(answering.received).toHaveLength(4);
  expect(keysIn(answering.received.filter(({ body }) => body.includes("0101")))).toEqual(
    Array(2).fill(expect.stringMatching(/^bulk-r1-[0-9a-f]{32}-0$/)),
  );
});

it.each([
  [401, "credentials_revoked", 3, []],
  [403, "merchant_scope_denied", 3, ["--set", "merchantId=m1", "--map", "merchant id="]],
  [403, "tenant_mismatch", 3, []],
  [404, "route_not_found", 4, []],
])("stops at the first reply %i %s, and says how to resume", async (status, code, exitCode, argv) => {
  const answering = await service((response) => refuse(response, status, code));
  const { cwd, run } = scene(answering);
  const ended = await run(["--concurrency", "1", ...argv]);
  expect(ended).toMatchObject({ exitCode, stderr: expect.stringContaining("0 done, 0 failed, 3 open.") });
  expect(ended.stderr).toContain(`error: This is ${code}.; stopped with 3 rows open (${code}, HTTP ${status})`);
  expect(ended.stderr).toContain("Run the same command again");
  expect(answering.received).toHaveLength(1);
  expect(existsSync(join(cwd, "list.failed.csv"))).toBe(false);
});

/** Starts a service that accepts rows of a merchant until its units are used up. */
function metered(units: Record<string, number>, code = "quota_exceeded", status = 402) {
  return (response: ServerResponse, request: Received) => {
    const { merchantId } = JSON.parse(request.body);
    const available = units[merchantId] ?? 0;
    units[merchantId] = Math.max(0, available - 1);
    if (available > 0) return accept(response, request);
    const told = { available, required: 1, channel: "SMS", detail: `${merchantId} has none left.` };
    reply(response, status, { type: "about:blank", title: code, status, code, errors: [], ...told });
  };
}

const listOf = (count: number, merchantOf: (row: number) => string) =>
  `merchantId,to,message,type\n${Array.from({ length: count }, (_, row) => `${merchantOf(row)},+1202555${String(row).padStart(4, "0")},Hello,OTP\n`).join("")}`;

it("starts no more rows after the quota is used up, waits for rows in flight, and can be resumed", async () => {
  const units: Record<string, number> = { m1: 40 };
  const answering = await service(metered(units));
  const { cwd, run } = scene(
    answering,
    listOf(200, () => "m1"),
  );
  const ended = await run(["--concurrency", "16"]);
  expect(ended).toMatchObject({
    exitCode: 8,
    stderr: expect.stringContaining("200 rows: 40 done, 0 failed, 160 open."),
  });
  const asked = answering.received.length - 40;
  expect(asked).toBeLessThanOrEqual(16);
  expect(ended.stderr).toContain(`error: 200 rows: 160 open, ${160 - asked} of them not started`);
  expect(ended.stderr).toMatch(/quota_exceeded: (\d+ rows, the first in )?line \d+: m1 has none left\./);
  expect(ended.stderr).toContain("`msgctl billing upgrade --merchant-id m1 --channel SMS --units 1`");
  expect(ended.stderr).toContain("Run the same command again");
  expect(existsSync(join(cwd, "list.failed.csv"))).toBe(false);
  units.m1 = 1000;
  const again = await run();
  expect(again.stderr).toMatch(
    /^40 rows are done by the run of .*, which continues\.\n200 rows: 200 done \(40 by an earlier run\), 0/,
  );
  expect(again.exitCode).toBe(0);
  expect(new Set(keysIn(answering.received)).size).toBe(200);
  expect(answering.received).toHaveLength(200 + asked);
});

it("stops when the quota is used up if the command line names the merchant of all rows", async () => {
  const answering = await service(metered({ m1: 2 }));
  const list = listOf(60, () => "x")
    .replaceAll(/^x,/gm, "")
    .replace("merchantId,", "");
  const ended = await scene(answering, list).run(["--concurrency", "1", "--set", "merchantId=m1"]);
  expect([ended.exitCode, answering.received.length]).toEqual([8, 3]);
  expect(ended.stderr).toContain("60 rows: 58 open, 57 of them not started");
});

it.each([
  ["quota_exceeded", 402],
  ["merchant_inactive", 403],
  ["merchant_scope_denied", 403],
])("continues with the rows of other merchants after a reply of %s", async (code, status) => {
  const answering = await service(metered({ m1: 3, m2: 1000 }, code, status));
  const { run } = scene(
    answering,
    listOf(100, (row) => (row % 2 === 0 ? "m1" : "m2")),
  );
  const ended = await run(["--concurrency", "1", "-o", "json"]);
  expect(ended.exitCode).toBe(8);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    ...{ rows: 100, done: 53, failed: 0, open: 47, failedFile: null },
    failures: [{ code, count: 1, row: 7, line: 8, reason: "m1 has none left." }],
  });
  expect(answering.received).toHaveLength(54);
});

it("calls the service for every row while units are left for a shorter message", async () => {
  const answering = await service((response, request) => {
    const { message } = JSON.parse(request.body);
    if (message !== "Two") return accept(response, request);
    reply(response, 402, { status: 402, title: "No", code: "quota_exceeded", available: 1, required: 2, errors: [] });
  });
  const ended = await scene(answering).run(["--concurrency", "1"]);
  expect(ended).toMatchObject({ exitCode: 8, stderr: expect.stringContaining("2 done, 1 failed, 0 open.") });
  expect(answering.received).toHaveLength(3);
});

it("treats an unknown merchant as a failed row if the row names it, and stops if the command line names it", async () => {
  const answering = await service((response) => refuse(response, 404, "merchant_not_found"));
  expect((await scene(answering).run()).stderr).toContain("0 done, 3 failed, 0 open.");
  expect(answering.received).toHaveLength(3);
  const named = await scene(answering).run(["--concurrency", "1", "--map", "merchant id=", "--set", "merchantId=m1"]);
  expect(named).toMatchObject({ exitCode: 8, stderr: expect.stringContaining("0 done, 0 failed, 3 open.") });
  expect(named.stderr).toContain("`msgctl merchants upsert --merchant-id m1");
  expect(answering.received).toHaveLength(4);
});

it("waits for the rows in flight when it stops", async () => {
  const held: (() => void)[] = [];
  const answering = await service((response, request) => {
    const isRevoked = request.body.includes("0102");
    held.push(() => (isRevoked ? refuse(response, 401, "credentials_revoked") : accept(response, request)));
    if (isRevoked) held.unshift(...held.splice(-1));
    // when all requests are in flight, send only the refusal
    if (held.length === 3) held.shift()?.();
  });
  // answer the others after the refusal was printed
  const onWrite = (name: string) => {
    if (name === "stdout") for (const answer of held.splice(0)) answer();
  };
  const ended = await scene(answering).run(["-o", "jsonl"], { onWrite });
  expect(ended).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("3 rows: 2 done, 0 failed, 1 open.") });
  const lines = ended.stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).ok)).toEqual([false, true, true]);
  const failure = JSON.parse(ended.stderr.split("\n")[1] ?? "");
  expect(failure).toMatchObject({
    code: "credentials_revoked",
    errors: [{ count: 1, row: 3, line: 4 }],
    created: null,
  });
});

it("says why rows failed, most frequent reason first, each with its first row and remedy", async () => {
  const answering = await service((response, request) => {
    const row = Number(JSON.parse(request.body).to.slice(-4));
    if (row % 10 === 3) refuse(response, 409, "consent_opted_out");
    else if (row % 2 === 1) refuse(response, 409, "consent_required");
    else if (row === 8) refuse(response, 503, "unavailable");
    else accept(response, request);
  });
  const { run } = scene(
    answering,
    listOf(40, () => "m1"),
  );
  const first = await run();
  expect(first.stderr).toContain("40 rows: 19 done, 20 failed, 1 open.");
  const said = [
    "  consent_required: 16 rows, the first in line 3: This is consent_required.",
    "  consent_opted_out: 4 rows, the first in line 5: This is consent_opted_out.",
    "  unavailable: line 10: This is unavailable.",
    "hint: If the recipient agreed, record the consent first: `msgctl consent record --merchant-id m1 --channel SMS --contact +12025550001 --status OPT_IN`.",
  ];
  expect(first.stderr).toContain(said.join("\n"));
});

it("stops if the service answers no row, and says how to resume", async () => {
  const answering = await service((response) => refuse(response, 503, "unavailable"));
  const rows = Array.from({ length: 200 }, (_, index) => `m1,+12025550100,Message ${index},OTP`);
  const { run } = scene(answering, `merchantId,to,message,type\n${rows.join("\n")}\n`);
  const ended = await run(["--concurrency", "2"]);
  expect(ended).toMatchObject({ exitCode: 5, stderr: expect.stringContaining("200 open") });
  expect(ended.stderr).toContain("Run the same command again");
  expect(answering.received.length).toBeLessThan(30);
});

it("continues if the service answers some rows in between", async () => {
  const answering = await service((response, request) => {
    const row = Number(JSON.parse(request.body).to.slice(-4));
    if (row % 2 === 0) refuse(response, 503, "unavailable");
    else accept(response, request);
  });
  const { run } = scene(
    answering,
    listOf(80, () => "m1"),
  );
  const ended = await run(["--concurrency", "1"]);
  expect(ended).toMatchObject({ exitCode: 8, stderr: expect.stringContaining("80 rows: 40 done, 0 failed, 40 open.") });
  expect(answering.received).toHaveLength(80);
});

it("exits with 130 when interrupted, and resumes when the command is repeated", async () => {
  const controller = new AbortController();
  const answering = await service((response, request) => {
    if (request.body.includes("0101") && !controller.signal.aborted) controller.abort();
    else accept(response, request);
  });
  const { run } = scene(answering);
  const ended = await run(["--concurrency", "1"], { signal: controller.signal });
  expect(ended).toMatchObject({ exitCode: 130, stderr: expect.stringContaining("1 done, 0 failed, 2 open.") });
  expect(ended.stderr).toContain("Run the same command again");
  expect((await run()).exitCode).toBe(0);
  expect(recipients(answering)).toEqual(["+12025550100", "+12025550101", "+12025550101", "+12025550102"]);
});

it("writes rows that were refused before an interruption to the failed file", async () => {
  const controller = new AbortController();
  const answering = await service((response, request) => {
    if (request.body.includes("0100")) refuse(response, 409, "consent_required");
    else controller.abort();
  });
  const { cwd, run } = scene(answering);
  const ended = await run(["--concurrency", "1"], { signal: controller.signal });
  expect(ended).toMatchObject({ exitCode: 130, stderr: expect.stringContaining("0 done, 1 failed, 2 open.") });
  expect(ended.stderr).toMatch(/Correct the failed rows in \S*list\.failed\.csv/);
  expect(readFileSync(join(cwd, "list.failed.csv"), "utf8").trimEnd().split("\n")).toHaveLength(2);
});

it("reads a list from standard input, and recognises it the next time", async () => {
  const answering = await service(accept);
  const cwd = folder();
  const run = () =>
    msgctl(["send", "bulk", "-", "--channel", "SMS", "-y"], { cwd, env: answering.env, catalog, stdin: LIST });
  expect((await run()).exitCode).toBe(0);
  expect((await run()).stderr).toContain("all 3 rows went out on");
  expect(answering.received).toHaveLength(3);
});

it("reports every invalid row by its line, and sends nothing", async () => {
  const answering = await service(accept);
  const { run } = scene(answering, `${LIST}m1,12025550103,"a\nb",OTP\nm1,+12025550104,,OTPS\nm1,+1202\n`);
  const { exitCode, stderr } = await run();
  expect([exitCode, answering.received.length]).toEqual([2, 0]);
  expect(stderr).toContain("3 of 6 rows are not valid; nothing was sent");
  for (const said of [
    'line 5, to: received "12025550103"; expected a phone number',
    "line 7, message: missing",
    'line 7, type: received "OTPS"; expected one of',
    "line 8: has 2 cells; the header has 4",
  ])
    expect(stderr).toContain(said);
});

it("shows only the first fifty invalid rows", async () => {
  const { run } = scene(await service(accept), `merchantId,to,message,type\n${"m1,1,x,OTP\n".repeat(60)}`);
  const { stderr } = await run();
  expect(stderr.match(/line \d+, to/g)).toHaveLength(50);
  expect(stderr).toContain("10 more are wrong");
});

it.each([
  ["a field without a column", "to,message,type\n+12025550100,x,OTP\n", [], 9, "merchantId: no column fills it"],
  ["no rows", "merchantId,to,message,type\n", [], 2, "list.csv holds no rows"],
  ["nothing", "", [], 2, "list.csv holds no rows"],
  ["another column", "merchantId,to,message,typ\n", [], 2, "did you mean type?"],
  ["a concurrency out of range", LIST, ["--concurrency", "0"], 2, "--concurrency: received"],
  ["another format", LIST, ["-o", "yaml"], 2, "expected one of table, json, jsonl"],
  ["--curl", LIST, ["--curl"], 2, "--curl: shows one request"],
  ["-v", LIST, ["-v"], 2, "--verbose: traces one request"],
  ["--query", LIST, ["--query", "[0]"], 2, "--query: works on one response"],
])("refuses %s", async (_, list, argv, exitCode, said) => {
  const answering = await service(accept);
  const ended = await scene(answering, list).run(argv);
  expect([ended.exitCode, ended.stderr, answering.received]).toEqual([exitCode, expect.stringContaining(said), []]);
});

it.each([
  [["send", "bulk", "list.csv"], 9, "--channel: missing"],
  [["send", "bulk", "list.csv", "--channel", "FAX"], 2, "expected one of SMS, VOICE, EMAIL"],
  [["send", "bulk", "none.csv", "--channel", "SMS"], 2, "there is no such file"],
  [["send", "bulk", ".", "--channel", "SMS"], 2, "it is a folder"],
  [["send", "bulk", "list.csv", "--channel", "SMS"], 9, "3 rows (3 segments) of list.csv, as SMS, at http://"],
])("exits with the right code for %j: %i", async (argv, exitCode, said) => {
  const answering = await service(accept);
  const { cwd } = scene(answering);
  const ended = await msgctl(argv, { cwd, env: answering.env, catalog });
  expect([ended.exitCode, ended.stderr, answering.received]).toEqual([exitCode, expect.stringContaining(said), []]);
});

it.each([
  ["y", 0, 3],
  ["n", 130, 0],
])("asks for confirmation once on a terminal: %s", async (key, exitCode, count) => {
  const answering = await service(accept);
  const { cwd } = scene(answering);
  const ended = await msgctl(["send", "bulk", "list.csv", "--channel", "SMS"], {
    ...{ cwd, env: answering.env, catalog, terminal: 200 },
    dialogue: [["Go ahead?", `${key}\r`]],
  });
  expect([ended.exitCode, answering.received.length]).toEqual([exitCode, count]);
  expect(ended.stderr).toContain("Send 3 rows (3 segments) of list.csv, as SMS, at http://");
});

it.each([
  ["json", '{"rows":3,'],
  ["yaml", "3 rows (3 segments) would be sent, as SMS."],
])("uses the preset format %s, or the default if the command does not support it", async (format, stdout) => {
  const { cwd, run } = scene(await service(accept));
  const preset = { HOME: cwd, MSGCTL_OUTPUT: format };
  expect(await run(["--dry-run"], { env: preset })).toMatchObject({
    ...{ exitCode: 0, stdout: expect.stringContaining(stdout) },
  });
});

it("with --dry-run, checks the list without a credential and sends nothing", async () => {
  const answering = await service(accept);
  const { cwd, run } = scene(answering);
  const plain = await run(["--dry-run"], { env: {} });
  expect(plain).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("Each segment is charged to the account."),
  });
  expect(JSON.parse((await run(["--dry-run", "-o", "json"])).stdout)).toMatchObject({ rows: 3, isCharged: true });
  expect(answering.received).toEqual([]);
  expect(readdirSync(cwd)).toEqual(["list.csv"]);
});

it("does not send open rows if the service may have forgotten their keys", async () => {
  const answering = await service((response, request) =>
    request.body.includes("0101") ? refuse(response, 503, "unavailable") : accept(response, request),
  );
  const { run } = scene(answering);
  await run();
  const after = (hours: number) => ({ ...systemClock, now: () => Date.now() + hours * 60 * 60 * 1000 });
  await run([], { clock: after(3 * 24 - 1) });
  expect(answering.received).toHaveLength(4);
  const late = { clock: after(3 * 24 + 1) };
  expect(await run([], late)).toMatchObject({
    ...{ exitCode: 2, stderr: expect.stringContaining("too long ago to resend safely") },
  });
  expect(answering.received).toHaveLength(4);
  await run(["--resend-open"], late);
  expect(answering.received).toHaveLength(5);
});

it.each([
  ["only the one that is new", "\r", 1],
  ["nothing", "\u001b[B\r", 0],
  ["all 3 again", "\u001b[B\u001b[B\r", 3],
])("asks at a terminal what to do with rows sent before: %s", async (_, keys, sent) => {
  const answering = await service(accept);
  const { cwd, run } = scene(answering);
  await run();
  mend(join(cwd, "list.csv"), "0102,Three", "0109,Nine");
  const { length } = answering.received;
  const ended = await msgctl(["send", "bulk", "list.csv", "--channel", "SMS"], {
    ...{ cwd, env: { NO_COLOR: "1", ...answering.env }, catalog, terminal: 200 },
    dialogue: [
      ["Send", keys],
      ["Go ahead?", "y\r"],
    ],
  });
  expect(ended.stderr).toMatch(/2 of these 3 rows went out on \d+ \w+ \d+, \d\d:\d\d; 1 is new\./);
  expect(answering.received.length - length).toBe(sent);
  expect(ended.exitCode).toBe(sent === 0 ? 130 : 0);
});

it("asks about recipients who got another text from a list of this name", async () => {
  const answering = await service(accept);
  const { cwd, run } = scene(answering);
  await run();
  mend(join(cwd, "list.csv"), "Two", "Two mended");
  const ended = await run();
  expect(ended).toMatchObject({
    exitCode: 9,
    stderr: expect.stringContaining("1 recipient got another text from a list of this name"),
  });
  const left = await run(["--only-new"]);
  expect(left).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining("3 rows: 2 done (2 by an earlier run), 0 failed, 1 left out"),
  });
  expect(answering.received).toHaveLength(3);
  expect((await run(["--run", "mended"])).exitCode).toBe(0);
  expect(answering.received).toHaveLength(6);
});

it("resumes an interrupted deliberate repeat without a question", async () => {
  const answering = await service(accept);
  const { cwd, run } = scene(answering);
  await run();
  const cut = new AbortController();
  const world = { cwd, env: { NO_COLOR: "1", ...answering.env }, catalog, terminal: 200 };
  const argv = ["send", "bulk", "list.csv", "--channel", "SMS", "--concurrency", "1"];
  const onWrite = (name: string) => void (name === "stdout" && cut.abort());
  const dialogue = [
    ["Send", "\u001b[B\r"],
    ["Go ahead?", "y\r"],
  ] as const;
  await msgctl([...argv, "-o", "jsonl"], { ...world, signal: cut.signal, onWrite, dialogue });
  const { length } = answering.received;
  expect(length).toBeLessThan(6);
  expect(await run()).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("which continues") });
  expect(answering.received.length).toBeGreaterThanOrEqual(6);
  expect(new Set(keysIn(answering.received)).size).toBe(6);
});

it.each([
  ["in another order", "list.csv", (rows: string[]) => rows.toReversed()],
  ["under another name", "other.csv", (rows: string[]) => rows.slice(0, 2)],
])("does not resend a row whose outcome can no longer be looked up, %s", async (_, name, edit) => {
  const cut = new AbortController();
  const answering = await service((response) => {
    cut.abort();
    response.destroy();
  });
  const { cwd, run } = scene(answering);
  await run(["--concurrency", "1"], { signal: cut.signal });
  const [header = "", ...rows] = LIST.trimEnd().split("\n");
  writeFileSync(join(cwd, name), [header, ...edit(rows), ""].join("\n"));
  const clock = { ...systemClock, now: () => Date.now() + 8 * 24 * 60 * 60 * 1000 };
  const ended = await bulk(name, { cwd, env: answering.env, clock });
  expect(ended).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("1 row without a known outcome may have been done"),
  });
  expect(answering.received).toHaveLength(1);
});

it("reports a row that another run may have sent", async () => {
  const cut = new AbortController();
  const answering = await service((response, request) => {
    if (cut.signal.aborted) return accept(response, request);
    cut.abort();
    response.destroy();
  });
  const { run } = scene(answering);
  await run(["--concurrency", "1", "--run", "april"], { signal: cut.signal });
  const ended = await run();
  expect(ended.exitCode).toBe(9);
  expect(ended.stderr).toMatch(/1 of these 3 rows went out on [^;]*, or may have; 2 are new; nothing was sent/);
  expect(answering.received).toHaveLength(1);
});

it("names the folder that cannot be written, and sends nothing", async () => {
  const answering = await service(accept);
  const { cwd, run } = scene(answering);
  writeFileSync(join(cwd, "file"), "");
  const ended = await run([], { env: { ...answering.env, XDG_CONFIG_HOME: join(cwd, "file") } });
  expect(ended.stderr).toMatch(
    /^error: \S*file\S* cannot be written \(ENOTDIR\); nothing was sent\nhint: A part of the path is a file, .*XDG_CONFIG_HOME/,
  );
  expect([ended.exitCode, answering.received]).toEqual([2, []]);
});
