import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runStep } from "../../scripts/step.mjs";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "setup-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function run(program: string, { isTTY = false, command = process.execPath } = {}) {
  let written = "";
  const terminal = { isTTY, write: (text: string) => (written += text) };
  const step = { doing: "Working", note: "soon over", done: "Worked", command, args: ["-e", program] };
  const logFile = join(folder, "made", "setup.log");
  const outcome = await runStep(step, { cwd: folder, logFile, terminal });
  return { outcome, written, log: readFileSync(logFile, "utf8") };
}

it("says what it does, then how long it took; what the command prints goes to the log", async () => {
  const { outcome, written, log } = await run('console.log("noise"); console.error("more noise")');
  expect(outcome).toEqual({ ok: true });
  expect(written).toMatch(/^Working \(soon over\) …\nWorked in \d+\.\d s\n$/);
  expect(log).toContain("noise\nmore noise\n");
});

it("counts the seconds in one line of a terminal", async () => {
  const { written } = await run("setTimeout(() => {}, 1_200)", { isTTY: true });
  const lines = written.split("\r").map((line) => line.replace("\x1b[K", ""));
  expect(lines.slice(0, 2)).toEqual(["", "Working (soon over) … 0 s"]);
  const counted = lines.slice(1, -1).map((line) => Number(/^Working \(soon over\) … (\d+) s$/.exec(line)?.[1]));
  expect(counted.length).toBeGreaterThan(1);
  expect(counted.slice(1).every((seconds, index) => seconds > (counted[index] ?? 0))).toBe(true);
  expect(lines.at(-1)).toMatch(/^Worked in \d+\.\d s\n$/);
});

it("gives the last lines of what failed", async () => {
  const { outcome, written } = await run('for (let n = 1; n <= 50; n += 1) console.log("line " + n); process.exit(3)');
  const lines = Array.from({ length: 20 }, (_, index) => `line ${31 + index}`);
  expect(outcome).toEqual({ ok: false, lastLines: lines.join("\n") });
  expect(written).toMatch(/Working failed after \d+\.\d s\n$/);
});

it("says of a command that is not there that it is not", async () => {
  const { outcome } = await run("", { command: join(folder, "no-such-command") });
  expect(outcome).toMatchObject({ ok: false, lastLines: expect.stringContaining("ENOENT") });
});

// a process that is killed there leaves no word of what ended it
const onPosix = it.skipIf(process.platform === "win32");

onPosix("says what killed a command", async () => {
  const { outcome } = await run('process.kill(process.pid, "SIGKILL")');
  expect(outcome).toMatchObject({ ok: false, lastLines: expect.stringContaining("Ended by SIGKILL.") });
});

/** Ignores a plain SIGTERM, and writes for as long as it lives. */
const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => console.log("alive"), 20)';
const childOf = (program: string) => `
  require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(program)}], { stdio: "inherit" });
  setInterval(() => {}, 1_000);
`;

onPosix("ends the command, and all that it started, before itself", async () => {
  const logFile = join(folder, "setup.log");
  const step = { doing: "Working", done: "Worked", command: process.execPath, args: ["-e", childOf(stubborn)] };
  const [url, ...values] = [
    new URL("../../scripts/step.mjs", import.meta.url).href,
    step,
    { cwd: folder, logFile },
  ].map((value) => JSON.stringify(value));
  const program = join(folder, "program.mjs");
  writeFileSync(program, `import { runStep } from ${url};\nawait runStep(${values.join(", ")});\n`);

  const running = spawn(process.execPath, [program], { stdio: "ignore" });
  await vi.waitFor(() => expect(readFileSync(logFile, "utf8")).toMatch(/^alive$/m), 60_000);
  const ended = new Promise((resolve) => running.once("exit", resolve));
  running.kill("SIGTERM");
  expect(await ended).toBe(128 + 15);

  await sleep(100);
  const { size } = statSync(logFile);
  await sleep(200);
  expect(statSync(logFile).size).toBe(size);
});
