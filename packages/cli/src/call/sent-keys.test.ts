import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, msgctl, reply, SECRET, service } from "../testing/world.ts";

const send = ["parcels", "send", "north", "--kind", "BOX", "--phone", "+12025550100", "-y"];
const keysOf = (cwd: string) => join(cwd, ".config/msgctl/keys.jsonl");
const noted = (cwd: string) =>
  readFileSync(keysOf(cwd), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("the key of a write", () => {
  it("is recorded before the request is sent, with the command but without its values", async () => {
    const cwd = folder();
    const seen: unknown[] = [];
    const { env, baseUrl, received } = await service((response) => {
      seen.push(noted(cwd));
      reply(response, 200, { parcelId: "p1" });
    });
    expect((await msgctl(send, { cwd, env })).exitCode).toBe(0);
    const idempotencyKey = received[0]?.headers["idempotency-key"];
    const line = { at: expect.stringMatching(/^\d{4}-.*Z$/), command: "parcels send", baseUrl, idempotencyKey };
    expect([seen, noted(cwd)]).toEqual([[[line]], [line]]);
    expect(readFileSync(keysOf(cwd), "utf8")).not.toMatch(new RegExp(`${SECRET}|1202555|north|BOX`));
    if (process.platform !== "win32") expect(statSync(keysOf(cwd)).mode & 0o777).toBe(0o600);
  });

  it("is that of --idempotency-key, recorded only once for all retries", async () => {
    const cwd = folder();
    const { env, received } = await service((response) => {
      if (received.length === 1) reply(response, 503, { code: "unavailable" }, { "retry-after": "0" });
      else reply(response, 200, {});
    });
    expect((await msgctl([...send, "--idempotency-key", "order 417"], { cwd, env })).exitCode).toBe(0);
    expect([received.length, noted(cwd).map((line) => line.idempotencyKey)]).toEqual([2, ["order 417"]]);
  });

  it("is printed when the answer cannot be shown", async () => {
    const { env, received } = await service((response) => reply(response, 200, { parcelId: "p1" }));
    const argv = [...send, "-o", "json", "-q", "abs(parcelId)"];
    const { exitCode, stderr } = await msgctl(argv, { env });
    const { code, idempotencyKey } = JSON.parse(stderr);
    expect([exitCode, code, idempotencyKey]).toEqual([1, "query_failed", received[0]?.headers["idempotency-key"]]);
  });

  it("goes to a new file when the old one is full, and the newest nine files are kept", async () => {
    const cwd = folder();
    const home = join(cwd, ".config/msgctl");
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const full = `{"idempotencyKey":"old"}\n`.repeat(1_500);
    const former = Array.from({ length: 10 }, (_, day) => `keys.202601${10 + day}T000000000Z-1.jsonl`);
    for (const name of former) writeFileSync(join(home, name), full);
    writeFileSync(keysOf(cwd), full);
    const { env } = await service((response) => reply(response, 200, {}));
    await msgctl([...send, "--idempotency-key", "first"], { cwd, env });
    await msgctl([...send, "--idempotency-key", "second"], { cwd, env });
    expect(noted(cwd).map((line) => line.idempotencyKey)).toEqual(["second"]);
    const names = readdirSync(home).filter((name) => name.startsWith("keys."));
    expect(names.filter((name) => former.includes(name)).sort()).toEqual(former.slice(3));
    const [aside = ""] = names.filter((name) => name !== "keys.jsonl" && !former.includes(name));
    expect(readFileSync(join(home, aside), "utf8").trimEnd().split("\n").at(-1)).toContain('"first"');
  });

  it("does not prevent a send if it cannot be recorded, and is not recorded for a read", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, ".config"), "");
    const { env, received } = await service((response) => reply(response, 200, {}));
    expect(await msgctl(send, { cwd, env })).toMatchObject({ exitCode: 0, stderr: "" });
    expect(received).toHaveLength(1);
    const other = folder();
    await msgctl(["parcels", "list"], { cwd: other, env });
    await msgctl([...send, "--dry-run"], { cwd: other, env });
    expect(existsSync(keysOf(other))).toBe(false);
    chmodSync(join(cwd, ".config"), 0o600);
  });
});

it("refuses two flags that read standard input", async () => {
  const argv = [...send, "--pin-file", "-", "--body-file", "-"];
  const { exitCode, stderr } = await msgctl(argv, { stdin: "1234" });
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining("--pin-file and --body-file both read standard input"),
  ]);
  const alone = await msgctl([...send, "--pin-file", "-", "--dry-run"], { stdin: "1234" });
  expect(alone.exitCode).toBe(0);
});
