// Tests the built light mocks in a page, and in a process without SQLite.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundle, forBrowser } from "./bundled.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

it("the light mocks need only msw in a page, and no code of Node or of the server", async () => {
  const program = `import * as light from "@msgctl/mocks/light"; globalThis.light = light;`;
  // uses the built files instead of the sources that tsconfig.json names
  const { inputs } = await bundle(program, root, { ...forBrowser, tsconfigRaw: {} });
  const own = inputs.filter((path) => !path.startsWith("node_modules/"));
  expect(own.filter((path) => !/^packages\/mocks\/dist\/(?:light|chunk-\w+)\.js$/.test(path))).toEqual(["program.js"]);
  const packages = inputs.flatMap((path) => /^node_modules\/(@[^/]+\/[^/]+|[^/]+)/.exec(path)?.[1] ?? []);
  expect(packages).toEqual(expect.arrayContaining(["msw", "openapi-msw"]));
  expect(packages.filter((name) => /sqlite|fastify|^@msgctl/.test(name))).toEqual([]);
});

/** Loader hooks that hide the server and its dependencies. */
const hooks = `export async function resolve(specifier, context, next) {
  if (/sqlite|fastify|@msgctl.server/.test(specifier)) throw new Error("kept away: " + specifier);
  return next(specifier, context);
}`;
const keepAway = `import { register } from "node:module"; register(${JSON.stringify(dataUrl(hooks))});`;

function dataUrl(script: string): string {
  return `data:text/javascript,${encodeURIComponent(script)}`;
}

it("the light mocks work without better-sqlite3", async () => {
  const program = `
    import { setupServer } from "msw/node";
    import { exampleHandlers, exampleOf } from "@msgctl/mocks/light";
    const sqlite = await import("better-sqlite3").catch((error) => error.message);
    setupServer(...exampleHandlers("https://api.example.com")).listen();
    const reply = await fetch("https://api.example.com/api/v1/alerts");
    console.log(JSON.stringify({ sqlite, status: reply.status, isExample: JSON.stringify(await reply.json()) === JSON.stringify(exampleOf("listAlerts")) }));`;
  const words = ["--import", dataUrl(keepAway), "--input-type", "module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root, timeout: 100_000 });
  expect(JSON.parse(stdout)).toEqual({ sqlite: "kept away: better-sqlite3", status: 200, isExample: true });
});
