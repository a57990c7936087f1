import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalog } from "../catalog.ts";
import { readSettings } from "../process/config.ts";
import { folder, msgctl, reply, SECRET, service } from "../testing/world.ts";
import { keepListedIds } from "./listed-ids.ts";

const access = { baseUrl: "https://a.example", apiKey: "mkt_test_aaaaaaaaaa", apiSecret: SECRET };

/** Creates a cache folder, with functions to keep ids in it and to read them as a completion script does. */
function cache(env: Record<string, string> = {}) {
  const home = folder();
  const settings = readSettings({ HOME: home, ...env });
  const keep = (data: unknown, listed = ["shopId"], to = access) =>
    keepListedIds(data, { record: { listed }, access: to, options: { profile: "prod" }, settings });
  const path = join(home, ".cache/msgctl/ids/prod");
  const kept = () => Object.fromEntries(lines(path).map(([kind, ...ids]) => [kind, ids]));
  return { home, path, keep, kept };
}

function lines(path: string): string[][] {
  const text = readFileSync(path, "utf8").split("\n");
  return text.filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split(" "));
}

const rows = (...ids: unknown[]) => ids.map((shopId) => ({ shopId, phone: "+12025550100", email: "dana@a.example" }));

describe("ids from lists", () => {
  it("are kept newest first and without duplicates, beside ids from other lists", () => {
    const { keep, kept } = cache();
    keep(rows("a", "b", "a"));
    keep([{ batchId: "x" }], ["batchId"]);
    keep(rows("c", "b"));
    expect(kept()).toEqual({ shopId: ["c", "b", "a"], batchId: ["x"] });
  });

  it("are limited in number", () => {
    const { keep, kept } = cache();
    for (let round = 0; round < 2; round += 1)
      keep(rows(...Array.from({ length: 60 }, (_, index) => `r${round}-${index}`)));
    expect([kept().shopId?.length, kept().shopId?.[0], kept().shopId?.[99]]).toEqual([100, "r1-0", "r0-39"]);
  });

  it("include no contact, and nothing that a shell might interpret", () => {
    const { keep, kept, path } = cache();
    const hostile = [
      "$(id)",
      "a b",
      "a\nb",
      "`id`",
      "a;b",
      "*",
      "~",
      "",
      "x".repeat(129),
      "dana@a.example",
      "+1202555",
    ];
    keep(rows(...hostile, null, 7, { a: 1 }, "fine"));
    expect(kept()).toEqual({ shopId: ["fine"] });
    const text = readFileSync(path, "utf8");
    for (const personal of ["+1202", "@", SECRET, access.apiKey]) expect(text).not.toContain(personal);
  });

  it("of another service or account replace the earlier ids", () => {
    const { keep, kept } = cache();
    keep(rows("a"));
    keep(rows("b"), ["shopId"], { ...access, baseUrl: "https://b.example" });
    expect(kept()).toEqual({ shopId: ["b"] });
    keep(rows("c"), ["shopId"], { ...access, baseUrl: "https://b.example", apiKey: "mkt_test_bbbb" });
    expect(kept()).toEqual({ shopId: ["c"] });
  });

  it.skipIf(process.platform === "win32")("are readable by their owner only, and leave no half-written file", () => {
    const { keep, path } = cache();
    keep(rows("a"));
    expect([statSync(path).mode & 0o777, statSync(join(path, "..")).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(join(path, ".."))).toEqual(["prod"]);
  });

  it("that are unchanged are not written again", () => {
    const { keep, path } = cache();
    keep(rows("a", "b"));
    const { ino } = statSync(path);
    keep(rows("a", "b"));
    keep([]);
    expect(statSync(path).ino).toBe(ino);
  });

  it.each<[string, (home: string) => void]>([
    ["a file at the folder's path", (home) => writeFileSync(join(home, ".cache"), "")],
    ["a folder at the file's path", (home) => mkdirSync(join(home, ".cache/msgctl/ids/prod"), { recursive: true })],
    [
      "a folder that cannot be written",
      (home) => [mkdirSync(join(home, ".cache")), chmodSync(join(home, ".cache"), 0)],
    ],
  ])("that cannot be kept, because of %s, cause no failure", (_, harm) => {
    const { home, keep } = cache();
    harm(home);
    expect(() => keep(rows("a"))).not.toThrow();
    expect(readdirSync(home)).toEqual([".cache"]);
    chmodSync(join(home, ".cache"), 0o700);
  });
});

it("a list command keeps the ids that it showed, under the profile in use", async () => {
  const cwd = folder();
  const alert = { alertType: "USAGE_THRESHOLD", createdAt: "2026-03-01T12:00:00Z" };
  const answer = ["m1", "m2"].map((merchantId) => ({ ...alert, merchantId }));
  const { env } = await service((response) => reply(response, 200, answer));
  expect(await msgctl(["merchants", "list"], { catalog, cwd, env })).toMatchObject({ exitCode: 0, stderr: "" });
  expect(lines(join(cwd, ".cache/msgctl/ids/environment"))).toEqual([["merchantId", "m1", "m2"]]);
  const { exitCode } = await msgctl(["alerts", "list"], { catalog, cwd: folder(), env });
  expect(exitCode).toBe(0);
});

it("the contract's lists provide exactly the kinds of ids that commands accept", async () => {
  const operationIds = catalog.index.groups.flatMap(({ commands }) => commands.map(({ operationId }) => operationId));
  const records = await Promise.all(operationIds.map((operationId) => catalog.record(operationId)));
  const listed = new Set(records.flatMap((record) => record.listed ?? []));
  const taken = new Set(records.flatMap(({ inputs }) => inputs.flatMap(({ complete }) => complete ?? [])));
  expect([...listed].sort()).toEqual(["batchId", "merchantId", "requestId"]);
  expect(taken).toEqual(listed);
});
