/** Tests formats, queries and files with whole commands. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { folder, msgctl, reply, SECRET, service } from "../testing/world.ts";

const LONG = "9007199254740993";
const LIST = ["parcels", "list"];
const views = `[{"parcelId":${LONG},"status":"ARRIVED","size":{"litres":3},"pin":"${SECRET}","phone":"+12025550100"},
  {"parcelId":2,"status":"LOST","size":null,"pin":null,"phone":"no"}]`;
const MASKED = "1 secret is masked; --show-secrets shows it.\n";

async function parcels(body = views) {
  return service((response, { url }) => answer(response, url ?? "", body));
}

function answer(response: ServerResponse, url: string, body: string): void {
  if (url.startsWith("/prices")) response.writeHead(204).end();
  else if (url.startsWith("/labels")) response.setHeader("content-type", "application/xml").end("<label>\n</label>");
  else response.setHeader("content-type", "application/json").end(body);
}

describe("formats", () => {
  it.each([
    [
      "jsonl",
      `{"parcelId":${LONG},"status":"ARRIVED","size":{"litres":3},"pin":"********","phone":"+12025550100"}\n` +
        '{"parcelId":2,"status":"LOST","size":null,"pin":null,"phone":"no"}\n',
    ],
    ["csv", `parcelId,status,size.litres,pin\n${LONG},ARRIVED,3,********\n2,LOST,,\n`],
    [
      "yaml",
      `- parcelId: ${LONG}\n  status: ARRIVED\n  size:\n    litres: 3\n  pin: "********"\n  phone: "+12025550100"\n` +
        '- parcelId: 2\n  status: LOST\n  size: null\n  pin: null\n  phone: "no"\n',
    ],
    [
      "raw",
      `[{"parcelId":${LONG},"status":"ARRIVED","size":{"litres":3},"pin":"********","phone":"+12025550100"},` +
        '{"parcelId":2,"status":"LOST","size":null,"pin":null,"phone":"no"}]\n',
    ],
  ])("%s shows a list with exact long integers and masked secrets", async (format, stdout) => {
    const { env } = await parcels();
    expect(await msgctl([...LIST, "-o", format], { env })).toEqual({ exitCode: 0, stdout, stderr: MASKED });
  });

  it.each(["json", "jsonl", "yaml", "raw"])("%s prints the data that the service sent", async (format) => {
    const { env } = await parcels();
    const { stdout } = await msgctl([...LIST, "-o", format, "--show-secrets", "-q", "[1]"], { env });
    expect(parse(stdout)).toEqual(JSON.parse(views)[1]);
  });

  it.each([
    ["table", "", "Nothing found.\n"],
    ["json", "[]\n", ""],
    ["jsonl", "", ""],
    ["yaml", "[]\n", ""],
    ["csv", "parcelId,status,size.litres,pin\n", ""],
    ["raw", "", ""],
  ])("%s prints an empty list", async (format, stdout, stderr) => {
    const { env } = await parcels("[]");
    expect(await msgctl([...LIST, "-o", format], { env })).toEqual({ exitCode: 0, stdout, stderr });
  });

  it.each([
    ["table", "", "Done.\n"],
    ["json", "null\n", ""],
    ["jsonl", "null\n", ""],
    ["yaml", "null\n", ""],
    ["csv", "", ""],
    ["raw", "", ""],
  ])("%s prints an answer without a body", async (format, stdout, stderr) => {
    const { env } = await parcels();
    const argv = ["prices", "set", "--per-unit", "1", "-y", "-o", format];
    expect(await msgctl(argv, { env })).toEqual({ exitCode: 0, stdout, stderr });
  });

  it.each([
    ["table", "<label>\n</label>\n"],
    ["raw", "<label>\n</label>"],
    ["json", '"<label>\\n</label>"\n'],
    ["csv", 'value\n"<label>\n</label>"\n'],
    ["yaml", "|-\n  <label>\n  </label>\n"],
  ])("%s prints a text answer", async (format, stdout) => {
    const { env } = await parcels();
    expect((await msgctl(["labels", "print", "-o", format], { env })).stdout).toBe(stdout);
  });

  it("csv accepts --columns, and formats without columns refuse it", async () => {
    const { env, received } = await parcels();
    const columns = ["--columns", "status,parcelId"];
    expect((await msgctl([...LIST, "-o", "csv", ...columns], { env })).stdout).toBe(
      `status,parcelId\nARRIVED,${LONG}\nLOST,2\n`,
    );
    const refused = await msgctl([...LIST, "-o", "yaml", ...columns], { env });
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("with -o yaml, use --query")]);
    expect(received).toHaveLength(1);
  });

  it.each(["csv", "raw", "table", "yaml"])("%s writes no control character to a terminal", async (format) => {
    const { env } = await parcels('[{"parcelId":"a\\u001b[2Jb\\u009b","status":null}]');
    const world = { env: { ...env, NO_COLOR: "1" }, terminal: 120 };
    const { stdout } = await msgctl([...LIST, "-o", format, "-q", "[].parcelId"], world);
    expect(stdout).toContain("[2Jb");
    expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
  });
});

describe("a table", () => {
  it("has coloured statuses on a terminal, and times in the reader's time zone", async () => {
    const view = (status: string | null) => ({ status, at: "2026-03-01T10:00:00Z", alone: "FAILED" });
    const { env } = await parcels(JSON.stringify([view("DELIVERED"), view("FAILED"), view("QUEUED"), view(null)]));
    const argv = [...LIST, "-q", "[]"];
    const { stdout } = await msgctl(argv, { env, terminal: 100, zoneOffsetMinutes: 60 });
    const rest = "2026-03-01 11:00:00 +01:00  FAILED";
    expect(stdout.split("\n").slice(1)).toEqual([
      `\u001b[32mDELIVERED\u001b[39m  ${rest}`,
      `\u001b[31mFAILED\u001b[39m     ${rest}`,
      `\u001b[33mQUEUED\u001b[39m     ${rest}`,
      `\u001b[2m-\u001b[22m          ${rest}`,
      "",
    ]);
    for (const world of [{ env: { ...env, NO_COLOR: "1" }, terminal: 100 }, { env }]) {
      expect((await msgctl(argv, world)).stdout).not.toContain("\u001b");
    }
  });
});

describe("--query", () => {
  it.each([
    ["[].status", "raw", "ARRIVED\nLOST\n"],
    ["[].status", "table", "ARRIVED\nLOST\n"],
    ["[].status", "csv", "value\nARRIVED\nLOST\n"],
    ["[0].status", "raw", "ARRIVED\n"],
    ["[0].parcelId", "json", `${LONG}\n`],
    [
      "[].{id: parcelId, gone: status == 'LOST'}",
      "table",
      `id                gone\n${LONG}  false\n2                 true\n`,
    ],
    ["[].{id: parcelId}", "csv", `id\n${LONG}\n2\n`],
    ["[0].{id: parcelId}", "table", `id  ${LONG}\n`],
  ])("prints the result of %s as %s", async (query, format, stdout) => {
    const { env } = await parcels();
    expect(await msgctl([...LIST, "-q", query, "-o", format], { env })).toEqual({ exitCode: 0, stdout, stderr: "" });
  });

  it("gets only masked secrets, and a remark says so if one is selected", async () => {
    const { env } = await parcels();
    const argv = [...LIST, "--query", "[0].pin", "-o", "raw"];
    expect(await msgctl(argv, { env })).toEqual({ exitCode: 0, stdout: "********\n", stderr: MASKED });
    expect((await msgctl([...argv, "--show-secrets"], { env })).stdout).toBe(`${SECRET}\n`);
  });

  it("is refused with all other faults, before anything is sent", async () => {
    const { env, received } = await parcels();
    const ended = await msgctl([...LIST, "-q", "[?", "--limit", "x", "-o", "json"], { env });
    const { errors, exitCode } = JSON.parse(ended.stderr);
    expect([exitCode, errors.map(({ where }: { where: string }) => where)]).toEqual([2, ["--query", "--limit"]]);
    const written = await msgctl(["parcels", "scan", "7", "-q", "[?"], { env });
    expect([written.exitCode, written.stdout]).toEqual([2, ""]);
    expect(received).toEqual([]);
  });

  it("says that the request succeeded if the query fails on the answer", async () => {
    const { env } = await parcels();
    const ended = await msgctl([...LIST, "-q", "sum([].status)"], { env });
    expect([ended.exitCode, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toContain("the request succeeded, but --query failed");
  });
});

describe("--out", () => {
  it("writes standard output to a file that only the user can read", async () => {
    const { env } = await parcels("[]");
    const cwd = folder();
    const argv = [...LIST, "-o", "json", "--out", "list.json"];
    const ended = await msgctl(argv, { env: { ...env, FORCE_COLOR: "1" }, cwd, terminal: 80 });
    expect(ended).toEqual({ exitCode: 0, stdout: "", stderr: "Wrote 3 bytes to list.json.\n" });
    expect(readFileSync(join(cwd, "list.json"), "utf8")).toBe("[]\n");
    if (process.platform !== "win32") expect(statSync(join(cwd, "list.json")).mode & 0o777).toBe(0o600);
    expect((await msgctl([...argv, "--quiet"], { env, cwd })).stderr).toBe("");
    expect(readdirSync(cwd)).toEqual(["list.json"]);
  });

  it("writes no colour, and also works for a defined command", async () => {
    const { env } = await parcels();
    const world = { env: { ...env, FORCE_COLOR: "1" }, cwd: folder(), terminal: 80 };
    await msgctl([...LIST, "--out", "table"], world);
    expect(readFileSync(join(world.cwd, "table"), "utf8")).toMatch(/^parcelId/);
    await msgctl(["parcels", "scan", "7", "--out", "scan"], world);
    expect(JSON.parse(readFileSync(join(world.cwd, "scan"), "utf8"))).toMatchObject({ parcelId: "7" });
  });

  it("replaces a file completely, and leaves it unchanged when the command fails", async () => {
    const cwd = folder();
    const path = join(cwd, "kept.json");
    writeFileSync(path, "before", { mode: 0o644 });
    const { env, received } = await service((response) => {
      if (received.length === 1) reply(response, 404, { code: "gone", status: 404, title: "No." });
      else reply(response, 200, []);
    });
    const argv = [...LIST, "-o", "json", "--out", path];
    expect((await msgctl(argv, { env, cwd })).exitCode).toBe(4);
    expect([readFileSync(path, "utf8"), readdirSync(cwd)]).toEqual(["before", ["kept.json"]]);
    expect((await msgctl(argv, { env, cwd })).exitCode).toBe(0);
    expect([readFileSync(path, "utf8"), readdirSync(cwd)]).toEqual(["[]\n", ["kept.json"]]);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.skipIf(process.platform === "win32").each([
    ["a symbolic link", "link"],
    ["a folder", "folder"],
    ["cannot be written", "none/list.json"],
  ])("refuses a path that is %s, and sends nothing", async (said, path) => {
    const { env, received } = await parcels();
    const cwd = folder();
    writeFileSync(join(cwd, "target"), "before");
    symlinkSync(join(cwd, "target"), join(cwd, "link"));
    mkdirSync(join(cwd, "folder"));
    const ended = await msgctl([...LIST, "--out", path], { env, cwd });
    expect([ended.exitCode, ended.stdout, ended.stderr]).toEqual([2, "", expect.stringContaining(said)]);
    expect(received).toEqual([]);
    expect(lstatSync(join(cwd, "link")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(cwd, "target"), "utf8")).toBe("before");
    expect(readdirSync(cwd).sort()).toEqual(["folder", "link", "target"]);
  });
});

describe("an error", () => {
  it.each([
    [["-o", "json"], {}, "indented"],
    [["-ojson"], {}, "indented"],
    [["--output=jsonl"], {}, "line"],
    [["-yo", "jsonl"], {}, "line"],
    [["-o", "json", "-o", "jsonl"], {}, "line"],
    [["-o", "json", "-o", "table"], {}, "words"],
    [["-o", "csv"], {}, "words"],
    [[], { MSGCTL_OUTPUT: "jsonl" }, "line"],
    [["-o", "yaml"], { MSGCTL_OUTPUT: "json" }, "words"],
    [["--", "-o", "json"], {}, "words"],
  ])("about a line that cannot be parsed, with %j and %j, is printed as %s", async (flags, env, form) => {
    const { exitCode, stdout, stderr } = await msgctl([...LIST, "--limmit", "5", ...flags], { env });
    expect([exitCode, stdout]).toEqual([2, ""]);
    if (form === "words")
      return expect(stderr).toMatch(/^error: (?:unknown option '--limmit'|--output takes one value)/);
    expect(JSON.parse(stderr)).toMatchObject({ code: "usage", exitCode: 2 });
    expect(stderr.trimEnd().includes("\n")).toBe(form === "indented");
  });
});
