import { Readable } from "node:stream";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type CsvRow, readCsv } from "./csv-rows.ts";

async function rowsIn(...chunks: (string | Uint8Array)[]): Promise<CsvRow[]> {
  async function* source() {
    for (const chunk of chunks) yield Buffer.from(chunk as string);
  }
  const rows: CsvRow[] = [];
  for await (const row of readCsv(source())) rows.push(row);
  return rows;
}

const row = (line: number, ...cells: string[]) => ({ line, cells });

it.each([
  ["line ends of Windows", "a,b\r\n1,2\r\n", [row(1, "a", "b"), row(2, "1", "2")]],
  ["no line end after the last row", "a\n1", [row(1, "a"), row(2, "1")]],
  ["a byte order mark", "\uFEFFa\n1\n", [row(1, "a"), row(2, "1")]],
  ["commas and doubled quotes", 'a,b\n"x, ""y""",2\n', [row(1, "a", "b"), row(2, 'x, "y"', "2")]],
  ["a row over several lines", 'a\n"1\n\n2"\n3\n', [row(1, "a"), row(2, "1\n\n2"), row(5, "3")]],
  ["a row over several lines of Windows", 'a\r\n"1\r\n2"\r\n3\r\n', [row(1, "a"), row(2, "1\r\n2"), row(4, "3")]],
  ["empty lines", "a\n\n\n1\n\n2\n", [row(1, "a"), row(4, "1"), row(6, "2")]],
  ["line ends of an old Mac", "a,b\r1,2\r", [row(1, "a", "b"), row(2, "1", "2")]],
  ["blank rows", 'a,b\n,\n  ,\t\n"",""\n1,2\n,,,\n', [row(1, "a", "b"), row(5, "1", "2")]],
  ["empty cells at the end", "a,b\n1,", [row(1, "a", "b"), row(2, "1", "")]],
  ["semicolons", "a;b\n1,5;2\n", [row(1, "a", "b"), row(2, "1,5", "2")]],
  ["tabs", "a\tb\n1;2\t3\n", [row(1, "a", "b"), row(2, "1;2", "3")]],
  [
    "commas, if the header has other separators only in quotes",
    '"a;;",b\n1,2\n',
    [row(1, "a;;", "b"), row(2, "1", "2")],
  ],
  ["the separator that the first line names", "sep=|\r\na,;|b\r\n1|2\r\n", [row(2, "a,;", "b"), row(3, "1", "2")]],
  ["a quoted line in capitals that names the separator", '"SEP=;"\na;b\n1;2\n', [row(2, "a", "b"), row(3, "1", "2")]],
  ["lines of blanks before the header", "  \n\t\na;b\n1;2\n", [row(3, "a", "b"), row(4, "1", "2")]],
  ["a header of one quoted column", '"a"\nx; y\n', [row(1, "a"), row(2, "x; y")]],
  ["a header over several lines", '"a\nx;y",b\n1,2\n', [row(1, "a\nx;y", "b"), row(3, "1", "2")]],
  ["a separator that is special in a regular expression", "sep=^\na^b\n1^2\n", [row(2, "a", "b"), row(3, "1", "2")]],
  ["a row with too few cells", "a,b\n1\n", [row(1, "a", "b"), row(2, "1")]],
])("reads %s", async (_, text, rows) => {
  expect(await rowsIn(text)).toEqual(rows);
});

it("reads a character that is split between two chunks", async () => {
  const bytes = Buffer.from("a\né\n");
  expect(await rowsIn(bytes.subarray(0, 3), bytes.subarray(3))).toEqual([row(1, "a"), row(2, "é")]);
});

it.each([
  ["little-endian", "\uFEFFto\tmessage\r\n1\tJosé 🙂\r\n", (bytes: Buffer) => bytes],
  ["big-endian", "\uFEFFto\tmessage\r\n1\tJosé 🙂\r\n", (bytes: Buffer) => bytes.swap16()],
])("reads UTF-16 with a byte order mark, wherever chunks split it: %s", async (_, text, order) => {
  const bytes = order(Buffer.from(text, "utf16le"));
  const chunks = Array.from(bytes, (byte) => Uint8Array.of(byte));
  expect(await rowsIn(...chunks)).toEqual([row(1, "to", "message"), row(2, "1", "José 🙂")]);
});

it.each([
  ["a;b\n", { separator: ";", isNamed: false, hasMark: false }],
  ["\uFEFFa,b\n1,2", { separator: ",", isNamed: false, hasMark: true }],
  ["\uFEFFsep=;\n1\t2", { separator: ";", isNamed: true, hasMark: true }],
])("recognises the format of %j", async (text, form) => {
  const found: object[] = [];
  for await (const _ of readCsv(Readable.from([Buffer.from(text)]), (each) => found.push(each)));
  expect(found).toEqual([form]);
});

it.each([
  ["a compressed file", Buffer.from([0x1f, 0x8b, 8, 0, 0]), "is compressed: `gunzip` it first"],
  ["a workbook", Buffer.from("PK\u0003\u0004more"), "save it as CSV UTF-8"],
  ["UTF-16 without a mark", Buffer.from("to,a\n", "utf16le"), "as UTF-16 without its byte order mark"],
  ["another encoding", Buffer.from("a\nJos\xe9\n", "latin1"), "not UTF-8"],
  ["a character cut off at the end", Buffer.from("a\né").subarray(0, 3), "not UTF-8"],
  ["a quote that is not closed", Buffer.from('a\n"1\n2\n'), "not CSV"],
  ["a quote inside a plain field", Buffer.from('a\n1"2\n'), "not CSV"],
])("refuses %s", async (_, bytes, said) => {
  await expect(rowsIn(bytes)).rejects.toThrow(said);
});

it("does not buffer the whole file after an unclosed quote", async () => {
  let taken = 0;
  async function* endless() {
    yield Buffer.from('a\n"');
    for (; taken < 100; taken += 1) yield Buffer.alloc(1024 * 1024, "x");
  }
  const reading = async () => {
    for await (const _ of readCsv(endless()));
  };
  await expect(reading()).rejects.toThrow("line 2: a row has more than");
  expect(taken).toBeLessThan(6);
});

it("reads the same rows as another parser, wherever chunks split the text", async () => {
  const pieces = fc.array(fc.constantFrom("a", "é", ",", '"', '""', '"b,c"', "\n", " ", "👩‍👩‍👧"), { maxLength: 30 });
  const lineEnd = fc.constantFrom("\n", "\r\n");
  await fc.assert(
    fc.asyncProperty(pieces, lineEnd, fc.integer({ min: 1, max: 9 }), async (signs, end, size) => {
      const text = signs.join("").replaceAll("\n", end);
      const bytes = Buffer.from(text);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const options = { record_delimiter: end, relax_column_count: true, skip_empty_lines: true };
      const outcome = async (read: () => unknown) => {
        try {
          return await read();
        } catch {
          return "refused";
        }
      };
      const cells = async () => (await rowsIn(...chunks)).map((each) => each.cells);
      const isFilled = (row: string[]) => row.some((cell) => cell.trim() !== "");
      expect(await outcome(cells)).toEqual(await outcome(() => parse(text, options).filter(isFilled)));
    }),
    { numRuns: 2000 },
  );
});
