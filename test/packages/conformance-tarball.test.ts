// @msgctl/conformance as npm would publish it, installed with only its dependencies.

import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blocksOf } from "../docs/markdown.ts";
import { MsgdFolder, type SharedServer } from "../e2e/msgd-process.ts";
import { packConformance, readManifest, root } from "./packed.ts";

const run = promisify(execFile);
const { tarball, folder: packed, files, manifest } = packConformance();
const folder = realpathSync(mkdtempSync(join(tmpdir(), "conformance-installed-")));
const installed = join(folder, "node_modules", manifest.name);
const readme = blocksOf(readFileSync(join(packed, "README.md"), "utf8"));
const demo = new MsgdFolder();
let server: SharedServer;

beforeAll(async () => {
  cpSync(packed, installed, { recursive: true });
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    // linked, so that each package finds its own dependencies, and the tool finds only those that its manifest names
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name), "junction");
  }
  mkdirSync(join(folder, "node_modules/.bin"));
  for (const [name, file] of Object.entries(manifest.bin as Record<string, string>)) {
    symlinkSync(join("..", manifest.name, file), join(folder, "node_modules/.bin", name));
  }
  server = await demo.shareDemo();
});
afterAll(async () => {
  await demo.remove();
  rmSync(folder, { recursive: true, force: true });
});

it("the package has launcher, program, check and licence, for every supported Node", () => {
  expect(files.filter((file) => !/^dist\/[\w-]+\.js$/.test(file))).toEqual([
    ...["LICENSE", "README.md", "bin/msgctl-conformance.js", "dist/index.d.ts", "package.json"],
  ]);
  for (const field of ["private", "scripts"]) expect(manifest).not.toHaveProperty(field);
  expect(manifest.engines).toEqual(readManifest(root).engines);
});

it("the package imports only its dependencies", () => {
  const built = files
    .filter((file) => file.startsWith("dist/"))
    .map((file) => readFileSync(join(packed, file), "utf8"));
  const named = built.flatMap((text) => [...text.matchAll(/^(?:import|export)\b.*?\bfrom "([^."][^"]*)";$/gm)]);
  const packages = named.map(([, name = ""]) => name).filter((name) => !isBuiltin(name));
  const names = packages.map((name) => name.split("/", 1)[0]);
  expect([...new Set(names)].sort()).toEqual(Object.keys(manifest.dependencies ?? {}));
});

it("the package passes publint", async () => {
  const bytes = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

it("the package has correct types for ES modules according to are-the-types-wrong", async () => {
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
  if (!analysis.types) throw new Error("are-the-types-wrong found no types");
  // CommonJS has to use import(), and node10 does not support exports
  const expected = new Set(["CJSResolvesToESM", "NoResolution"]);
  expect(analysis.problems.filter(({ kind }) => !expected.has(kind))).toEqual([]);
  const { resolutions } = analysis.entrypoints["."] ?? {};
  expect(["node16-esm", "bundler"].map((kind) => resolutions?.[kind as "bundler"].resolution?.isTypeScript)).toEqual([
    ...[true, true],
  ]);
});

it.skipIf(process.platform === "win32")(
  "the tool checks a server with the command of its README, through npx",
  async () => {
    const [command = "nothing is shown"] = readme.filter(({ language }) => language === "sh").map(({ text }) => text);
    expect(command).toContain("npx @msgctl/conformance --base-url http://127.0.0.1:4800");
    const { apiKey, apiSecret } = demo.demoCredential;
    const env = {
      ...{ PATH: process.env.PATH, HOME: folder, npm_config_offline: "true" },
      ...{ MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret },
    };
    const lines = command
      .split("\n")
      .filter((line) => !line.startsWith("export "))
      .join("\n")
      .replace("http://127.0.0.1:4800", `${server.baseUrl} --only Alerts`);
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", lines], { cwd: folder, env });
    expect(stdout).toMatch(/^listAlerts +ok +ok /m);
    expect(stdout).toMatch(/^no violations; /m);
  },
);

it("the tool finds the demo server of its working directory", async () => {
  const program = join(installed, "bin/msgctl-conformance.js");
  const { stdout } = await run(process.execPath, [program, "--only", "Alerts", "-o", "json"], {
    ...{ cwd: demo.parent, env: { PATH: process.env.PATH } },
  });
  expect(JSON.parse(stdout)).toMatchObject({ baseUrl: `${server.baseUrl}/`, violations: [], ended: null });
});

it("the check runs in another program's process, as the README shows", async () => {
  const [program = "nothing is shown"] = readme.filter(({ language }) => language === "js").map(({ text }) => text);
  const { apiKey, apiSecret } = demo.demoCredential;
  const env = { BASE_URL: server.baseUrl, MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret };
  const words = ["--input-type", "module", "-e", program.replace('"http://127.0.0.1:4800"', "process.env.BASE_URL")];
  const { stdout, stderr } = await run(process.execPath, words, { cwd: folder, env });
  expect([stdout, stderr]).toEqual(["200\n", ""]);
});
