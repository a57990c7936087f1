import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const ENGINES = "**/*.engines.test.ts";
const PRODUCT = "**/*.product.test.ts";

/**
 * The suites that run on SQLite in `fast` and again on PostgreSQL in `engines`: those whose SQL, locks or transactions differ
 * between the two. They take their databases from packages/server/src/testing/engine.ts.
 */
const onBothEngines = [
  "packages/server/src/domain/{billing,calls,consent,merchants,messages,registration,reports}/operations.test.ts",
  "packages/server/src/domain/billing/{alerts,payment-settlement}.test.ts",
  "packages/server/src/domain/{callbacks/{message-events,queue-rows},calls/progress,messages/inbound-replies,reports/backlog-rows}.test.ts",
  "packages/server/src/domain/recipients/{erasures,recipient-story}.test.ts",
  "packages/server/src/domain/registration/{edits,registered-senders,registration-scope}.test.ts",
  "packages/server/src/domain/tenancy/kept-pepper.test.ts",
  "packages/server/src/dispatch/{calls,callbacks,jobs,messages}/**/*.test.ts",
  "packages/server/src/dispatch/*.test.ts",
  "packages/server/src/carriers/{simulated/,}*.test.ts",
  "packages/server/src/store/*.test.ts",
  "packages/server/src/commands/secrets.test.ts",
  "packages/server/src/search/{followed-index,search-source}.test.ts",
  "packages/server/src/{batches-in-slices,clock-set-back,last-backup,upgrade}.test.ts",
  "packages/server/src/dashboard/{alerts,audit,call-details,callbacks,carriers,id-lookup,installation,keys}.test.ts",
  "packages/server/src/dashboard/{month-costs,payments,projects,second-factors,suppressions,tenant-carriers}.test.ts",
  "packages/conformance/test/{reached,replay}.test.ts",
  "test/e2e/search-threads.test.ts",
];

/** Tables of the simulated carrier's outcomes. Their SQL is that of the suites above. */
const onSqliteOnly = [
  "packages/server/src/dispatch/calls/calls.test.ts",
  "packages/server/src/dispatch/messages/behaviours.test.ts",
];

/**
 * Suites about other people's released tools. Their versions are fixed, or are those of the registry on that day, so the
 * suites run nightly and before a release.
 */
const compatibility = [
  "test/docs/other-tools.test.ts",
  "test/packages/{contract-peers,installed,mocks-jest,mocks-msw-3,oldest-typescript}.test.ts",
];

/** Suites that run in Chromium in `product`, and in Firefox in `compatibility`. */
const inBothBrowsers = ["test/dashboard/{every-page,questions}.test.ts"];

/** Starts the longest suites first. Started last, they would leave all other workers idle. */
class LongestFirst extends BaseSequencer {
  override async sort(suites: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => /\/test\/reliability\/|\/instances-\w+\.engines/.test(moduleId);
    const sorted = await super.sort(suites);
    return [...sorted.filter(isLong), ...sorted.filter((suite) => !isLong(suite))];
  }
}

/**
 * Five projects. A suite in packages/, test/house or test/release is `fast` and one in test/ is `product`, unless its suffix or
 * the folder test/smoke or the list above says otherwise. CONTRIBUTING.md describes each project.
 */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^@msgctl\/contract$/, replacement: source("packages/contract/src/index.ts") },
      { find: /^@msgctl\/contract\/constants$/, replacement: source("packages/contract/src/generated/constants.ts") },
      { find: /^@msgctl\/contract\/email-addresses$/, replacement: source("packages/contract/src/email-addresses.ts") },
      { find: /^@msgctl\/contract\/gsm-alphabet$/, replacement: source("packages/contract/src/gsm-alphabet.ts") },
      { find: /^@msgctl\/contract\/segments$/, replacement: source("packages/contract/src/segments.ts") },
      { find: /^@msgctl\/contract\/schemas$/, replacement: source("packages/contract/src/generated/schemas.ts") },
      { find: /^@msgctl\/contract\/timezones$/, replacement: source("packages/contract/src/timezones.ts") },
      { find: /^@msgctl\/dashboard\/api$/, replacement: source("packages/dashboard/src/api.ts") },
      {
        find: /^@msgctl\/dashboard\/api\/schemas$/,
        replacement: source("packages/dashboard/src/generated/schemas.ts"),
      },
      { find: /^@msgctl\/conformance$/, replacement: source("packages/conformance/src/index.ts") },
      { find: /^@msgctl\/mocks$/, replacement: source("packages/mocks/src/index.ts") },
      { find: /^@msgctl\/server\/in-process$/, replacement: source("packages/server/src/in-process.ts") },
      { find: /^@msgctl\/server\/settings$/, replacement: source("packages/server/src/settings/settings.ts") },
      { find: /^msgctl\/calls$/, replacement: source("packages/cli/src/calls.ts") },
      { find: /^msgctl\/reference$/, replacement: source("packages/cli/src/reference.ts") },
      { find: /^@msgctl\/sdk$/, replacement: source("packages/sdk/src/index.ts") },
      { find: /^@msgctl\/sdk\/webhooks$/, replacement: source("packages/sdk/src/webhooks/index.ts") },
    ],
  },
  test: {
    // caches transformed modules between runs: the tests of one folder take 5.0 s, and 6.5 s without it
    experimental: { fsModuleCache: true, fsModuleCachePath: ".cache/vitest" },
    reporters: ["./scripts/test-reporter.ts"],
    sequence: { sequencer: LongestFirst },
    // Suites of one worker share their modules. Loading the modules again for each file would double the processor time.
    isolate: false,
    setupFiles: ["test/house/same-cases.ts"],
    // The timeouts must end only hanging tests: on two cores at a load of 20, tests of processes took 15 times as long as
    // alone. A test waits for a condition, and no test asserts how long anything took.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          sequence: { groupOrder: 0 },
          include: ["packages/*/{src,test,simulation}/**/*.test.ts", "test/{house,release}/*.test.ts"],
          exclude: [ENGINES, PRODUCT],
          setupFiles: ["test/house/no-processes.ts"],
          maxWorkers: availableParallelism(),
        },
      },
      {
        extends: true,
        test: { name: "smoke", sequence: { groupOrder: 1 }, include: ["test/smoke/*.test.ts"] },
      },
      {
        extends: true,
        test: {
          name: "engines",
          sequence: { groupOrder: 2 },
          include: [...onBothEngines, `packages/${ENGINES}`, `test/${ENGINES}`],
          exclude: [PRODUCT, ...onSqliteOnly],
          maxWorkers: availableParallelism(),
          globalSetup: "packages/server/src/testing/postgres/global-setup.ts",
        },
      },
      {
        extends: true,
        test: {
          name: "product",
          sequence: { groupOrder: 3 },
          // more workers than processors, because most of these tests wait for processes that they have started
          maxWorkers: availableParallelism() * 2,
          include: ["test/**/*.test.ts", `packages/${PRODUCT}`],
          exclude: ["test/{house,release,smoke}/**", ENGINES, ...compatibility],
        },
      },
      {
        extends: true,
        test: {
          name: "compatibility",
          sequence: { groupOrder: 4 },
          include: [...compatibility, ...inBothBrowsers],
          provide: { browser: "Firefox" },
        },
      },
    ],
  },
});
