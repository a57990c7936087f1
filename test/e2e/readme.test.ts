// Uses the README as a newcomer would: pastes and runs its commands, and those that the server prints at its start.

import { exec, execFile } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { MsgdFolder, type MsgdProcess } from "./msgd-process.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const shellLines = blocksOf("sh").flatMap((block) => block.trim().split("\n"));
const folder = new MsgdFolder();
let server: MsgdProcess;

beforeAll(async () => {
  // A junction, because Windows requires a privilege for symbolic links.
  symlinkSync(join(root, "node_modules"), join(folder.parent, "node_modules"), "junction");
  server = await folder.serveDemo();
});
afterAll(() => folder.remove());

/** The fenced blocks of a language. */
function blocksOf(language: string): string[] {
  return [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, name, text = ""]) => {
    return name === language ? [text] : [];
  });
}

interface Ended {
  /** The exit code, or the system's error code if the program did not start. */
  readonly exitCode: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Pastes a line into a shell, in the folder where the demo server was started. */
function paste(line: string): Promise<Ended> {
  return new Promise((resolve) => exec(line, options(), endedAs(resolve)));
}

function startNode(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => execFile(process.execPath, args, options(), endedAs(resolve)));
}

/** Options whose environment omits variables of `npm test` and of the developer that would affect npx and msgctl. */
function options() {
  const foreign = Object.entries(process.env).filter(([name]) => !/^(MSGCTL_|npm_)/i.test(name));
  // npx must use the installed packages, and never a registry.
  const env = { ...Object.fromEntries(foreign), HOME: folder.parent, npm_config_offline: "true" };
  return { cwd: folder.parent, env, encoding: "utf8" } as const;
}

function endedAs(resolve: (ended: Ended) => void) {
  return (error: { code?: number | string | null | undefined } | null, stdout: string, stderr: string) => {
    resolve({ exitCode: error === null ? 0 : (error.code ?? null), stdout, stderr });
  };
}

async function expectSuccess(line: string): Promise<void> {
  const { exitCode, stdout, stderr } = await paste(line);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.not.stringMatching(/error:/) });
  expect(stdout.trim()).not.toBe("");
}

describe("msgctl in the README", () => {
  const lines = shellLines.filter((line) => line.startsWith("npx msgctl "));

  it("is shown in at least five commands", () => expect(lines.length).toBeGreaterThanOrEqual(5));
  it.each(lines)("succeeds: %s", expectSuccess);
});

it("the server prints commands at its start, and they work unchanged", async () => {
  const lines = () => server.written.split("\n").map((line) => line.trim());
  const commands = () => lines().filter((line) => line.startsWith("npx msgctl "));
  await vi.waitFor(() => expect(server.written).toContain("Ctrl-C stops the server."), 60_000);
  expect(commands()).toHaveLength(3);
  for (const command of commands()) await expectSuccess(command);
});

describe("the SDK in the README", () => {
  const [snippet = "", ...others] = blocksOf("js");

  it("is the program in examples/first-send.mjs", () => {
    expect(others).toEqual([]);
    expect(snippet).toBe(readFileSync(join(root, "examples/first-send.mjs"), "utf8"));
  });

  it("sends a message", async () => {
    writeFileSync(join(folder.parent, "first-send.mjs"), snippet);
    expect(await startNode("first-send.mjs")).toEqual({
      ...{ exitCode: 0, stdout: expect.stringMatching(/^msg_[0-9A-Z]{26} QUEUED\n$/), stderr: "" },
    });
  });
});

describe("msgd in the README", () => {
  const lines = shellLines.filter((line) => /^bin\/msgd (tenants|keys) /.test(line));

  it("is shown in two commands", () => expect(lines).toHaveLength(2));
  it.each(lines)("succeeds: %s", async (line) => {
    const msgd = `"${process.execPath}" "${join(root, "bin/msgd")}"`;
    await expectSuccess(line.replace(/^bin\/msgd/, () => msgd).replace("/var/lib/msgd", () => `"${folder.path}"`));
  });
});
