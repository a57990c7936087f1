import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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

it("calls back after a change, and not without one", async () => {
  const onChange = vi.fn(async () => {});
  const stop = watchSources(root, onChange);
  await sleep(700);
  expect(onChange).not.toHaveBeenCalled();
  change();
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1), 3_000);
  change(join(root, "packages", "a", "src", "new.ts"));
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(2), 3_000);
  stop();
  change();
  await sleep(700);
  expect(onChange).toHaveBeenCalledTimes(2);
});

it("calls back once more for what changed during a call, never twice at once", async () => {
  let working = 0;
  const seen: number[] = [];
  const stop = watchSources(root, async () => {
    working += 1;
    seen.push(working);
    if (seen.length === 1) change();
    await sleep(700);
    working -= 1;
  });
  change();
  await vi.waitFor(() => expect(seen).toEqual([1, 1]), 5_000);
  await sleep(1_400);
  expect(seen).toEqual([1, 1]);
  stop();
});
