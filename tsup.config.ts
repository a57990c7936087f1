import { defineConfig, type Options } from "tsup";

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
    entry: { index: "packages/sdk/src/index.ts" },
    outDir: "packages/sdk/dist",
    format: ["esm", "cjs"],
    target: "es2022",
    platform: "neutral",
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
  },
]);
