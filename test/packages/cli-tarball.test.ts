// Tests msgctl as npm would publish it, installed without any other package.

import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanEnvironment, type Ended, runMsgctl } from "../e2e/msgctl-process.ts";
import { MsgdFolder } from "../e2e/msgd-process.ts";
import { listFiles, npmCommand, packCli, readManifest, root } from "./packed.ts";

const { tarball, folder: packed, files, manifest } = packCli();
const text = (file: string) => readFileSync(join(packed, file), "utf8");

describe("the files", () => {
  it("are the readme, licences, manifest, launcher, program and man pages", () => {
    const others = files.filter((file) => !/^dist\/[\w-]+\.(?:cjs|json)$|^man\/msgctl(-[a-z-]+)?\.1$/.test(file));
    expect(others).toEqual([
      ...["LICENSE", "README.md", "bin/msgctl.cjs", "dist/THIRD-PARTY-LICENSES.txt", "package.json"],
    ]);
  });

  it("are all reached from the launcher", () => {
    const reached = new Set<string>();
    const visit = (file: string) => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const [, name = ""] of text(file).matchAll(/["']\.\/([\w-]+\.(?:cjs|json))["']/g)) visit(`dist/${name}`);
    };
    visit("dist/main.cjs");
    expect([...reached].sort()).toEqual(files.filter((file) => /^dist\/.*\.(?:cjs|json)$/.test(file)));
  });

  // docs/benchmarks-2026-11.md lists what this size consists of
  it("hold at most 430 kB of JavaScript", () => {
    const scripts = files.filter((file) => /\.[cm]?js$/.test(file));
    expect(scripts.reduce((sum, file) => sum + statSync(join(packed, file)).size, 0)).toBeLessThanOrEqual(430_000);
  });

  it("contain only the program, and neither a source map nor the generator of the reference", () => {
    const programs = files.filter((file) => file.endsWith(".cjs")).map(text);
    expect(programs.filter((program) => /sourceMappingURL|Manual of msgctl/.test(program))).toEqual([]);
  });

  it("contain the licence of msgctl, and that of every bundled package", () => {
    expect(text("LICENSE")).toBe(readFileSync(join(root, "LICENSE"), "utf8"));
    const given = text("dist/THIRD-PARTY-LICENSES.txt");
    const parts = given.split(`\n${"-".repeat(80)}\n`).slice(1);
    const named = parts.map((part) => /^\n(\S+) \d+\.\d+\.\d+ \(.+\)\nSource: \S+\n\n\S/.exec(part)?.[1]);
    // the bundle contains only the prompts of @inquirer/prompts that msgctl uses
    const inUse = Object.keys(developed()).filter((name) => name !== "csv-parse"); // tests compare with it
    const builtIn = inUse.map((name) => (name === "@inquirer/prompts" ? "@inquirer/select" : name));
    for (const name of builtIn) expect(named).toContain(name);
    expect(named).not.toContain(undefined);
    expect(given).toContain(
      readFileSync(join(root, "node_modules/@jmespath-community/jmespath/LICENSE"), "utf8").trim(),
    );
  });
});

/** Packages that are bundled into the program, so that the published package has no dependencies. */
function developed(): Readonly<Record<string, string>> {
  return manifest.devDependencies as Record<string, string>;
}

describe("the manifest", () => {
  it("is public, supports the same Node versions as the project, and has no required dependencies", () => {
    for (const field of ["private", "scripts", "dependencies"]) expect(manifest).not.toHaveProperty(field);
    expect(manifest).toMatchObject({ license: "Apache-2.0", bin: { msgctl: "bin/msgctl.cjs" } });
    expect(manifest.engines).toEqual(readManifest(root).engines);
  });

  it("names every man page", () => {
    expect(manifest.man).toEqual(files.filter((file) => file.startsWith("man/")));
  });

  it("passes publint", async () => {
    const bytes = new Uint8Array(readFileSync(tarball));
    const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });
});

describe("msgctl, installed without a registry,", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "msgctl-installed-")));
  const prefix = join(folder, "global");
  const service = new MsgdFolder();

  beforeAll(async () => {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true }));
    mkdirSync(prefix);
    npm("install", tarball);
    npm("install", "--global", "--prefix", prefix, tarball);
    await service.shareDemo();
  });
  afterAll(async () => {
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  // npm looks for a newer npm even with --offline
  const env = { ...cleanEnvironment(folder), npm_config_update_notifier: "false" };

  /** Runs npm with an empty cache and no network, so that all files have to come from the tarball. */
  function npm(...words: string[]): string {
    const { file, args, options } = npmCommand([...words, "--offline", "--cache", join(folder, "cache"), "--no-audit"]);
    return execFileSync(file, args, { ...options, cwd: folder, env, encoding: "utf8" });
  }

  function msgctl(...args: string[]): Promise<Ended> {
    const program = [process.execPath, join(folder, "node_modules/msgctl/bin/msgctl.cjs")] as const;
    return runMsgctl(args, { cwd: service.parent, program });
  }

  it("is the only installed package", () => {
    expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["msgctl"]);
  });

  it("can be run with npx", () => {
    const { file, args, options } = npmCommand(["exec", "--offline", "--", "msgctl", "--version"]);
    const version = execFileSync(file, args, {
      ...options,
      cwd: folder,
      env: cleanEnvironment(folder),
      encoding: "utf8",
    });
    const contract = /^ {2}version: (\S+)$/m.exec(readFileSync(join(root, "openapi.yaml"), "utf8"))?.[1];
    expect(version).toBe(`msgctl ${manifest.version} (contract ${contract})\n`);
  });

  it("shows its help", async () => {
    const { exitCode, stdout, stderr } = await msgctl("--help");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("COMMAND GROUPS");
  });

  it.each([
    ["a table", ["merchants", "list"], /^demo /m],
    ["a query over YAML", ["merchants", "list", "-q", "[].merchantId", "-o", "yaml"], /^- demo$/m],
    ["a curl command", ["merchants", "list", "--curl"], /^curl /m],
    ["the schema of a command", ["schema", "send", "sms"], /"operationId": "sendSms"/],
    ["a completion script", ["completion", "bash"], /complete -F _msgctl msgctl/],
  ])("prints %s", async (_, args, printed) => {
    const { exitCode, stdout } = await msgctl(...args, "--profile", "demo");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(printed);
  });

  it.skipIf(process.platform === "win32")("provides man pages if it is installed globally", () => {
    const pages = listFiles(join(prefix, "lib/node_modules/msgctl/man"));
    expect(readdirSync(join(prefix, "share/man/man1")).sort()).toEqual(pages);
  });
});
