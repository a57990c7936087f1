import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineConfig, type Options } from "tsup";
import { parse } from "yaml";
import { bundledLicences } from "./scripts/bundled-licences.ts";
import { asCommonJs, dataAsJson, replaceModule, withoutEffects, withoutMethods } from "./scripts/cli-bundle.ts";
import { lazyMsw, ownTimers } from "./scripts/common-js.ts";
import { buildDashboardAssets } from "./scripts/dashboard-assets.ts";
import { buildDocsAssets } from "./scripts/docs-assets.ts";
import { buildMcpDocs } from "./scripts/mcp-docs.ts";

/**
 * The folder in which the build is made. scripts/dist.mjs moves the complete build to its final folder, which has the same
 * depth, so that source maps stay valid.
 */
const folder = process.env.BUILD_FOLDER ?? ".cache/build-by-hand";

const shared: Options = {
  format: "esm",
  target: "node20.19",
  sourcemap: true,
  // the contract is never published, so it is bundled into the packages that use it
  noExternal: [/^@msgctl\/contract/, /^@msgctl\/dashboard/],
};

/** Libraries that cannot be bundled into the server: a native module, and one that looks for its own files. */
const installedLibraries = ["better-sqlite3", "fast-json-stringify"];

const serverLicences = bundledLicences("THIRD-PARTY-LICENSES.txt");

/** Optional peer dependencies of the server, which most users do not need. */
const optionalLibraries = ["html-to-text", "nodemailer", "pg", "pg-*", "postal-mime", "smpp", "stripe"];

/** The packages to build, separated by commas; all if it is not set. */
const wanted = process.env.BUILD_PACKAGES?.split(",");

