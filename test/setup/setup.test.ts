// Tests the set-up of `npm start`, `npm test` and `npm run build` in a checkout where this test replaces npm and the compiler.

import { type ChildProcess, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import configurations from "../../tsup.config.ts";

let root: string;
const running = new Set<ChildProcess>();
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "setup-"));
  cpSync(fileURLToPath(new URL("../../scripts", import.meta.url)), join(root, "scripts"), { recursive: true });
  write("package.json", JSON.stringify({ type: "module", engines: { node: ">=20.19" } }));
  for (const path of ["package-lock.json", "node_modules/.package-lock.json"]) write(path, '{"packages":{}}');
  for (const path of ["openapi.yaml", "tsup.config.ts", "tsconfig.json"]) write(path, "{}");
  write("packages/contract/package.json", "{}");
  write("packages/codegen/package.json", "{}");
  write("packages/codegen/src/index.ts", "");
  write("packages/contract/src/index.ts", "");
  for (const name of ["server", "mocks"]) write(`packages/${name}/package.json`, '{"files":["dist"]}');
  write("packages/server/src/main.ts", "first");
  write("packages/mocks/src/index.ts", 'import { operations } from "@msgctl/contract";');
  write("node_modules/better-sqlite3/index.js", "module.exports = class { close() {} };");
  // A fake compiler: it writes an entry that loads a part named after its contents. It waits if `hold` exists, and fails if
  // `fail` does.
  write(
    "node_modules/tsup/dist/cli-default.js",
    `const fs = require("node:fs");
    const packages = process.env.BUILD_PACKAGES.split(",");
    fs.appendFileSync("builds", packages + "\\n");
    if (packages.includes("mocks")) {
      fs.mkdirSync(process.env.BUILD_FOLDER + "/mocks");
      fs.writeFileSync(process.env.BUILD_FOLDER + "/mocks/index.js", "");
      if (packages.length === 1) process.exit();
    }
    const folder = process.env.BUILD_FOLDER + "/server";
    const source = fs.readFileSync("packages/server/src/main.ts", "utf8");
    fs.mkdirSync(folder);
    fs.writeFileSync(folder + "/entry.cjs", "half");
    if (fs.existsSync("fail")) { console.error(fs.readFileSync("fail", "utf8")); process.exit(3); }
    const rest = setInterval(() => {
      if (fs.existsSync("hold")) return;
      clearInterval(rest);
      fs.writeFileSync(folder + "/entry.cjs", 'module.exports = require("./part-' + source + '.cjs");');
      fs.writeFileSync(folder + "/part-" + source + ".cjs", "module.exports = " + JSON.stringify(source) + ";");
    }, 10);`,
  );
});
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
  rmSync(root, { recursive: true, force: true, maxRetries: 10 });
});

