import { readFile, writeFile } from "node:fs/promises";
import { defineConfig, type Options } from "tsup";
import { parse } from "yaml";
import { bundledLicences } from "./scripts/bundled-licences.ts";

const shared: Options = {
  format: "esm",
  target: "node20.19",
  clean: true,
  sourcemap: true,
  // the contract is data and types: it goes into whoever uses it, and is never published
  noExternal: [/^@msgctl\/contract/],
};

export default defineConfig([
  {
    ...shared,
    name: "sdk",
    entry: { index: "packages/sdk/src/index.ts", webhooks: "packages/sdk/src/webhooks/index.ts" },
    // both entries share the error classes, in CommonJS too: else `instanceof` would not hold across them
    splitting: true,
    outDir: "packages/sdk/dist",
    format: ["esm", "cjs"],
    target: "es2022",
    sourcemap: false,
    platform: "neutral",
    // To find and read another package costs an importing process 1 ms of CPU (Node 20), and comments 0.5: the declarations
    // have them. Names stay, for stack traces. openapi-fetch is a dependency all the same: the declarations name it.
    noExternal: [/^@msgctl\/contract/, "openapi-fetch"],
    minifyWhitespace: true,
    dts: { resolve: [/^@msgctl\/contract/] },
  },
  {
    ...shared,
    name: "cli",
    entry: { main: "packages/cli/src/main.ts" },
    outDir: "packages/cli/dist",
    minify: true,
    sourcemap: false,
    splitting: true,
    noExternal: [/.*/],
    esbuildPlugins: [bundledLicences("packages/cli/dist/THIRD-PARTY-LICENSES.txt")],
    esbuildOptions: (options) => {
      // more than everything else together, for a question that is never asked
      options.alias = { "@inquirer/external-editor": "./packages/cli/src/prompts/no-editor.ts" };
    },
    // commander is CommonJS, and asks for Node's own modules by require
    banner: { js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);' },
  },
  {
    ...shared,
    name: "server",
    entry: {
      main: "packages/server/src/main.ts",
      "checkpoint-thread": "packages/server/src/store/sqlite/checkpoint-thread.ts",
    },
    outDir: "packages/server/dist",
    splitting: true,
    skipNodeModulesBundle: true,
    onSuccess: () => copyContract("packages/server/dist"),
  },
]);

/** Leaves the contract beside the server, which serves it in both forms. */
async function copyContract(folder: string): Promise<void> {
  const yaml = await readFile("openapi.yaml", "utf8");
  await writeFile(`${folder}/openapi.yaml`, yaml);
  await writeFile(`${folder}/openapi.json`, JSON.stringify(parse(yaml)));
}
