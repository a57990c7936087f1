import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const ENGINES = "**/*.engines.test.ts";
const PRODUCT = "**/*.product.test.ts";

/**
 * The suites that run on SQLite in `fast` and again on PostgreSQL in `engines`: those whose SQL, locks or transactions differ
 * between the two. They take their databases from packages/server/src/testing/engine.ts.
 */
const onBothEngines = [
  "packages/server/src/steps/**/*.test.ts",
  "packages/server/src/operations/{alerts,billing,consents,merchants,messages,registration,reports,tts-calls}.test.ts",
  "packages/server/src/operations/registration/*.test.ts",
  "packages/server/src/dispatch/{calls,callbacks,carriers,jobs,messages}/**/*.test.ts",
  "packages/server/src/dispatch/{providers/,}*.test.ts",
  "packages/server/src/store/*.test.ts",
  "packages/server/src/search/{followed-index,search-source}.test.ts",
  "packages/server/src/testing/engine.test.ts",
  "packages/server/src/{batches-in-slices,clock-set-back,last-backup}.test.ts",
  "packages/server/src/dashboard/{audit,callbacks,keys,named-things,projects}.test.ts",
  "packages/conformance/test/{reached,replay}.test.ts",
  "test/e2e/search-threads.test.ts",
];

/**
 * Four projects. A suite in packages/ or test/house is `fast` and one in test/ is `product`, unless its suffix or the folder
 * test/smoke says otherwise. CONTRIBUTING.md says what each project answers.
 */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^@msgctl\/contract$/, replacement: source("packages/contract/src/index.ts") },
      { find: /^@msgctl\/contract\/constants$/, replacement: source("packages/contract/src/generated/constants.ts") },
      { find: /^@msgctl\/contract\/schemas$/, replacement: source("packages/contract/src/generated/schemas.ts") },
      { find: /^@msgctl\/dashboard\/api$/, replacement: source("packages/dashboard/src/api.ts") },
      {
        find: /^@msgctl\/dashboard\/api\/schemas$/,
        replacement: source("packages/dashboard/src/generated/schemas.ts"),
      },
      { find: /^@msgctl\/conformance$/, replacement: source("packages/conformance/src/index.ts") },
      { find: /^@msgctl\/mocks$/, replacement: source("packages/mocks/src/index.ts") },
      { find: /^@msgctl\/server\/in-process$/, replacement: source("packages/server/src/in-process.ts") },
      { find: /^@msgctl\/server\/parts$/, replacement: source("packages/server/src/parts.ts") },
      {
        find: /^@msgctl\/server\/postgres$/,
        replacement: source("packages/server/src/testing/postgres/parts.ts"),
      },
      { find: /^@msgctl\/server\/settings$/, replacement: source("packages/server/src/settings/settings.ts") },
      { find: /^msgctl\/reference$/, replacement: source("packages/cli/src/reference.ts") },
      { find: /^@msgctl\/sdk$/, replacement: source("packages/sdk/src/index.ts") },
      { find: /^@msgctl\/sdk\/webhooks$/, replacement: source("packages/sdk/src/webhooks/index.ts") },
    ],
  },
  test: {
    reporters: ["./scripts/test-reporter.ts"],
    maxWorkers: availableParallelism(),
    // Suites of one worker share their modules: loading them anew for each file would double the processor time.
    isolate: false,
    // Only a hang may end a test: on two cores at a load of 20, tests of processes took 15 times as long as alone. A test
    // waits for a condition, and no test asserts how long anything took.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: ["packages/*/{src,test}/**/*.test.ts", "test/house/*.test.ts"],
          exclude: [ENGINES, PRODUCT],
          setupFiles: "test/house/no-processes.ts",
        },
      },
      { extends: true, test: { name: "smoke", include: ["test/smoke/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "engines",
          include: [...onBothEngines, `packages/${ENGINES}`, `test/${ENGINES}`],
          exclude: [PRODUCT],
          globalSetup: "packages/server/src/testing/postgres/global-setup.ts",
        },
      },
      {
        extends: true,
        test: {
          name: "product",
          include: ["test/**/*.test.ts", `packages/${PRODUCT}`],
          exclude: ["test/{house,smoke}/**", ENGINES],
        },
      },
    ],
  },
});
