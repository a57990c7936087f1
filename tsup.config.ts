import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineConfig, type Options } from "tsup";
import { parse } from "yaml";
import { bundledLicences } from "./scripts/bundled-licences.ts";
import { asCommonJs, dataAsJson, replaceModule, withoutEffects, withoutMethods } from "./scripts/cli-bundle.ts";
import { lazyMsw, ownTimers } from "./scripts/common-js.ts";
import { buildDashboardAssets } from "./scripts/dashboard-assets.ts";
import { buildDocsAssets } from "./scripts/docs-assets.ts";

/**
 * A folder next to the final one: scripts/dist.mjs moves the build there once it is complete. As deep, so that source maps
 * stay valid.
 */
const folder = process.env.BUILD_FOLDER ?? ".cache/build-by-hand";

const shared: Options = {
  format: "esm",
  target: "node20.19",
  sourcemap: true,
  // the contract is data and types: it is bundled into its users, and is never published
  noExternal: [/^@msgctl\/contract/, /^@msgctl\/dashboard/],
};

/** Libraries that the server's bundle cannot contain: a native module, and one that finds its own files. */
const installedLibraries = ["better-sqlite3", "fast-json-stringify"];

const serverLicences = bundledLicences("THIRD-PARTY-LICENSES.txt");

/** Peers of the server that most users do without. */
const optionalLibraries = ["html-to-text", "nodemailer", "pg", "pg-*", "postal-mime", "smpp"];

/** The packages to build, separated by commas; all if it is not set. */
const wanted = process.env.BUILD_PACKAGES?.split(",");

