// Runs the blocks of the tutorial, the how-to guides and the control API's page in order, as a reader would, with one demo
// server and with ports of this suite's own. An `sh` block is pasted into a shell. A `js` block is saved under the name in its
// first line. A `ts` or `python` block is a whole program, which is run.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findFreePort } from "../../packages/server/src/testing/free-port.ts";
import { consumerFaults } from "../e2e/consumer-faults.ts";
import { ExampleWorld } from "../e2e/example-world.ts";
import { type Block, blocksOf } from "./markdown.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Lines that are skipped when their block is run. */
const LEFT_OUT = /^npm start$/;

/**
 * Pages that run last, in this order, because they advance the clock past the tolerance of signatures, and the second empties
 * the database.
 */
const LAST = ["how-to/registration-10dlc.md", "control.md"];

/** Patterns that each page's output has to match, besides succeeding. */
const PRINTED: Readonly<Record<string, readonly RegExp[]>> = {
  "tutorial.md": [
    /^ok {4}credential +accepted/m,
    /^(msg_[0-9A-Z]{26}) QUEUED\n\1 DELIVERED$/m,
    /consent_required/,
    /^refused: exit code 4$/m,
    /\+12025550150,OPT_OUT/,
    /voice\.tts_batch\.finalized +\d+ +COMPLETED +yes/,
    /^# pass 2$/m,
  ],
  "how-to/retries-and-idempotency.md": [/^(msg_\w+) sent\n\1 already sent$/m],
  "how-to/consent-and-quiet-hours.md": [/^may be reminded$/m, /OPTED_OUT/, /^no more reminders$/m],
  "how-to/bulk-sends.md": [
    /^2 rows \(2 segments\) would be sent/m,
    /^2 rows: 2 done, 0 failed/m,
    /^row 1: did not agree\n1 sent$/m,
  ],
  "how-to/agents.md": [/"merchantId":"demo"/, /--allow-billable/],
  "how-to/callbacks.md": [/^handled invoice\.paid\n204\n204$/m],
  "how-to/mock-for-any-language.md": [
    /^msgctl-mock listening on http:\/\/127\.0\.0\.1:\d+$/m,
    /^first: 503\nthen: DELIVERED$/m,
    /Demo Bakery/,
  ],
  "how-to/monthly-report.md": [
    /^SMS and email \d+\.\d{6}, calls \d+\.\d{6}, all \d+\.\d{6} USD$/m,
    /^not to be billed yet: /m,
  ],
  "how-to/reminders.md": [
    /^\+12025550131 reminded$/m,
    /^\+12025550131 was reminded$/m,
    /^\+12025550132 consent_required$/m,
    /^no more reminders$/m,
  ],
  "how-to/what-happened.md": [/^(msg_\w+) QUEUED\n\1 DELIVERED true$/m],
  "how-to/registration-10dlc.md": [/readyToSend +true/],
  "how-to/error-handling.md": [
    /^msg_\w+\nnot asked, or said no: consent_required\na bug here: \/to$/m,
    /^exit code 4$/m,
    /merchant_not_found/,
  ],
  "how-to/go-to-production.md": [/^ok {4}credential +accepted/m],
  "control.md": [/"status":"DELIVERED","deliveryReason":null,"attempts":2,.*"providerSends":1\b/],
};

const guides = readdirSync(join(root, "docs/how-to")).map((name) => `how-to/${name}`);
const names = ["tutorial.md", ...guides.filter((name) => !LAST.includes(name)).sort(), ...LAST];
const [mockPort, listenPort] = [await findFreePort(), await findFreePort()];
const pages = names.map((name) => ({
  name,
  blocks: blocksOf(onOwnPorts(readFileSync(join(root, "docs", name), "utf8"))),
}));

/** Replaces the ports on which the pages' programs listen, because another program may listen on them. */
function onOwnPorts(page: string): string {
  return page.replaceAll(/\b4010\b/g, String(mockPort)).replaceAll(/\b4811\b/g, String(listenPort));
}

