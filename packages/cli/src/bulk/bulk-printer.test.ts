import { expect, it } from "vitest";
import { catalog } from "../catalog.ts";
import { createSendJob } from "../commands/send-bulk/send-job.ts";
import { CliError } from "../failures/errors.ts";
import type { Io } from "../process/io.ts";
import type { BulkEvent } from "./bulk-event.ts";
import { createBulkPrinter, type PrinterOptions } from "./bulk-printer.ts";

const CLEAR = "\r\u001b[K";
const summary = {
  counts: { rows: 3, done: 1, failed: 1, leftOut: 0, open: 1 },
  ...{ earlierCount: 0, notBegun: 0, groups: [], failedFile: { path: "/list.failed.csv" }, journalPath: "/list.jsonl" },
};
const row = (index: number) => ({ index, line: index + 2, id: `r${index}`, body: {}, idempotencyKey: `key-${index}` });
const EVENTS: readonly BulkEvent[] = [
  { type: "started", rowCount: 3 },
  { ...row(0), type: "row-done", replayed: false, data: { messageId: "msg_0" } },
  { ...row(1), type: "row-refused", error: new CliError(4, "consent_required", "No.", { status: 409 }) },
  { ...row(2), type: "row-left-open", error: new CliError(5, "unavailable", "Later.", { requestId: "req_1" }) },
  { type: "stopped" },
  { type: "ended", summary },
];

/** Returns the output for events that are half a second apart. */
function print(options: PrinterOptions, events: readonly BulkEvent[], columns?: number) {
  const texts = { stdout: "", stderr: "" };
  let nowMs = 0;
  const sink = (name: keyof typeof texts) => ({
    write: (text: string) => {
      texts[name] += text;
    },
    isTTY: columns !== undefined,
    columns,
  });
  const io = { stdout: sink("stdout"), stderr: sink("stderr"), clock: { now: () => nowMs } };
  const listener = createBulkPrinter(options, io as unknown as Io);
  for (const event of events) {
    nowMs += 500;
    listener(event);
  }
  return texts;
}

it("prints progress on a terminal, then the totals", () => {
  const { stdout, stderr } = print({ format: "table", quiet: false }, EVENTS, 80);
  expect(stdout).toBe("");
  expect(stderr.split(CLEAR)).toEqual([
    "",
    "1 of 3 rows (33 %), 2.0 a second, 1 s left",
    "2 of 3 rows (66 %), 2.0 a second, 1 s left, 1 not done",
    "3 of 3 rows (100 %), 2.0 a second, 0 s left, 2 not done",
    "3 rows: 1 done, 1 failed, 1 open.\n",
  ]);
});

it("prints a line for each outcome with -o jsonl", () => {
  const { stdout, stderr } = print({ format: "jsonl", quiet: true }, EVENTS);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      ...{ row: 1, line: 2, ok: true, idempotencyKey: "key-0" },
      ...{ replayed: false, data: { messageId: "msg_0" } },
    },
    {
      ...{ row: 2, line: 3, ok: false, idempotencyKey: "key-1", isOpen: false },
      error: { code: "consent_required", message: "No.", status: 409, requestId: null },
    },
    {
      ...{ row: 3, line: 4, ok: false, idempotencyKey: "key-2", isOpen: true },
      error: { code: "unavailable", message: "Later.", status: null, requestId: "req_1" },
    },
  ]);
  expect(stderr).toBe("");
});

it("clears the progress line before it prints an outcome on the same terminal", () => {
  const { stderr } = print({ format: "jsonl", quiet: false }, EVENTS.slice(0, 3), 80);
  expect(stderr.split(CLEAR)).toEqual(["", expect.stringContaining("1 of 3"), "", expect.stringContaining("2 of 3")]);
});

it("prints a summary with -o json, and nothing on standard error with --quiet", () => {
  const { stdout, stderr } = print({ format: "json", quiet: true }, EVENTS, 80);
  expect(JSON.parse(stdout)).toEqual({
    ...{
      rows: 3,
      done: 1,
      failed: 1,
      leftOut: 0,
      open: 1,
      doneEarlier: 0,
      failures: [],
      failedFile: "/list.failed.csv",
    },
  });
  expect(stderr).toBe("");
});

it.each([
  [
    "table",
    '3 rows (4 segments) would be sent, as SMS. Each segment is charged to the account.\nThe first: to +12025550100: "Hello"\n',
  ],
  ["json", '{"rows":3,"segments":4,"first":{"to":"+12025550100","message":"Hello"},"equalRows":1,"isCharged":true}\n'],
] as const)("prints the result of --dry-run with -o %s", async (format, stdout) => {
  const job = createSendJob("SMS", await catalog.record("sendSms"));
  const totals = { rows: 3, segments: 4, first: { to: "+12025550100", message: "Hello" } };
  expect(print({ format, quiet: false }, [{ type: "planned", job, list: { totals, equalCount: 1 } }])).toEqual({
    stdout,
    stderr: "Every row can be sent. Nothing was sent.\n",
  });
});
