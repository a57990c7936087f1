// The packed SDK in a bundle for an edge worker, which runs with only the web's standard globals.

import { cpSync } from "node:fs";
import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ownResource } from "../bench/sdk/clients.ts";
import { type Bundle, bundle, forEdge } from "./bundled.ts";
import { answerExercise, serve } from "./loopback-service.ts";
import { installSdk, root } from "./packed.ts";
import { expected } from "./programs/exercise.mjs";

/** Globals of an edge worker besides the language's: the part of the Minimum Common Web API that a client may need. */
const webGlobals = {
  ...{ fetch, Headers, Request, Response, URL, URLSearchParams, ReadableStream, FormData, Blob },
  ...{ AbortController, AbortSignal, crypto, performance, TextDecoder, TextEncoder, atob, btoa },
  ...{ setTimeout, clearTimeout, queueMicrotask, structuredClone },
};
const program = `
  import * as sdk from "@msgctl/sdk";
  import * as webhooks from "@msgctl/sdk/webhooks";
  import { exercise } from "./exercise.mjs";
  globalThis.exerciseAt = (baseUrl) => exercise(sdk, webhooks, baseUrl).then(JSON.stringify);
`;

const { folder, remove } = installSdk();
afterAll(remove);
let made: Bundle;
beforeAll(async () => {
  cpSync(join(root, "test/packages/programs/exercise.mjs"), join(folder, "exercise.mjs"));
  made = await bundle(program, folder, forEdge);
});

/** Creates a context without process, Buffer, require and code generation from strings, as in edge workers. */
function worldWith<Globals extends object>(globals: Globals): Globals {
  const world = createContext({ ...globals }, { codeGeneration: { strings: false, wasm: false } });
  new Script(made.text).runInContext(world);
  return world as Globals;
}

it("the bundle contains only the SDK", () => {
  const packages = made.inputs.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path);
  expect([...new Set(packages)].sort()).toEqual(["@msgctl/sdk", "exercise.mjs", "program.js"]);
});

it("the SDK uses no global while it is loaded", () => {
  expect(Object.keys(worldWith({}))).toEqual(["exerciseAt"]);
});

it("the SDK works with only the web's globals", async () => {
  const service = await serve(answerExercise());
  try {
    const world = worldWith({ ...webGlobals, exerciseAt: async (_: string) => "not loaded" });
    expect(JSON.parse(await world.exerciseAt(service.origin))).toEqual(expected);
  } finally {
    await service.close();
  }
});

/** Limits in bytes, minified and compressed. */
it.for([
  ["the whole client", 'export { MessagingClient } from "@msgctl/sdk";', 15_000],
  ["one group of methods, and its first POST", ownResource.firstPost, 7_900],
] as const)("%s is small", async ([, text, mostBytes]) => {
  const { text: minified } = await bundle(text, folder, { ...forEdge, format: "esm", minify: true });
  expect(gzipSync(minified).length).toBeLessThanOrEqual(mostBytes);
});