const world = new ExampleWorld();
const tsx = new URL("../../node_modules/tsx/dist/loader.mjs", import.meta.url).href;
beforeAll(async () => {
  await world.start();
  // Replaces npx, whose start takes half a second. test/e2e/readme.test.ts runs the lines of README.md with the real npx.
  const npx = `#!/bin/sh
case "$1" in
  @msgctl/mocks) program="${join(root, "packages/mocks/bin/msgctl-mock.js")}" ;;
  @msgctl/mcp) program="${join(root, "packages/mcp/bin/msgctl-mcp.js")}" ;;
  *) program="${join(root, "node_modules/.bin")}/$1" ;;
esac
shift
exec "$program" "$@"
`;
  writeFileSync(join(world.cwd, "bin/npx"), npx, { mode: 0o755 });
});
afterAll(() => world.remove());

describe.skipIf(process.platform === "win32")("the blocks run unchanged in", () => {
  const [tutorial, ...others] = pages;
  it.for(tutorial === undefined ? [] : [tutorial])("$name", runPage);
  // the guides run in parallel on one server: each uses other contacts, keys and files
  it.concurrent.for(others.filter(({ name }) => !LAST.includes(name)))("$name", runPage);
  it.for(others.filter(({ name }) => LAST.includes(name)))("$name", runPage);
});

async function runPage({ name, blocks }: (typeof pages)[number]): Promise<void> {
  const home = world.makeHome([]);
  const printed: string[] = [];
  for (const [index, block] of blocks.entries()) {
    const line = commandOf(block, `${name.replaceAll(/\W/g, "-")}-${index}`);
    if (line === undefined) continue;
    const { exitCode, stdout, stderr } = await world.paste(line.lines, home, line.env);
    expect({ block: block.text, exitCode, stderr: exitCode === 0 ? "" : `${stderr}${stdout}` }).toEqual({
      ...{ block: block.text, exitCode: 0, stderr: "" },
    });
    printed.push(stdout, stderr);
  }
  for (const expected of PRINTED[name] ?? [/^this page has no line here$/]) {
    expect(printed.join("")).toMatch(expected);
  }
}

/** The shell command that runs a block; undefined if the block is only saved, or skipped. */
function commandOf({ language, text }: Block, stem: string) {
  if (language === "js") {
    writeFileSync(join(world.cwd, fileNameOf(text)), text);
    return undefined;
  }
  if (language === "ts") {
    const file = programPath(stem);
    writeFileSync(file, text);
    return { lines: `node --import ${tsx} ${file}`, env: world.variables };
  }
  if (language === "python") {
    const file = join(world.cwd, `${stem}.py`);
    writeFileSync(file, text);
    return { lines: `python3 ${file}`, env: {} };
  }
  const lines = text.split("\n").filter((line) => !LEFT_OUT.test(line));
  return lines.join("").trim() === "" ? undefined : { lines: lines.join("\n"), env: {} };
}

function fileNameOf(text: string): string {
  const [, name] = /^\/\/ ([a-z.]+\.mjs)\n/.exec(text) ?? [];
  if (name === undefined) throw new Error(`the first line of a program has to name its file: ${text.slice(0, 60)}`);
  return name;
}

function programPath(stem: string): string {
  mkdirSync(join(world.cwd, "programs"), { recursive: true });
  return join(world.cwd, "programs", `${stem}.mts`);
}

describe("the guides", () => {
  it("have only blocks that this test runs", () => {
    const languages = new Set(pages.flatMap(({ blocks }) => blocks.map(({ language }) => language)));
    expect([...languages].sort()).toEqual(["js", "python", "sh", "ts"]);
  });

  it("have at most 90 lines, a block to run and a link to the reference", () => {
    for (const name of guides) {
      const text = readFileSync(join(root, "docs", name), "utf8");
      expect([name, text.split("\n").length]).toEqual([name, expect.toSatisfy((count: number) => count <= 90)]);
      expect(text, name).toMatch(/^```(sh|ts)$/m);
      expect(text, name).toMatch(/\]\(\.\.\//);
    }
  });

  it("have programs that compile", () => {
    const programs = pages.flatMap(({ name, blocks }) =>
      blocks
        .filter(({ language }) => language === "ts")
        .map(({ text }, index) => {
          const file = programPath(`${name.replaceAll(/\W/g, "-")}-checked-${index}`);
          writeFileSync(file, text);
          return file;
        }),
    );
    expect(programs.length).toBeGreaterThanOrEqual(4);
    expect(consumerFaults(programs, world.cwd)).toBe("");
  });
});