function write(path: string, content: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const dist = () => readdirSync(join(root, "packages/server/dist")).sort();
const entry = () => readFileSync(join(root, "packages/server/dist/entry.cjs"), "utf8");
/** The packages of each build so far. */
const listBuilds = () =>
  existsSync(join(root, "builds")) ? readFileSync(join(root, "builds"), "utf8").trim().split("\n") : [];
const builds = () => listBuilds().length;

/** Calls `setUp` as `npm start`, `npm test` and `npm run build` do. */
function begin(env: Record<string, string> = {}, args: readonly string[] = []) {
  const child = spawn(process.execPath, ["scripts/build.mjs", ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
  const ended = new Promise<{ status: number | null; said: string }>((resolve) =>
    child.once("close", (status) => resolve({ status, said })),
  );
  return { child, ended, said: () => said };
}

async function run(env?: Record<string, string>, args?: readonly string[]): Promise<string> {
  const { status, said } = await begin(env, args).ended;
  expect([status, said]).toEqual([0, expect.any(String)]);
  return said;
}

async function failing(env?: Record<string, string>): Promise<string> {
  const { status, said } = await begin(env).ended;
  expect([status, said]).toEqual([1, expect.any(String)]);
  return said;
}

const oneBuildMore = (before: number) => vi.waitFor(() => expect(builds()).toBe(before + 1), 60_000);

describe("the build", () => {
  it("runs once, and again when a source changes or a built file is missing", async () => {
    expect(await run()).toMatch(/^Building mocks, server … \d+\.\d s\n$/);
    expect(await run()).toBe("");
    expect(builds()).toBe(1);
    write("packages/server/src/main.test.ts", "a test is not built");
    write("packages/server/src/main.ts", "second");
    await run();
    expect(await run()).toBe("");
    expect([builds(), dist()]).toEqual([2, ["entry.cjs", "part-second.cjs"]]);
    rmSync(join(root, "packages/server/dist/part-second.cjs"));
    await run();
    write(".cache/built-from.json", "cut off");
    await run();
    await run();
    expect(await run()).toBe("");
    expect(builds()).toBe(4);
  });

  it("runs again for a package if its sources change, or those of a package that it imports", async () => {
    await run();
    write("packages/server/src/main.ts", "second");
    await run();
    write("packages/contract/src/index.ts", "second");
    await run();
    expect(listBuilds()).toEqual(["mocks,server", "server", "mocks"]);
  });

  it("runs again if any file that it depends on changes", async () => {
    await run();
    const paths = [
      "openapi.yaml",
      "tsup.config.ts",
      "tsconfig.json",
      "package-lock.json",
      "packages/server/package.json",
    ];
    for (const [index, path] of [...paths, "scripts/new.ts"].entries()) {
      write(path, '{"packages":{},"files":["dist"],"a":1}');
      await run();
      expect([path, builds()]).toEqual([path, index + 2]);
    }
  });

  it("leaves the previous build in place until the new one is complete", async () => {
    await run();
    write("packages/server/src/main.ts", "second");
    write("hold", "");
    const second = begin();
    await oneBuildMore(1);
    expect([dist(), entry()]).toEqual([["entry.cjs", "part-first.cjs"], expect.stringContaining("first")]);
    rmSync(join(root, "hold"));
    expect((await second.ended).status).toBe(0);
    expect([dist(), entry()]).toEqual([["entry.cjs", "part-second.cjs"], expect.stringContaining("second")]);
    expect(readdirSync(join(root, ".cache")).sort()).toEqual(["built-from.json", "setup-build.log"]);
  });

  it("can be loaded at every moment", async () => {
    await run();
    // loads the entry repeatedly; a part may be missing only if its entry has been replaced as well
    const reader = spawn(
      process.execPath,
      [
        "-e",
        `const fs = require("node:fs"); const dist = "packages/server/dist/"; let rounds = 0;
        for (;;) {
          const entry = fs.readFileSync(dist + "entry.cjs", "utf8");
          const [part] = /part-\\w+\\.cjs/.exec(entry);
          if (!fs.existsSync(dist + part) && fs.readFileSync(dist + "entry.cjs", "utf8") === entry) throw new Error(part);
          if (++rounds === 1) fs.writeFileSync("reading", "");
          if (fs.existsSync("enough")) break;
        }`,
      ],
      { cwd: root, stdio: ["ignore", "ignore", "pipe"] },
    );
    running.add(reader);
    let failure = "";
    reader.stderr.on("data", (text) => (failure += text));
    const ended = new Promise((resolve) => reader.once("exit", resolve));
    await vi.waitFor(() => expect(existsSync(join(root, "reading"))).toBe(true), 60_000);
    for (const name of ["second", "third"]) {
      write("packages/server/src/main.ts", name);
      await run();
    }
    write("enough", "");
    expect([await ended, failure]).toEqual([0, ""]);
  });

  it("succeeds after an earlier build was killed half way, and removes its leftovers", async () => {
    await run();
    write("packages/server/src/main.ts", "second");
    write("hold", "");
    const killed = begin();
    await oneBuildMore(1);
    killed.child.kill("SIGKILL");
    await killed.ended;
    expect([dist(), entry()]).toEqual([["entry.cjs", "part-first.cjs"], expect.stringContaining("first")]);
    // makes the lock look older than ten seconds
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(join(root, ".cache/setup-lock"), longAgo, longAgo);
    // the killed build's compiler keeps running, and ends during this build
    write("packages/server/src/main.ts", "third");
    const next = begin();
    await oneBuildMore(2);
    rmSync(join(root, "hold"));
    expect((await next.ended).status).toBe(0);
    expect([dist(), entry()]).toEqual([["entry.cjs", "part-third.cjs"], expect.stringContaining("third")]);
    expect(readdirSync(join(root, ".cache")).sort()).toEqual(["built-from.json", "setup-build.log"]);
  });

  it("runs in one of two terminals, while the other waits for it", async () => {
    write("hold", "");
    const first = begin();
    await oneBuildMore(0);
    const second = begin();
    await vi.waitFor(() => expect(second.said()).toMatch(/^Waiting for another terminal/), 60_000);
    rmSync(join(root, "hold"));
    expect([(await first.ended).status, (await second.ended).status, builds()]).toEqual([0, 0, 1]);
  });

  it("says why it failed, and keeps the previous build", async () => {
    await run();
    write("packages/server/src/main.ts", "second");
    write("fail", Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join("\n"));
    const said = await failing();
    expect(said).toMatch(/The build failed; the previous build is still usable\..*setup-build\.log/);
    expect(said).toMatch(/^ {2}line 30$/m);
    expect(said).not.toContain("line 5\n");
    expect([dist(), entry()]).toEqual([["entry.cjs", "part-first.cjs"], expect.stringContaining("first")]);
    write("fail", "Error: ENOSPC: no space left on device, write");
    expect(await failing()).toContain("The disk is full: make room");
    expect(readdirSync(join(root, ".cache")).sort()).toEqual(["built-from.json", "setup-build.log"]);
  });

  it.skipIf(process.platform === "win32")("ends all processes that it started if it is interrupted", async () => {
    write("hold", "");
    const { child, ended } = begin();
    await oneBuildMore(0);
    child.kill("SIGTERM");
    expect((await ended).status).toBe(128 + 15);
    rmSync(join(root, "hold"));
    // the lock is free, and no process writes to the interrupted build's folder
    expect(await run()).toMatch(/^Building mocks, server … /);
    expect(readdirSync(join(root, ".cache")).sort()).toEqual(["built-from.json", "setup-build.log"]);
  });

  it("builds every real package in a temporary folder first, at the same depth as its final folder", () => {
    const folders = Array.isArray(configurations) ? configurations.map(({ name, outDir }) => [name, outDir]) : [];
    expect(folders).toHaveLength(8);
    for (const [name, outDir = ""] of folders) expect(outDir).toBe(join(".cache", "build-by-hand", String(name)));
    expect(relative(root, join(root, ".cache/a/b")).split(/[\\/]/)).toHaveLength("packages/b/dist".split("/").length);
  });
});

describe("the packages", () => {
  const npm = () => ({ npm_execpath: join(root, "npm-cli.js") });
  const a = { version: "1.0.0", integrity: "sha512-a" };
  beforeEach(() => {
    write(
      "package-lock.json",
      JSON.stringify({ packages: { "": {}, "node_modules/a": a, "node_modules/mac": { optional: true } } }),
    );
    // writes its own lock last, as npm does
    write(
      "npm-cli.js",
      `import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
      appendFileSync("npm-calls", process.argv[2] + "\\n");
      while (process.argv[2] === "rebuild" && existsSync("npm-hold")) await new Promise((resolve) => setTimeout(resolve, 10));
      if (existsSync("npm-fails")) { console.error(readFileSync("npm-fails", "utf8")); process.exit(1); }
      mkdirSync("node_modules/a", { recursive: true });
      writeFileSync("node_modules/a/package.json", "{}");
      writeFileSync("node_modules/better-sqlite3/index.js", "module.exports = class { close() {} };");
      writeFileSync("node_modules/.package-lock.json", '{"packages":{"node_modules/a":${JSON.stringify(a)}}}');`,
    );
  });
  const calls = () => readFileSync(join(root, "npm-calls"), "utf8").trim().split("\n");

  it("are installed once, without packages for other systems", async () => {
    expect(await run(npm())).toMatch(/^Installing packages … \d+\.\d s\nBuilding mocks, server … /);
    await run(npm());
    expect(calls()).toEqual(["ci"]);
  });

  it.each([
    ["npm was interrupted before its last step", () => rmSync(join(root, "node_modules/.package-lock.json"))],
    ["npm was interrupted during its last step", () => write("node_modules/.package-lock.json", '{"packages":{')],
    ["a package was removed", () => rmSync(join(root, "node_modules/a"), { recursive: true })],
    [
      "another version is there",
      () => write("node_modules/.package-lock.json", '{"packages":{"node_modules/a":{"version":"0.9.0"}}}'),
    ],
  ])("are installed again when %s", async (_, happen) => {
    await run(npm());
    happen();
    await run(npm());
    expect(calls()).toEqual(["ci", "ci"]);
  });

  it("include a compiled SQLite if the prebuilt one does not load", async () => {
    await run(npm());
    write("node_modules/better-sqlite3/index.js", "cut off (");
    expect(await run(npm())).toMatch(/^Preparing SQLite … \d+\.\d s\n$/);
    expect(calls()).toEqual(["ci", "rebuild"]);
  });

  it("are built without SQLite if the machine only builds", async () => {
    await run(npm());
    write("node_modules/better-sqlite3/index.js", "cut off (");
    write("packages/server/src/main.ts", "second");
    expect(await run(npm(), ["--without-sqlite"])).toMatch(/^Building server … \d+\.\d s\n$/);
    expect(await run(npm(), ["--without-sqlite"])).toBe("");
    expect(calls()).toEqual(["ci"]);
    expect(await run(npm())).toMatch(/^Preparing SQLite … /);
  });

  describe("are built while SQLite is compiled", () => {
    beforeEach(async () => {
      await run(npm());
      write("node_modules/better-sqlite3/index.js", "cut off (");
      write("packages/server/src/main.ts", "second");
    });

    it("and both are awaited", async () => {
      write("npm-hold", "");
      const both = begin(npm());
      await vi.waitFor(() => {
        expect([calls(), dist()]).toEqual([["ci", "rebuild"], expect.arrayContaining(["part-second.cjs"])]);
      }, 60_000);
      rmSync(join(root, "npm-hold"));
      const { status, said } = await both.ended;
      expect([status, said]).toEqual([
        0,
        expect.stringMatching(/^Preparing SQLite and building server … \d+\.\d s\n$/),
      ]);
    });

    it("and the failure of the build ends the compiler and is reported with its own log", async () => {
      write("npm-hold", "");
      write("fail", "an error of the build");
      const said = await failing(npm());
      expect(said).toMatch(/The build failed.*setup-build\.log.*an error of the build/s);
      expect(said).not.toMatch(/SQLite could not|setup-sqlite/);
      rmSync(join(root, "npm-hold"));
      rmSync(join(root, "fail"));
      // the ended compiler would have repaired the file
      expect(await run(npm())).toMatch(/^Preparing SQLite and building server … /);
    });

    it.skipIf(process.platform === "win32")("and an interruption ends both", async () => {
      write("npm-hold", "");
      write("hold", "");
      const { child, ended } = begin(npm());
      await vi.waitFor(() => expect([calls(), builds()]).toEqual([["ci", "rebuild"], 2]), 60_000);
      child.kill("SIGTERM");
      expect((await ended).status).toBe(128 + 15);
      for (const file of ["npm-hold", "hold"]) rmSync(join(root, file));
      expect(await run(npm())).toMatch(/^Preparing SQLite and building server … /);
    });
  });

  it.each([
    [
      "npm error code ENOTFOUND\nnpm error network request failed",
      /npm could not install.*ENOTFOUND.*The network was not reached/s,
    ],
    ["npm error code ENOSPC", /npm could not install.*The disk is full/s],
    ["npm error code EINTEGRITY", /npm could not install.*setup-install\.log.*EINTEGRITY\n/s],
  ])("are reported with the cause if they cannot be installed: %s", async (words, expected) => {
    write("npm-fails", words);
    expect(await failing(npm())).toMatch(expected);
  });

  it.skipIf(process.platform === "win32")("name the missing tools that SQLite needs", async () => {
    await run(npm());
    write("node_modules/better-sqlite3/index.js", "cut off (");
    write("npm-fails", "gyp ERR! find Python");
    const said = await failing({ ...npm(), PATH: join(root, "no-tools") });
    expect(said).toMatch(
      /To compile it, Python 3, a C\+\+ compiler, make must be installed\. Install the missing tools with:/,
    );
    expect(said).toContain("Then run the same command again.");
    expect(said).not.toContain("gyp ERR");
  });
});

it("set-up reports an old Node, with the required version and where to get it", async () => {
  write("package.json", JSON.stringify({ type: "module", engines: { node: ">=99.1" } }));
  const said = await failing();
  expect(said).toContain(`Node ${process.versions.node} is too old: this project needs 99.1 or later.`);
  expect(said).toContain("https://nodejs.org");
});
