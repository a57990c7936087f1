import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The suites that run a second time, on PostgreSQL. They take their databases from packages/server/src/testing/engine.ts.
 * Those of what never comes to a database run once: rules, messages of HTTP, documents, long lists as text, planned faults.
 * test/contract drives no server; each operation with each status that it declares is in test/conformance/reached.test.ts.
 */
const onPostgres = [
  "packages/server/src/{operations,steps}/**/*.test.ts",
  "packages/server/src/dispatch/{calls,callbacks,carriers,jobs,messages}/**/*.test.ts",
  "packages/server/src/dispatch/{providers/,}*.test.ts",
  "packages/server/src/store/*.test.ts",
  "packages/server/src/search/{followed-index,search-source}.test.ts",
  "packages/server/src/testing/engine.test.ts",
  "packages/server/src/{batches-in-slices,clock-set-back,last-backup}.test.ts",
  "packages/server/src/development/demo.test.ts",
  "packages/server/src/dashboard/*.test.ts",
  "packages/server/src/http/health.test.ts",
  "packages/server/src/http/lists/list-replies.test.ts",
  "packages/server/src/http/{credentials/authentication,metrics/metrics}.test.ts",
  "packages/server/src/http/execution/{failing-store,older-keys}.test.ts",
  "test/e2e/search-threads.test.ts",
  "test/conformance/{isolation,limits,promises,reached,replay,scope,simulator}.test.ts",
];

/** The suites of what needs PostgreSQL: several instances, and a comparison of the engines. */
const onPostgresAlone = [
  "packages/simulation/src/worlds-on-postgres.test.ts",
  "packages/server/src/commands/{postgres,transfer}.test.ts",
  "packages/server/src/dispatch/providers/simulated-shared.test.ts",
  "packages/server/src/dispatch/several-instances.test.ts",
  "packages/server/src/{platform,store}/postgres/*.test.ts",
  "packages/server/src/{same-replies,same-tables,instances-*}.test.ts",
  "test/e2e/postgres.test.ts",
];

/** The suites that replace modules, and so need their own. */
const replacing = ["packages", "test"].flatMap((folder) =>
  readdirSync(source(folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts") && !path.includes("node_modules"))
    .map((path) => join(folder, path))
    .filter((path) => readFileSync(source(path), "utf8").includes("vi.mock(")),
);

/** Begins with the suites that take minutes: last, they would have all but one worker wait. */
class LongestFirst extends BaseSequencer {
  override async sort(suites: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes("/test/reliability/");
    const sorted = await super.sort(suites);
    return [...sorted.filter(isLong), ...sorted.filter((suite) => !isLong(suite))];
  }
}

/** Tests run on the sources of every package; only those under test/ start what was built. */
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
    // more than there are processors: most tests wait for processes that they have started
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    // loading every module anew for each file took a twelfth of the run
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
          name: "sqlite",
          include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...onPostgresAlone, ...replacing],
        },
      },
      {
        extends: true,
        test: { name: "sqlite, isolated", include: replacing, isolate: true },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: [...onPostgres, ...onPostgresAlone],
          globalSetup: "packages/server/src/testing/postgres/global-setup.ts",
        },
      },
    ],
  },
});
