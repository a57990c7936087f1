import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder } from "../testing/world.ts";
import { standardStream } from "./standard-stream.ts";

const LONG = "0123456789".repeat(40_000);

it.skipIf(process.platform === "win32")("writes to a file completely, and reports that it is not a terminal", () => {
  const path = join(folder(), "out.txt");
  writeFileSync(path, "");
  const descriptor = openSync(path, "a");
  const sink = standardStream(descriptor);
  sink.write(LONG);
  sink.write("é\n");
  closeSync(descriptor);
  expect([sink.isTTY, sink.columns, readFileSync(path, "utf8")]).toEqual([false, undefined, `${LONG}é\n`]);
});
