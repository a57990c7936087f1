/** Tests --wait with an invented operation. Every operation with a wait recipe in the contract has the flag. */
import { describe, expect, it } from "vitest";
import { catalog } from "../catalog.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { parcels } from "../testing/parcels.ts";
import { msgctl, reply, service, type World } from "../testing/world.ts";

const SEND = ["parcels", "send", "north", "--kind", "BOX", "--phone", "+12025550100", "-y", "--retries", "0"];

/** A depot whose parcel goes through the states and keeps the last one. A number is the HTTP status of an error. */
async function depot(states: readonly (string | number)[], created: object = { parcelId: 7, status: "QUEUED" }) {
  let reads = 0;
  const answering = await service((response, { method }) => {
    if (method === "POST") return reply(response, 200, created);
    const status = states[Math.min(reads, states.length - 1)];
    reads += 1;
    if (typeof status === "string") return reply(response, 200, { parcelId: 7, status, stops: reads, place: "B" });
    return reply(response, status ?? 500, { code: "gone", status, title: "No.", detail: "It is gone." });
  });
  const clock = createFakeClock();
  const run = (argv: readonly string[] = [], world: Partial<World> = {}) =>
    msgctl([...SEND, "--wait", ...argv], { env: { ...answering.env, NO_COLOR: "1" }, clock, ...world });
  return { ...answering, clock, run };
}

const ACCEPTED = "Accepted as parcelId 7; waiting for it to finish.\n";

describe("--wait", () => {
  it("polls with longer and longer pauses, and prints the last state", async () => {
    const { run, clock, received } = await depot(["QUEUED", "QUEUED", "QUEUED", "ARRIVED"]);
    expect(await run()).toEqual({
      exitCode: 0,
      stdout: "parcelId  7\nstatus    ARRIVED\nstops     4\nplace     B\n",
      stderr: ACCEPTED,
    });
    expect(clock.pauses).toEqual([1000, 1500, 2250]);
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /depots/north/parcels",
      ...Array.from({ length: 4 }, () => "GET /parcels/7"),
    ]);
    expect(received[1]?.headers["idempotency-key"]).toBeUndefined();
  });

  it("accepts the fields of the polled answer for --columns", async () => {
    const { run } = await depot(["ARRIVED"]);
    expect((await run(["--columns", "place", "-o", "csv"])).stdout).toBe("place\nB\n");
    expect((await run(["--query", "stops", "-o", "json"])).stdout).toBe("2\n");
    const refused = await run(["--columns", "size.litres"]);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("expected names from parcelId")]);
  });

  it("exits with 8 if the final state is a failure, and still prints the state", async () => {
    const ended = await (await depot(["LOST"])).run(["-o", "json", "--quiet"]);
    expect([ended.exitCode, JSON.parse(ended.stdout)]).toEqual([8, expect.objectContaining({ status: "LOST" })]);
    expect(JSON.parse(ended.stderr)).toMatchObject({
      ...{ code: "work_failed", exitCode: 8, created: { parcelId: 7 } },
      hints: ["Look at it with `msgctl parcels get 7`."],
    });
  });

  it("exits with 10 at the deadline, and says how to resume", async () => {
    const { run, clock } = await depot(["QUEUED"]);
    const late = await run(["--wait-timeout", "2"]);
    expect(late).toMatchObject({ exitCode: 10, stdout: "" });
    expect(late.stderr.split("\n")).toEqual([
      ACCEPTED.trim(),
      "error: parcelId 7 was still QUEUED after 2 s; msgctl stopped waiting, the work continues",
      "hint: Check it again with `msgctl parcels get 7`.",
      "",
    ]);
    expect(clock.pauses).toEqual([1000, 1000]);
  });

  it("names the command that follows the work, for the same service", async () => {
    const { run, baseUrl } = await depot(["QUEUED"]);
    const [group] = parcels.definedGroups;
    const commands = (group?.commands ?? []).map((entry) => ({ ...entry, follows: "getParcel" }));
    const catalog = { ...parcels, definedGroups: [{ name: "parcels", commands }] };
    const ended = await run(["--wait-timeout", "1", "--base-url", baseUrl], { catalog });
    expect(ended.stderr).toContain(`\`msgctl parcels scan 7 --base-url ${baseUrl}\``);
  });

  it.each([
    [404, 4, "It is gone."],
    [401, 3, "It is gone."],
  ])("names the created object if a read fails with %i", async (status, exitCode, said) => {
    const ended = await (await depot(["QUEUED", status])).run(["-o", "json", "--quiet"]);
    expect([ended.exitCode, ended.stdout]).toEqual([exitCode, ""]);
    const { message, created, hints } = JSON.parse(ended.stderr);
    expect([message, created]).toEqual([`parcelId 7 was accepted, but: ${said}`, { parcelId: 7 }]);
    expect(hints).toContain("Look at it with `msgctl parcels get 7`.");
  });

  it("continues after transient failures, and reports them once", async () => {
    const { run } = await depot([503, 500, 429, "QUEUED", "ARRIVED"]);
    const ended = await run();
    expect([ended.exitCode, ended.stderr]).toEqual([
      0,
      `${ACCEPTED}The service does not respond at the moment (It is gone); trying again.\nThe service responds again.\n`,
    ]);
  });

  it("ends at once on an interruption, while the work continues", async () => {
    const controller = new AbortController();
    const { run } = await depot(["QUEUED"]);
    const clock = createFakeClock((_, nowMs) => nowMs > Date.parse("2026-03-01T12:00:02Z") && controller.abort());
    const ended = await run([], { clock, signal: controller.signal });
    expect(ended).toMatchObject({ exitCode: 130, stdout: "" });
    expect(ended.stderr).toContain(
      "interrupted while parcelId 7 was QUEUED; msgctl stopped waiting, the work continues",
    );
    expect(ended.stderr).toContain("hint: Check it again with `msgctl parcels get 7`.");
  });

  it("shows one line on a terminal, and clears it at the end", async () => {
    const { run } = await depot(["QUEUED", "ARRIVED"]);
    const { stderr } = await run([], { terminal: 80 });
    expect(stderr).toBe(
      `${ACCEPTED}\r\u001b[KQUEUED, parcelId 7, stops 1 (0 s)\r\u001b[KARRIVED, parcelId 7, stops 2 (1 s)\r\u001b[K`,
    );
  });

  it("says that it cannot wait if the answer has no id, and prints the answer", async () => {
    const ended = await (await depot(["QUEUED"], { status: "QUEUED" })).run(["-o", "jsonl"]);
    expect([ended.exitCode, ended.stdout]).toEqual([5, '{"status":"QUEUED"}\n']);
    expect(ended.stderr).toContain("the response has no parcelId");
  });

  it("keeps an identifier that a double cannot hold", async () => {
    const answering = await service((response, { method, url }) => {
      response.writeHead(200, { "content-type": "application/json" });
      const status = method === "POST" ? "QUEUED" : "LOST";
      response.end(`{"parcelId":9223372036854775807,"status":"${status}","place":"${url}"}`);
    });
    const ended = await msgctl([...SEND, "--wait", "-o", "json"], { env: answering.env, clock: createFakeClock() });
    expect(ended.stdout).toContain("/parcels/9223372036854775807");
    expect(ended.stderr).toContain('"parcelId": "9223372036854775807"');
  });
});

