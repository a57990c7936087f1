// Checks the probe on programs whose turns have a known cost.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TurnFigures } from "./probe.mjs";

const probe = new URL("probe.mjs", import.meta.url).href;
/** Longer than any other turn of these programs. */
const BUSY_MS = 200;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "probe-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a program under the probe until it reports its end, and returns the probe's figures. */
async function watch(program: string): Promise<TurnFigures> {
  const file = join(folder, "program.mjs");
  writeFileSync(
    file,
    `function burn(ms) { const start = process.cpuUsage(); let used; do { used = process.cpuUsage(start); }
       while (used.user + used.system < 1_000 * ms); }
     const later = () => new Promise((resolve) => setTimeout(resolve, 1));
     setInterval(() => {}, 60_000);
     process.send("ready");
     await new Promise((resolve) => process.once("message", resolve));
     await later();
     ${program}
     process.send("done");`,
  );
  const child = fork(file, { execArgv: ["--import", probe] });
  try {
    await hear(child, "ready");
    child.send("begin");
    await hear(child, "done");
    child.send("read");
    const [figures] = await once(child, "message");
    return figures as TurnFigures;
  } finally {
    child.kill("SIGKILL");
  }
}

async function hear(child: ChildProcess, word: string): Promise<void> {
  for (let heard: unknown; heard !== word; ) [heard] = await once(child, "message");
}

describe.skipIf(process.platform !== "linux")("the probe", () => {
  it.each([
    ["in a timer", `burn(${BUSY_MS});`],
    ["in an immediate", `await new Promise((resolve) => setImmediate(() => { burn(${BUSY_MS}); resolve(); }));`],
    ["in many small steps of one chain of microtasks", `for (let i = 0; i < 40; i += 1) await burn(${BUSY_MS / 40});`],
    ["in a reply of the thread pool", `await (await import("node:fs/promises")).stat("/"); burn(${BUSY_MS});`],
  ])("counts CPU time %s as one turn", async (_where, program) => {
    const { longestCpuMs, longestBusyMs } = await watch(program);
    // the program's own count includes the helper threads that compile it
    expect(longestCpuMs).toBeGreaterThan(0.8 * BUSY_MS);
    expect(longestCpuMs).toBeLessThan(1.5 * BUSY_MS);
    expect(longestBusyMs).toBeGreaterThan(0.8 * BUSY_MS);
  });

  it("does not add up separate turns", async () => {
    const { longestCpuMs, turns } = await watch(
      `for (let i = 0; i < 40; i += 1) { await later(); burn(${BUSY_MS / 40}); }`,
    );
    expect(longestCpuMs).toBeLessThan(0.5 * BUSY_MS);
    expect(turns).toBeGreaterThan(40);
  });

  it("tells CPU time from time spent waiting", async () => {
    const { longestCpuMs, longestBusyMs } = await watch(
      `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${BUSY_MS});`,
    );
    expect(longestCpuMs).toBeLessThan(0.5 * BUSY_MS);
    expect(longestBusyMs).toBeGreaterThan(0.9 * BUSY_MS);
  });

  it("counts no sleep, and keeps no process awake", async () => {
    const { longestCpuMs, turns } = await watch(`await new Promise((resolve) => setTimeout(resolve, ${BUSY_MS}));`);
    expect(longestCpuMs).toBeLessThan(0.5 * BUSY_MS);
    expect(turns).toBeLessThan(100);
  });
});
