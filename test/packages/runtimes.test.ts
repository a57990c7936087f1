// The packed SDK in other runtimes and versions of Node. They are fetched from npm once. Without a network, their tests are
// skipped.

import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerExercise, type Loopback, serve } from "./loopback-service.ts";
import { installSdk, root } from "./packed.ts";
import { expected } from "./programs/exercise.mjs";
import { find, runtimes } from "./runtimes.ts";

const run = promisify(execFile);
const programs = ["module.mjs", "common.cjs"];

const { folder, remove } = installSdk();
cpSync(join(root, "test/packages/programs"), folder, { recursive: true });
let service: Loopback;
beforeAll(async () => {
  service = await serve(answerExercise());
});
afterAll(async () => {
  await service.close();
  remove();
});

/** Runs a program with a minimal environment. Returns its JSON output. */
async function toldBy(command: string, args: readonly string[], program: string): Promise<unknown> {
  const { PATH, SystemRoot } = process.env;
  const env = { PATH, HOME: folder, ...(SystemRoot && { SystemRoot }) };
  const { stdout, stderr } = await run(command, [...args, program, service.origin], {
    cwd: folder,
    env,
    timeout: 100_000,
  });
  return { ...JSON.parse(stdout), stderr };
}

const asExpected = { ...expected, stderr: "" };

describe(`Node.js ${process.versions.node}`, () => {
  it.each(programs)("runs %s", async (program) => {
    expect(await toldBy(process.execPath, [], program)).toEqual(asExpected);
  });
});

/** The runtimes. Those that are not in the cache yet are fetched in parallel. */
const fetched = runtimes.map((runtime) => [`${runtime.title} ${runtime.version}`, runtime, find(runtime)] as const);

describe.for(fetched)("%s", ([, { args }, found]) => {
  it.for(programs)("runs %s", async (program, { skip }) => {
    const runtime = await found;
    if ("missing" in runtime) return skip(runtime.missing);
    expect(await toldBy(runtime.program, args, program)).toEqual(asExpected);
  });
});