describe("the flags of --wait", () => {
  it("have no effect with --dry-run and --curl", async () => {
    const { run, received } = await depot(["ARRIVED"]);
    for (const preview of ["--dry-run", "--curl"]) {
      const ended = await run([preview, "--wait-timeout", "9"]);
      expect([ended.exitCode, ended.stdout]).toEqual([0, expect.stringContaining("/depots/north/parcels")]);
    }
    expect(received).toEqual([]);
  });

  it("are in the help and in the completion", async () => {
    const help = await msgctl(["parcels", "send", "--help"]);
    for (const flag of ["--wait ", "--wait-timeout seconds", "exit with 10 after that. (default 1800)"])
      expect(help.stdout.replace(/\s+/g, " ")).toContain(flag);
    expect((await msgctl(["parcels", "list", "--help"])).stdout).not.toContain("--wait");
    expect((await msgctl(["completion", "bash"], { catalog: catalog })).stdout).toMatch(
      /'tts create'\) offer='[^']*--wait --wait-timeout/,
    );
  });

  it.each([
    [["--wait-timeout", "5"], "limits a wait; also give --wait"],
    [["--wait", "--wait-timeout", "soon"], 'received "soon"; expected seconds'],
  ])("%j is refused before anything is sent", async (argv, said) => {
    const { env, received } = await depot(["ARRIVED"]);
    const ended = await msgctl([...SEND, ...argv], { env });
    expect([ended.exitCode, ended.stderr]).toEqual([2, expect.stringContaining(said)]);
    expect(received).toEqual([]);
  });
});
