// The calls that /docs shows can be pasted and run. Its search finds every page.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalog } from "../../packages/cli/src/catalog.ts";
import { readContract } from "../../packages/codegen/src/document/contract.ts";
import { callsOf } from "../../packages/codegen/src/pages/contract/calls.ts";
import { renderSite } from "../../packages/codegen/src/pages/contract/site.ts";
import { findEntries, type SearchEntry } from "../../packages/server/src/docs-site/client/search-box.ts";
import { cleanEnvironment, runMsgctl } from "../e2e/msgctl-process.ts";
import { MsgdFolder } from "../e2e/msgd-process.ts";

const contract = readContract(readFileSync("openapi.yaml", "utf8"), "openapi.yaml");
const calls = new Map(
  contract.operations.map((operation) => [operation.operationId, callsOf(contract, operation)] as const),
);
const examples = [...calls];
const isPosix = process.platform !== "win32";
const canCurl = isPosix && spawnSync("curl", ["--version"]).status === 0;

const folder = new MsgdFolder();
let env: Record<string, string>;
beforeAll(async () => {
  const { baseUrl } = await folder.shareDemo();
  const { apiKey, apiSecret } = folder.demoCredential;
  const variables = { MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret, MSGCTL_BASE_URL: baseUrl };
  env = { ...cleanEnvironment(folder.parent), ...variables } as Record<string, string>;
});
afterAll(() => folder.remove());

/** The arguments into which a shell splits a command, without the program. */
function wordsOf(program: string, line: string): string[] {
  const script = `${program}() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${line}`;
  const { stdout, status } = spawnSync("sh", ["-euc", script], { env: { ...process.env, ...env } });
  expect(status).toBe(0);
  return stdout.toString().split("\0").slice(0, -1);
}

describe.runIf(isPosix)("/docs, for a shell,", () => {
  it.each(examples)("shows msgctl's own first example of %s", async (id, { msgctl }) => {
    const record = await catalog.record(id);
    expect(wordsOf("msgctl", msgctl)).toEqual(record.examples[0]?.argv);
  });

  it.each(examples)("shows a curl request of %s with a complete body", (_id, { curl }) => {
    const words = wordsOf("curl", curl);
    expect(words.find((word) => word.startsWith(`${env.MSGCTL_BASE_URL}/api/v1/`))).toBeDefined();
    expect(words).toContain(`X-API-KEY: ${env.MSGCTL_API_KEY}`);
    const at = words.indexOf("-d");
    if (at >= 0) expect(typeof JSON.parse(words[at + 1] ?? "")).toBe("object");
  });
});

it.each(examples)("/docs shows a program of %s with valid syntax", (_id, { typescript }) => {
  const { diagnostics } = ts.transpileModule(typescript, { reportDiagnostics: true });
  expect(diagnostics).toEqual([]);
});

describe("the search of /docs", () => {
  const entries: SearchEntry[] = JSON.parse(renderSite(contract).get("search.json") ?? "");
  const found = (query: string) => findEntries(entries, query).map(({ href }) => href);

  it("finds each operation by id, path, method and path, and command", () => {
    for (const { operationId, method, path, command } of contract.operations) {
      const words = `${command.group} ${command.name}`;
      const href = `/docs/${command.group}/${command.name}`;
      for (const query of [operationId, operationId.toUpperCase(), `${method} ${path}`, `msgctl ${words}`]) {
        expect.soft(found(query)[0], query).toBe(href);
      }
      // GET and POST share paths, so a path may find several operations
      for (const query of [path, words]) expect.soft(found(query), query).toContain(href);
    }
  });

  it("finds each error by its code", () => {
    for (const { code } of contract.problems) expect(found(code)[0]).toBe(`/docs/errors/${code}`);
  });
});

describe("the shown calls, run against a server:", () => {
  const replaced = (text: string) => text.replaceAll("bright-dental", "demo");
  const some = ["listMerchants", "getMerchant", "sendSms", "recordConsent"];

  it.runIf(canCurl).each(some)("%s by curl", (id) => {
    const command = replaced(calls.get(id)?.curl ?? "");
    const script = `curl() { command curl -sS --fail-with-body "$@"; }\n${command}`;
    const { status, stdout, stderr } = spawnSync("sh", ["-euc", script], { env });
    expect([status, stderr.toString()]).toEqual([0, ""]);
    expect(stdout.toString()).toContain('"demo"');
  });

  it.runIf(isPosix).each(some)("%s by msgctl", async (id) => {
    const words = wordsOf("msgctl", replaced(calls.get(id)?.msgctl ?? ""));
    const { exitCode, stdout, stderr } = await runMsgctl([...words, "-o", "json"], { cwd: folder.parent, env });
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toContain('"demo"');
  });

  it.each(some)("%s by the SDK", async (id) => {
    const file = join(folder.parent, `${id}.mts`);
    const sdk = pathToFileURL(join(process.cwd(), "packages/sdk/dist/index.js")).href;
    writeFileSync(file, replaced(calls.get(id)?.typescript ?? ""));
    const outfile = join(folder.parent, `${id}.mjs`);
    const alias = {
      name: "sdk",
      setup: (b: import("esbuild").PluginBuild) => {
        b.onResolve({ filter: /^@msgctl\/sdk$/ }, () => ({ path: sdk, external: true }));
      },
    };
    await build({ entryPoints: [file], outfile, bundle: true, format: "esm", platform: "node", plugins: [alias] });
    const { status, stdout, stderr } = spawnSync(process.execPath, [outfile], { env });
    expect([status, stderr.toString()]).toEqual([0, ""]);
    expect(stdout.toString()).toContain("demo");
  });
});