const packages: Options[] = [
  {
    ...shared,
    name: "sdk",
    entry: { index: "packages/sdk/src/index.ts", webhooks: "packages/sdk/src/webhooks/index.ts" },
    // both entries share the error classes, in CommonJS too: otherwise `instanceof` would not hold across them
    splitting: true,
    outDir: join(folder, "sdk"),
    format: ["esm", "cjs"],
    target: "es2022",
    sourcemap: false,
    platform: "neutral",
    // To find and read another package costs an importing process 1 ms of CPU (Node 20), and comments 0.5: the declarations
    // have them. Names stay, for stack traces. openapi-fetch is a dependency all the same: the declarations name it.
    noExternal: [/^@msgctl\/contract/, "openapi-fetch"],
    minifyWhitespace: true,
    esbuildOptions(options, { format }) {
      // puts the contract's constants where they are used, which a user's bundler can no longer do; sucrase, with which tsup
      // makes CommonJS of it, breaks the class fields
      options.minifySyntax = format === "esm";
    },
    dts: { resolve: [/^@msgctl\/contract/] },
  },
  {
    ...shared,
    name: "cli",
    entry: { main: "packages/cli/src/main.ts" },
    outDir: join(folder, "cli"),
    minify: true,
    sourcemap: false,
    // code that a command does not use is not loaded
    splitting: true,
    outExtension: () => ({ js: ".cjs" }),
    plugins: [asCommonJs()],
    noExternal: [/.*/],
    // otherwise node:child_process is gone before a plugin sees it
    removeNodeProtocol: false,
    // an optional dependency: a native module, which may not be there
    external: ["@napi-rs/keyring"],
    esbuildOptions(options) {
      // the private names of commander and jmespath are 5 kB; those of mute-stream may be Node's
      options.mangleProps = /^_[a-z]/;
      options.reserveProps = /^_(?:src|dest|prompt|hadControl|onpipe)$/;
    },
    esbuildPlugins: [
      bundledLicences("THIRD-PARTY-LICENSES.txt"),
      dataAsJson({
        // needed by every start
        inline: /packages\/cli\/src\/commands\/index\.ts$/,
        whole: /packages\/cli\/src\/(?:generated\/hints|libraries\/contract|commands\/definitions)\.ts$/,
        // a start needs one of them
        split: /packages\/cli\/src\/generated\/records\.ts$/,
      }),
      // larger than everything else together, for a question that is never asked
      replaceModule(/^@inquirer\/external-editor$/, "packages/cli/src/bundle/no-editor.ts"),
      replaceModule(/^@inquirer\/figures$/, "packages/cli/src/bundle/figures.ts"),
      replaceModule(/^signal-exit$/, "packages/cli/src/bundle/no-signal-exit.ts"),
      replaceModule(/^fast-wrap-ansi$/, "packages/cli/src/bundle/wrap-ansi.ts"),
      // commander's, of all bundled ones: imported by its index, too
      replaceModule(/^\.\/(?:lib\/)?help\.js$/, "packages/cli/src/bundle/no-help.ts"),
      // the SDK's log, which no command enables
      replaceModule(/^\.\/log\.ts$/, "packages/cli/src/bundle/no-log.ts"),
      withoutEffects(/\/js-yaml\/dist\/js-yaml\.mjs$/),
      withoutMethods(/\/commander\/lib\/command\.js$/, [
        ...["_executeSubCommand", "_checkForMissingExecutable", "addHelpText", "parse"],
        ...["_parseOptionsEnv", "_checkForConflictingLocalOptions", "_conflictingOption"],
      ]),
      // commander loads it at each start, for subcommands that are programs of their own
      replaceModule(/^(?:node:)?child_process$/, "packages/cli/src/bundle/no-child-process.ts"),
    ],
  },
  {
    ...shared,
    name: "server",
    entry: {
      main: "packages/server/src/main.ts",
      "checkpoint-thread": "packages/server/src/store/sqlite/checkpoint-thread.ts",
      "cursor-thread": "packages/server/src/store/sqlite/cursor-thread.ts",
      "find-thread": "packages/server/src/search/find-thread.ts",
      "follow-thread": "packages/server/src/search/follow-thread.ts",
      "task-thread": "packages/server/src/dispatch/task-thread.ts",
      "body-thread": "packages/server/src/http/bodies/body-thread.ts",
    },
    outDir: join(folder, "server"),
    splitting: true,
    noExternal: [/.*/],
    esbuildOptions(options) {
      // all others are bundled: an installation runs what was tested
      options.external = [...installedLibraries, ...optionalLibraries];
      // bundled CommonJS requires Node's own modules
      options.banner = {
        js: 'import { createRequire as nodeRequire } from "node:module";\nconst require = nodeRequire(import.meta.url);',
      };
    },
    esbuildPlugins: [serverLicences],
    onSuccess: async () => {
      await copyContract(join(folder, "server"));
      await buildDocsAssets(join(folder, "server/docs"));
      await buildDashboardAssets(join(folder, "server/dashboard"));
    },
  },
  {
    // for the mocks: one file with its libraries, so that jest can load it in CommonJS, and no fake timer reaches them
    ...shared,
    name: "server",
    entry: { "in-process": "packages/server/src/in-process.ts" },
    format: "cjs",
    outDir: join(folder, "server"),
    sourcemap: false,
    splitting: false,
    shims: true,
    minifyWhitespace: true,
    noExternal: [/.*/],
    esbuildOptions(options) {
      options.inject = [...(options.inject ?? []), ownTimers];
      options.external = [...installedLibraries, ...optionalLibraries];
    },
    esbuildPlugins: [serverLicences],
  },
  {
    ...shared,
    name: "mocks",
    entry: {
      index: "packages/mocks/src/index.ts",
      light: "packages/mocks/src/light.ts",
      prism: "packages/mocks/src/prism.ts",
      program: "packages/mocks/src/program/main.ts",
    },
    outDir: join(folder, "mocks"),
    sourcemap: false,
    splitting: true,
    // resolved when a test runs; everything else of node_modules would be bundled
    external: [/^@msgctl\/server/, /^msw(?:\/|$)/, /^openapi-msw$/],
    dts: {
      // the program has no importers
      entry: {
        index: "packages/mocks/src/index.ts",
        light: "packages/mocks/src/light.ts",
        prism: "packages/mocks/src/prism.ts",
      },
      resolve: [/^@msgctl\/contract/],
      // `npm run typecheck` checks types: a second check, of the whole server, took half the time
      compilerOptions: { noCheck: true },
      // for Symbol.asyncDispose, which a consumer's own `lib` may lack
      banner: '/// <reference lib="esnext.disposable" />',
    },
    onSuccess: () => copyFile("openapi.yaml", join(folder, "mocks/openapi.yaml")),
  },
  {
    ...shared,
    name: "mocks",
    entry: { index: "packages/mocks/src/index.ts", light: "packages/mocks/src/light.ts" },
    format: "cjs",
    outDir: join(folder, "mocks"),
    sourcemap: false,
    splitting: false,
    external: [/^@msgctl\/server/],
    // an ES module, which CommonJS cannot require on Node 20
    noExternal: [/^@msgctl\/contract/, "openapi-msw", "msw"],
    esbuildPlugins: [lazyMsw()],
    dts: {
      resolve: [/^@msgctl\/contract/],
      compilerOptions: { noCheck: true },
      banner: '/// <reference lib="esnext.disposable" />',
    },
  },
  {
    ...shared,
    name: "conformance",
    entry: { index: "packages/conformance/src/index.ts", main: "packages/conformance/src/main.ts" },
    outDir: join(folder, "conformance"),
    sourcemap: false,
    splitting: true,
    skipNodeModulesBundle: true,
    dts: {
      // the program has no importers
      entry: { index: "packages/conformance/src/index.ts" },
      resolve: [/^@msgctl\/contract/],
      // `npm run typecheck` does
      compilerOptions: { noCheck: true },
    },
  },
];

export default defineConfig(packages.filter(({ name = "" }) => wanted?.includes(name) ?? true));

/** Copies the contract next to the server, which serves it in both forms. */
async function copyContract(folder: string): Promise<void> {
  const yaml = await readFile("openapi.yaml", "utf8");
  await writeFile(`${folder}/openapi.yaml`, yaml);
  await writeFile(`${folder}/openapi.json`, JSON.stringify(parse(yaml)));
}
