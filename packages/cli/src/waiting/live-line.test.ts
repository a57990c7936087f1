import { expect, it } from "vitest";
import { createLiveLine, type LineOptions } from "./live-line.ts";

function scene(options: Partial<LineOptions> = {}, columns?: number) {
  const written: string[] = [];
  const stderr = { write: (text: string) => void written.push(text), isTTY: columns !== undefined, columns };
  return { written, line: createLiveLine(stderr, { quiet: false, verbose: false, isLogged: false, ...options }) };
}

it("a live line rewrites one line of a terminal, within its width and with escaped control characters", () => {
  const { line, written } = scene({}, 12);
  line.show("one\u001b[31m of many words");
  line.say("stays");
  line.show("two");
  line.clear();
  line.clear();
  expect(written).toEqual(["\r\u001b[Kone\\u001b[…", "\r\u001b[K", "stays\n", "\r\u001b[Ktwo", "\r\u001b[K"]);
});

it.each<[string, Partial<LineOptions>, number | undefined, string[]]>([
  ["without a terminal", {}, undefined, ["stays\n"]],
  ["without a terminal, logged", { isLogged: true }, undefined, ["one\n", "stays\n", "two\n"]],
  ["with --verbose, logged", { isLogged: true, verbose: true }, 80, ["one\n", "stays\n", "two\n"]],
  ["with --quiet", { isLogged: true, quiet: true }, 80, []],
])("a live line prints the right lines %s", (_, options, columns, expected) => {
  const { line, written } = scene(options, columns);
  line.show("one");
  line.show("one");
  line.say("stays");
  line.show("two");
  line.clear();
  expect(written).toEqual(expected);
});

it("a live line prints whole lines on a terminal that takes only those", () => {
  const written: string[] = [];
  const stderr = { write: (text: string) => void written.push(text), isTTY: true, isLineByLine: true, columns: 80 };
  const line = createLiveLine(stderr, { quiet: false, verbose: false, isLogged: true });
  line.show("one");
  line.say("stays");
  line.clear();
  expect(written).toEqual(["one\n", "stays\n"]);
});