const packages: Options[] = [
  {
    ...shared,
    name: "sdk",
    entry: { index: "packages/sdk/src/index.ts", webhooks: "packages/sdk/src/webhooks/index.ts" },
    // both entries must share the error classes, in CommonJS too; otherwise `instanceof` would fail between them
    splitting: true,
    outDir: join(folder, "sdk"),
    format: ["esm", "cjs"],
    target: "es2022",
    sourcemap: false,
    platform: "neutral",
    // Loading openapi-fetch as a separate package would cost an importing process 1 ms of CPU (Node 20), and comments 0.5 ms;
    // the declarations have the comments. Names are kept for stack traces. openapi-fetch stays a dependency, as the
    // declarations import it.
    noExternal: [/^@msgctl\/contract/, "openapi-fetch"],
    minifyWhitespace: true,
    esbuildOptions(options, { format }) {
      // Inlines the contract's constants, which a user's bundler could not do later. Not for CommonJS: sucrase, with which
      // tsup makes it, would break the class fields.
      options.minifySyntax = format === "esm";
    },
    esbuildPlugins: [bundledLicences("THIRD-PARTY-LICENSES.txt")],
    dts: { resolve: [/^@msgctl\/contract/] },
  },
  {
    ...shared,
    name: "cli",
    entry: { main: "packages/cli/src/main.ts" },
    outDir: join(folder, "cli"),
    minify: true,
    sourcemap: false,
    // splits the code, so that a command loads only the code that it uses
    splitting: true,
    outExtension: () => ({ js: ".cjs" }),
    plugins: [asCommonJs()],
    noExternal: [/.*/],
    // otherwise plugins would not see the name node:child_process
    removeNodeProtocol: false,
    // an optional dependency: a native module, which may not be installed
    external: ["@napi-rs/keyring"],
    esbuildOptions(options) {
      // The private names of commander and jmespath take 5 kB. The reserved names of mute-stream may be names of Node's API.
      options.mangleProps = /^_[a-z]/;
      options.reserveProps = /^_(?:src|dest|prompt|hadControl|onpipe)$/;
    },
    esbuildPlugins: [
      bundledLicences("THIRD-PARTY-LICENSES.txt"),
      dataAsJson({
        // every start needs it
        inline: /packages\/cli\/src\/commands\/index\.ts$/,
        whole: /packages\/cli\/src\/(?:generated\/hints|libraries\/contract|commands\/definitions)\.ts$/,
        // a start needs only one of its records
        split: /packages\/cli\/src\/generated\/records\.ts$/,
      }),
      // larger than everything else together, and used only for a kind of prompt that msgctl never shows
      replaceModule(/^@inquirer\/external-editor$/, "packages/cli/src/bundle/no-editor.ts"),
      replaceModule(/^@inquirer\/figures$/, "packages/cli/src/bundle/figures.ts"),
      replaceModule(/^signal-exit$/, "packages/cli/src/bundle/no-signal-exit.ts"),
      replaceModule(/^fast-wrap-ansi$/, "packages/cli/src/bundle/wrap-ansi.ts"),
      // commander's help, which its index imports too; no other bundled library has a module of this name
      replaceModule(/^\.\/(?:lib\/)?help\.js$/, "packages/cli/src/bundle/no-help.ts"),
      // the SDK's log, which no command enables
      replaceModule(/^\.\/log\.ts$/, "packages/cli/src/bundle/no-log.ts"),
      withoutEffects(/\/js-yaml\/dist\/js-yaml\.mjs$/),
      withoutMethods(/\/commander\/lib\/command\.js$/, [
        ...["_executeSubCommand", "_checkForMissingExecutable", "addHelpText", "parse"],
        ...["_parseOptionsEnv", "_checkForConflictingLocalOptions", "_conflictingOption"],
      ]),
      // commander loads it at each start, for subcommands that are separate programs
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
      // all other libraries are bundled, so that an installation runs the versions that were tested
      options.external = [...installedLibraries, ...optionalLibraries];
      // bundled CommonJS code calls `require` for Node's modules
      options.banner = {
        js: 'import { createRequire as nodeRequire } from "node:module";\nconst require = nodeRequire(import.meta.url);',
      };
    },
    esbuildPlugins: [serverLicences],
    onSuccess: async () => {
      await copyContract(join(folder, "server"));
      // only types, for authors of adapters
      const types = "packages/server/src/generated/carrier-adapter.ts";
      await copyFile(types, join(folder, "server/carrier-adapter.d.ts"));
      await buildDocsAssets(join(folder, "server/docs"));
      await buildDashboardAssets(join(folder, "server/dashboard"));
    },
  },
  {
    // for the mocks: a single file with its libraries, so that jest can load it as CommonJS and fake timers do not affect it
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
    // loaded from node_modules when a test runs, not bundled
    external: [/^@msgctl\/server/, /^msw(?:\/|$)/, /^openapi-msw$/],
    dts: {
      // nothing imports the program, so it needs no declarations
      entry: {
        index: "packages/mocks/src/index.ts",
        light: "packages/mocks/src/light.ts",
        prism: "packages/mocks/src/prism.ts",
      },
      resolve: [/^@msgctl\/contract/],
      // `npm run typecheck` checks the types; checking the whole server again here took half of the build's time
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
    // these are ES modules, which CommonJS cannot require on Node 20
    noExternal: [/^@msgctl\/contract/, "openapi-msw", "msw"],
    esbuildPlugins: [lazyMsw(), bundledLicences("THIRD-PARTY-LICENSES.txt")],
    dts: {
      resolve: [/^@msgctl\/contract/],
      compilerOptions: { noCheck: true },
      banner: '/// <reference lib="esnext.disposable" />',
    },
  },
  {
    ...shared,
    name: "mcp",
    entry: { main: "packages/mcp/src/main.ts" },
    outDir: join(folder, "mcp"),
    minify: true,
    sourcemap: false,
    // the HTTP server is loaded only if it is wanted
    splitting: true,
    noExternal: [/.*/],
    external: ["@napi-rs/keyring"],
    esbuildPlugins: [
      bundledLicences("THIRD-PARTY-LICENSES.txt"),
      replaceModule(/^@modelcontextprotocol\/server\/_shims$/, "packages/mcp/src/bundle/light-shims.ts"),
    ],
    onSuccess: () => buildMcpDocs(join(folder, "mcp/docs")),
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
      // nothing imports the program, so it needs no declarations
      entry: { index: "packages/conformance/src/index.ts" },
      resolve: [/^@msgctl\/contract/],
      // `npm run typecheck` checks the types
      compilerOptions: { noCheck: true },
    },
  },
];

export default defineConfig(packages.filter(({ name = "" }) => wanted?.includes(name) ?? true));

/** Writes the contract next to the server as YAML and as JSON; the server serves both. */
async function copyContract(folder: string): Promise<void> {
  const yaml = await readFile("openapi.yaml", "utf8");
  await writeFile(`${folder}/openapi.yaml`, yaml);
  await writeFile(`${folder}/openapi.json`, JSON.stringify(parse(yaml)));
}
