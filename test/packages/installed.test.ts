// The published packages as npm installs them for a consumer, without this repository's lock file and overrides.

import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { packCli, packConformance, packMocks, packSdk, packServer, readManifest, root } from "./packed.ts";
import { find, node, runtimes } from "./runtimes.ts";

const run = promisify(execFile);
const packed = [packSdk(), packServer(), packMocks(), packConformance(), packCli()];
const [, server] = packed;
/** Optional packages that msgd and the carriers' page tell their readers to install. */
const beside = Object.entries((server?.manifest.peerDependencies ?? {}) as Record<string, string>).map((peer) =>
  peer.join("@"),
);

/** The oldest Node that the packages support. */
const oldest = `${/\d+\.\d+/.exec(String((readManifest(root).engines as { node: string }).node))}.0`;
const nodes = [node(oldest), ...runtimes.filter(({ title }) => title === "Node.js")];
const own = [`Node.js ${process.versions.node}, which runs the tests`, { program: process.execPath }] as const;
const found = [own, ...nodes.map((runtime) => [`${runtime.title} ${runtime.version}`, find(runtime)] as const)];

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform === "win32").for(found)("%s", ([, finding]) => {
  it("is supported by every package of an installation, and runs its programs", async ({ skip }) => {
    const runtime = await finding;
    if ("missing" in runtime) return skip(runtime.missing);
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "packages-installed-")));
    folders.push(folder);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true }));
    const env = { ...process.env, PATH: `${dirname(runtime.program)}${delimiter}${process.env.PATH}` };
    // skips compiling better-sqlite3, which takes minutes and does not depend on the chosen versions
    const words = [
      "install",
      "--engine-strict",
      "--ignore-scripts",
      "--prefer-offline",
      "--fetch-retries=0",
      "--no-audit",
    ];
    const wanted = [...packed.map(({ tarball }) => tarball), ...beside];
    const outcome = await run("npm", ["--loglevel=error", ...words, ...wanted], {
      cwd: folder,
      env,
      timeout: 200_000,
    }).catch((error: Error & { stderr?: string }) => ({ stderr: error.stderr || error.message }));
    if (REGISTRY_UNREACHED.test(outcome.stderr)) {
      return skip(`npm's registry cannot be reached, and its cache lacks a package: ${outcome.stderr}`);
    }
    expect(outcome.stderr).toBe("");
    for (const program of ["msgctl", "msgd", "msgctl-mock", "msgctl-conformance"]) {
      const path = join(folder, "node_modules/.bin", program);
      expect([program, existsSync(path)]).toEqual([program, true]);
      const { stdout } = await run(path, ["--help"], { cwd: folder, env });
      expect([program, stdout]).toEqual([program, expect.stringContaining(program)]);
    }
  });
});

const REGISTRY_UNREACHED = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED|ENETUNREACH)\b/;
