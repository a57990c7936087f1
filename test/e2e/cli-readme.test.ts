// Runs the README of msgctl as a session in a shell: its blocks in order, in the home of a new user, with a demo server.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalog } from "../../packages/cli/src/catalog.ts";
import { allGroups } from "../../packages/cli/src/model/catalog.ts";
import { ExampleWorld } from "./example-world.ts";

const readme = readFileSync(new URL("../../packages/cli/README.md", import.meta.url), "utf8");

/** Lines that are skipped when their block is run. */
const LEFT_OUT: readonly { line: RegExp; reason: string }[] = [
  { line: /^npm install --global msgctl\b/, reason: "test/packages/cli-tarball.test.ts installs the packed msgctl" },
];

/** Commands that the README names before they exist. Remove a command from this list once it exists. */
const NOT_YET: readonly string[] = [];

/** Patterns that a part's output has to match, besides succeeding. */
const PRINTED: Readonly<Record<string, readonly RegExp[]>> = {
  Install: [/^msgctl \d+\.\d+\.\d+ \(contract \d+\.\d+\.\d+\)$/m],
  "First send": [/msg_[0-9A-Z]{26}/, /^ +direct-sms /m],
  "Log in": [/^Profile prod is the current one\.$/m],
  Lists: [
    /^Every row can be sent/m,
    /^2 rows: 2 done, 0 failed/m,
    /^all 2 rows went out on .*: rows that are not new are left out\.$/m,
  ],
  Queries: [/^demo$/m, /^merchantId,usage\.smsUsed$/m],
  Scripts: [/^msg_[0-9A-Z]{26}$/m],
  "See the request first": [/"method": "POST"/, /^curl /m, /^> POST /m],
  "When something is wrong": [/^ok {4}credential +accepted/m, /^< HTTP 200/m, /^ +130 /m],
};

interface Part {
  title: string;
  blocks: readonly string[];
}

const parts = readme
  .split(/^## /m)
  .slice(1)
  .map((text): Part => ({ title: text.split("\n", 1)[0] ?? "", blocks: blocksOf(text, "sh") }))
  .filter(({ blocks }) => blocks.length > 0);

function blocksOf(text: string, language: string): string[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, block = ""]) => {
    return name === language ? [block] : [];
  });
}

const commands = [
  ...allGroups(catalog).flatMap((group) => group.commands.map(({ name }) => `${group.name} ${name}`)),
  ...catalog.rootCommands.map(({ name }) => name),
];

function isRun(line: string): boolean {
  if (LEFT_OUT.some((left) => left.line.test(line))) return false;
  return !NOT_YET.some((words) => line.startsWith(`msgctl ${words} `));
}

const needsJq = (block: string) => /\bjq\b/.test(block);
const hasJq = spawnSync("jq", ["--version"]).status === 0;

const world = new ExampleWorld();
let home = "";
beforeAll(async () => {
  await world.start();
  home = world.makeHome([]);
});
afterAll(() => world.remove());

describe.skipIf(process.platform === "win32")("the commands in this part of the README run:", () => {
  it.for(parts)("$title", async ({ title, blocks }, { skip }) => {
    skip(!hasJq && blocks.some(needsJq), "jq is not installed");
    const printed: string[] = [];
    for (const block of blocks) {
      const lines = block.split("\n").filter(isRun).join("\n");
      if (lines.trim() === "") continue;
      const { exitCode, stdout, stderr } = await world.paste(lines, home);
      expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
      printed.push(stdout, stderr);
    }
    for (const expected of PRINTED[title] ?? []) expect(printed.join("")).toMatch(expected);
  });

  it("CI: runs the steps of the workflow with only the environment variables", async () => {
    const [workflow = ""] = blocksOf(readme, "yaml");
    const names = [...workflow.matchAll(/^ {2}(MSGCTL_\w+):/gm)].map(([, name]) => name);
    expect(names.sort()).toEqual(Object.keys(world.variables).sort());
    const steps = [...workflow.matchAll(/^ {2}- run: (.+)$/gm)].map(([, line = ""]) => line);
    expect(steps.length).toBeGreaterThan(0);
    for (const line of steps) {
      const { exitCode, stderr } = await world.paste(line, world.makeHome([]), { ...world.variables, CI: "true" });
      expect({ line, exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ line, exitCode: 0, stderr: "" });
    }
  });

  it("Completion: prints the script for PowerShell", async () => {
    const [block = ""] = blocksOf(readme, "powershell");
    const [, line = ""] = /'(msgctl .+?) \| Out-String \| Invoke-Expression'\n$/.exec(block) ?? [];
    expect(await world.paste(line, home)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Register-") });
  });
});

describe("the README", () => {
  it("has only blocks that this test runs", () => {
    const languages = [...readme.matchAll(/^```(\w*)\n[\s\S]*?^```$/gm)].map(([, language]) => language);
    expect([...new Set(languages)].sort()).toEqual(["powershell", "sh", "yaml"]);
  });

  it("names each skipped command, and lists no existing command as missing", () => {
    const lines = parts.flatMap(({ blocks }) => blocks.flatMap((block) => block.split("\n")));
    for (const { line } of LEFT_OUT) expect(lines.filter((candidate) => line.test(candidate))).toHaveLength(1);
    expect(NOT_YET.filter((words) => !lines.some((line) => line.startsWith(`msgctl ${words} `)))).toEqual([]);
    expect(NOT_YET.filter((words) => commands.includes(words))).toEqual([]);
  });

  it("links to existing headings", () => {
    const headings = [...readme.matchAll(/^## (.+)$/gm)].map(([, title = ""]) =>
      title.toLowerCase().replaceAll(" ", "-"),
    );
    const links = [...readme.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(links.filter((anchor) => !headings.includes(anchor ?? ""))).toEqual([]);
  });
});
