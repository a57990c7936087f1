import { expect, it } from "vitest";
import type { Format } from "../../output/format.ts";
import { SIGNED_AT, unsignedDelivery } from "../../testing/callbacks.ts";
import { createPrinter } from "./event-printer.ts";
import { createEventRecord } from "./event-record.ts";

const BODY = '{"type":"x",\u001b "data":1}';

function print(format: Format, { isQueried = false, isTTY = false, texts = ["a\n1\n", "a\n2\n", "b\n3\n"] } = {}) {
  let written = "";
  const write = (text: string) => {
    written += text;
  };
  const printer = createPrinter({
    ...{ format, isQueried, stdout: { write, isTTY, columns: undefined } },
    row: () => "row\n",
    render: async () => texts.shift() ?? "",
  });
  const delivery = unsignedDelivery(BODY);
  const event = { id: null, type: "x", timestamp: null, data: 1 };
  const record = createEventRecord({
    ...{ atMs: SIGNED_AT, delivery, event, isVerified: false, isRepeat: false, answered: 200, handled: undefined },
  });
  return Promise.all(texts.map(() => printer.show(record, delivery))).then(() => written);
}

it.each<[Format, Parameters<typeof print>[1], string]>([
  ["table", { texts: [""] }, "row\n"],
  ["table", { isQueried: true, texts: ["1\n"] }, "1\n"],
  ["jsonl", { texts: ["1\n", "2\n"] }, "1\n2\n"],
  ["yaml", { texts: ["a: 1\n", "a: 2\n"] }, "---\na: 1\n---\na: 2\n"],
  ["csv", {}, "a\n1\n2\nb\n3\n"],
  ["raw", { texts: [""] }, `${BODY}\n`],
  ["raw", { texts: [""], isTTY: true }, `${BODY.replace("\u001b", "\\u001b")}\n`],
  ["raw", { isQueried: true, texts: ["1\n"] }, "1\n"],
])("prints one event after another as %s with %j", async (format, options, expected) => {
  expect(await print(format, options)).toBe(expected);
});
