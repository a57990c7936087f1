import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchSources } from "../../scripts/watch.mjs";

let root: string;
let source: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "setup-"));
  mkdirSync(join(root, "packages", "a", "src"), { recursive: true });
  source = join(root, "packages", "a", "src", "index.ts");
  writeFileSync(source, "");
});
afterEach(() => rmSync(root, { recursive: true }));

let minutes = 0;
/** Another time, whatever the grain of the file system's clock. */
function change(file = source): void {
  minutes += 1;
  const at = new Date(Date.now() - minutes * 60_000);
  writeFileSync(file, "");
  utimesSync(file, at, at);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});
const oneLook = () => vi.advanceTimersByTimeAsync(500);

it("calls back after a change, and not without one", async () => {
  const onChange = vi.fn(async () => {});
  const stop = watchSources(root, onChange);
  await oneLook();
  expect(onChange).not.toHaveBeenCalled();
  change();
  await oneLook();
  expect(onChange).toHaveBeenCalledTimes(1);
  change(join(root, "packages", "a", "src", "new.ts"));
  await oneLook();
  expect(onChange).toHaveBeenCalledTimes(2);
  stop();
  change();
  await oneLook();
  expect(onChange).toHaveBeenCalledTimes(2);
});

it("calls back once more for what changed during a call, never twice at once", async () => {
  const finish: (() => void)[] = [];
  const stop = watchSources(root, () => new Promise((resolve) => finish.push(resolve)));
  change();
  await oneLook();
  change();
  await oneLook();
  expect(finish).toHaveLength(1);
  finish[0]?.();
  await oneLook();
  expect(finish).toHaveLength(2);
  finish[1]?.();
  await oneLook();
  expect(finish).toHaveLength(2);
  stop();
});
