import fc from "fast-check";
import { expect, it } from "vitest";
import { EventParser } from "./event-parser.ts";

const text = `retry: 1000\n\n:\n\nevent: open\ndata: {}\n\nevent: messages\ndata: {"a":"x: y"}\n\n`;
const events = [
  { event: "open", data: "{}" },
  { event: "messages", data: '{"a":"x: y"}' },
];

it("the parser returns the same events wherever the text is split", () => {
  const cut = fc.array(fc.nat({ max: text.length }), { maxLength: 8 });
  fc.assert(
    fc.property(cut, (places) => {
      const parser = new EventParser();
      const ends = [...places.sort((one, other) => one - other), text.length];
      const found = ends.flatMap((end, index) => parser.take(text.slice(ends[index - 1] ?? 0, end)));
      expect(found).toEqual(events);
    }),
  );
});
