// Joins the snippets of the SDK's README into one program, in order, and compiles and runs it against a demo server. Later
// snippets may use a name that is declared at the top of an earlier one.

import { execFile } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { consumerFaults } from "./consumer-faults.ts";
import { MsgdFolder } from "./msgd-process.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const readme = readFileSync(join(root, "packages/sdk/README.md"), "utf8");
const folder = new MsgdFolder();
const program = join(folder.parent, "readme.mts");
let environment: Record<string, string>;

beforeAll(async () => {
  symlinkSync(join(root, "node_modules"), join(folder.parent, "node_modules"), "junction");
  const server = await folder.shareDemo();
  const { apiKey, apiSecret } = folder.demoCredential;
  environment = { MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret, MSGCTL_BASE_URL: server.baseUrl };
  writeFileSync(program, toProgram(snippetsOf(readme)));
});
afterAll(() => folder.remove());

function snippetsOf(text: string): string[] {
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, snippet = ""]) => snippet);
}

/** Joins the snippets. The first creates the client; each later one gets its own scope. */
function toProgram(snippets: readonly string[]): string {
  const imports = new Set<string>();
  const [first = "", ...others] = snippets.map((snippet) =>
    snippet.replaceAll(/^import [\s\S]*?;\n/gm, (line) => {
      for (const name of namesIn(line)) imports.add(name);
      return "";
    }),
  );
  return [...imports, first, ...others.map((snippet) => `{\n${snippet}}\n`)].join("\n");
}

/** Splits an import into one per name, so that two snippets may import the same name. */
function namesIn(line: string): string[] {
  const [, isType, names = "", from] = /^import (type )?\{([^}]*)\} from ("[^"]+");/.exec(line) ?? [];
  return names.split(",").map((name) => `import ${isType ?? ""}{ ${name.trim()} } from ${from};`);
}

it("the README has a snippet for each of its parts", () => {
  const parts = readme.split(/^## /m).slice(1);
  const without = parts.filter((part) => !/^```(ts|sh)$/m.test(part)).map((part) => part.split("\n", 1)[0]);
  expect(without).toEqual(["Runtimes"]);
});

it("the README's program compiles", () => {
  expect(consumerFaults([program], folder.parent)).toBe("");
});

it("the README's program runs, and prints the output that the README shows", async () => {
  const tsx = new URL("../../node_modules/tsx/dist/loader.mjs", import.meta.url).href;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--import", tsx, program], {
    cwd: folder.parent,
    env: { PATH: process.env.PATH, ...environment },
    timeout: 100_000,
  });
  // The log line that the README shows.
  expect(stderr).toMatch(/^@msgctl\/sdk: GET \S+\/merchants\/nobody, NotFoundError: There is no .*\n$/);
  for (const said of [
    /^msg_\w+ QUEUED$/m,
    /^Demo\b.* 200 \S+ 1$/m,
    /nobody.* \(merchant_not_found, HTTP 404/,
    /^consent_required$/m,
    /^true [A-Z]+$/m,
    /^COMPLETED \d/m,
    /^GET \/api\/v1\/merchants 1 200$/m,
    /^\[\]$/m,
    /^true false$/m,
    /^\{"callSessionId":9007199254740993\}$/m,
  ])
    expect(stdout).toMatch(said);
});
