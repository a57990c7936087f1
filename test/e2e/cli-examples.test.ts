// Runs every example that msgctl shows, unchanged: those of the help, and the command lines of docs/cli.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalog } from "../../packages/cli/src/catalog.ts";
import { allGroups } from "../../packages/cli/src/model/catalog.ts";
import type { Example } from "../../packages/cli/src/model/record.ts";
import { shellLine } from "../../packages/cli/src/process/shell-word.ts";
import { ExampleWorld } from "./example-world.ts";
import { runMsgctl } from "./msgctl-process.ts";

interface Exception {
  /** Why the line cannot exit with 0 here. */
  reason: string;
  /** The expected exit code; undefined if the line is not run. */
  exitCode?: number;
}

/** Exceptions, by the line without `msgctl`. All other lines exit with 0. */
const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  "auth login": { exitCode: 9, reason: "no user at a terminal can answer the questions" },
  "auth login --profile prod --base-url https://api.example.com": {
    ...{ exitCode: 9, reason: "no user at a terminal can enter the credential" },
  },
  "registration wait bright-dental --wait-timeout 600": {
    ...{ exitCode: 8, reason: "the merchant has no brand, and waiting creates none" },
  },
};

const world = new ExampleWorld();
beforeAll(() => world.start());
afterAll(() => world.remove());

const commands = [...allGroups(catalog).flatMap((group) => group.commands), ...catalog.rootCommands];
const operations = await examplesOf(
  commands.flatMap((entry) => ("operationId" in entry ? [catalog.record(entry.operationId)] : [])),
);
const defined = await examplesOf(
  commands.flatMap((entry) => ("words" in entry ? [catalog.definition(entry.words)] : [])),
);
const firstSteps = catalog.index.examples.map(asCase);
const inDocuments = linesOf("docs/cli");
const known = new Set([...operations, ...defined, ...firstSteps].map(([line]) => line));

type Case = [line: string, argv: readonly string[]];

async function examplesOf(found: readonly Promise<{ examples: readonly Example[] }>[]): Promise<Case[]> {
  const all = await Promise.all(found);
  for (const { examples } of all) expect(examples.length).toBeGreaterThan(0);
  return all.flatMap(({ examples }) => examples.map(asCase));
}

function asCase({ argv }: Example): Case {
  return [shellLine(argv), argv];
}

/** The shell lines of a folder's pages that begin with `msgctl`, without that word. Omits lines with placeholders. */
function linesOf(folder: string): string[] {
  const path = fileURLToPath(new URL(`../../${folder}`, import.meta.url));
  const lines = readdirSync(path).flatMap((name) => {
    const blocks = readFileSync(join(path, name), "utf8").matchAll(/^```sh\n([\s\S]*?)^```$/gm);
    return [...blocks].flatMap(([, block = ""]) => block.replaceAll(/ \\\n +/g, " ").split("\n"));
  });
  const commandLines = lines.filter((line) => line !== "" && !line.startsWith("#"));
  expect(commandLines.filter((line) => !line.startsWith("msgctl "))).toEqual([]);
  return commandLines
    .filter((line) => !/ <[a-z-]+>( |$)|\[flags\]/.test(line))
    .map((line) => line.replace(/^msgctl /, ""));
}

/** Expects an exit code. If it differs, the failure also shows standard error. */
function expectEnd(line: string, { exitCode, stderr }: { exitCode: number | null; stderr: string }): void {
  const expected = EXCEPTIONS[line]?.exitCode ?? 0;
  expect({ exitCode, stderr: exitCode === expected ? "" : stderr }).toEqual({ exitCode: expected, stderr: "" });
}

const isRun = (line: string) => EXCEPTIONS[line] === undefined || EXCEPTIONS[line].exitCode !== undefined;

describe("the examples of operations, without a server or a credential", () => {
  it.each(operations)("%s", async (line, argv) => {
    const nowhere = { cwd: world.makeHome([]) };
    const { exitCode, stdout, stderr } = await runMsgctl([...argv, "--dry-run", "-o", "json"], nowhere);
    expectEnd(line, { exitCode, stderr });
    expect(JSON.parse(stdout)).toMatchObject({ method: expect.any(String), url: expect.stringContaining("/api/v1/") });
  });
});

describe("the examples of defined commands, with a demo server", () => {
  it.each(defined.filter(([line]) => isRun(line)))("%s", async (line, argv) =>
    expectEnd(line, await world.run(argv, world.makeHome())),
  );
});

it("the first steps of the help run one after the other", async () => {
  for (const [line, argv] of firstSteps) expectEnd(line, await world.run(argv, world.makeHome()));
});

describe.skipIf(process.platform === "win32")("the command lines of docs/cli that are not examples", () => {
  it.each(inDocuments.filter((line) => !known.has(line) && isRun(line)))("%s", async (line) => {
    expectEnd(line, await world.paste(`msgctl ${line}`, world.makeHome()));
  });
});

describe("the examples", () => {
  it("of the help are all in docs/cli", () => {
    expect([...known].filter((line) => !inDocuments.includes(line))).toEqual([]);
  });

  it("include each line for which an exception is made", () => {
    expect(Object.keys(EXCEPTIONS).filter((line) => !known.has(line) && !inDocuments.includes(line))).toEqual([]);
  });
});
