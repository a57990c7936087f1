import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder } from "../testing/world.ts";

it("no key is lost if several writes record their keys at the same time", async () => {
  const home = folder();
  const program = `
    const { noteSentKeys } = await import(${JSON.stringify(new URL("sent-keys.ts", import.meta.url).href)});
    const parts = { record: { group: "send", name: "sms" }, access: { baseUrl: "http://service.invalid" }, settings: { folder: ${JSON.stringify(home)} } };
    for (let index = 0; index < 150; index += 1) {
      const call = { idempotencyKey: \`key-\${process.pid}-\${index}\` };
      noteSentKeys(parts).around(undefined).onRequest({ call, attempt: 1 });
    }`;
  const processes = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], { stdio: "inherit" }),
  );
  for (const child of processes) if (child.exitCode === null) expect(await once(child, "exit")).toEqual([0, null]);
  const files = readdirSync(home);
  // the file reached its limit during the writes
  expect(files.length).toBeGreaterThan(1);
  const all = files.map((name) => readFileSync(join(home, name), "utf8")).join("");
  const kept = new Set(all.match(/key-\d+-\d+/g));
  expect(kept.size).toBe(3 * 150);
  for (const line of all.trimEnd().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
});
