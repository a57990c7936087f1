// Tests lists as spreadsheets and exports write them.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import { folder, msgctl, reply, type Service, service } from "../../testing/world.ts";

const ROWS = ["m1,+12025550100,Hola José 🙂,OTP", "m1,+12025550101,Two,OTP"];
const HEADER = "merchantId,to,message,type";
const bodies = ({ received }: Service) => received.map(({ body }) => JSON.parse(body));
const texts = (answering: Service) => bodies(answering).map(({ to, message }) => `${to} ${message}`);

const accepting = () =>
  service((response, { body }) =>
    reply(response, 202, { ...JSON.parse(body), channel: "SMS", messageId: "msg_1", status: "QUEUED" }),
  );

function scene({ env }: Service, list: string | Buffer) {
  const cwd = folder();
  writeFileSync(join(cwd, "list.csv"), list);
  const run = (...argv: string[]) =>
    msgctl(["send", "bulk", "list.csv", "--channel", "SMS", "-y", "--retries", "0", "--concurrency", "1", ...argv], {
      ...{ cwd, env, catalog },
    });
  return { cwd, run };
}

const plain = [HEADER, ...ROWS].join("\n");
const withSeparator = (separator: string) => plain.replaceAll(",", separator);

it.each<[string, string | Buffer]>([
  ["a byte order mark and the line ends of Windows", `\uFEFF${plain.replaceAll("\n", "\r\n")}\r\n`],
  ["semicolons", withSeparator(";")],
  ["tabs", withSeparator("\t")],
  ["a line that names the separator", `sep=;\r\n${withSeparator(";")}`],
  ["UTF-16, as Excel's Unicode text", Buffer.from(`\uFEFF${withSeparator("\t")}`, "utf16le")],
  ["columns and rows without anything at the end", `${[HEADER, ...ROWS].join(",,\n")},,\n,,,,,\n  ,,,,,\n`],
])("recognises the same list with %s", async (_, list) => {
  const answering = await accepting();
  const first = scene(answering, plain);
  expect((await first.run()).exitCode).toBe(0);
  writeFileSync(join(first.cwd, "list.csv"), list);
  expect(await first.run()).toMatchObject({ exitCode: 9, stderr: expect.stringContaining("all 2 rows went out on") });
  expect(texts(answering)).toEqual(["+12025550100 Hola José 🙂", "+12025550101 Two"]);
});

it.each<[string, string | Buffer, string]>([
  ["compressed", Buffer.from([0x1f, 0x8b, 8, 0, 0]), "the file is compressed: `gunzip` it first; nothing was sent"],
  ["a workbook", "PK\u0003\u0004", "is a workbook or a ZIP file: open it in the spreadsheet, and save it as CSV UTF-8"],
  ["shortened", `${HEADER}\nm1,1.20255E+10,x,OTP`, "a spreadsheet has shortened this number"],
  ["an unquoted comma", `${HEADER}\nm1,+12025550100,x,OTP, later`, "line 2: has 5 cells; the header has 4"],
  [
    "a cell in a column without a name",
    "merchantId,to,message,type,,x\nm1,+12025550100,x,OTP,?,",
    "column 5 has no name, and holds",
  ],
  ["a row cut off", `${HEADER}\nm1`, "line 2: has 1 cell; the header has 4"],
])("reports the fault of %s", async (_, list, said) => {
  const answering = await accepting();
  const argv = ["--map", "x="].slice(0, String(list).includes(",,x") ? 2 : 0);
  const ended = await scene(answering, list).run(...argv);
  expect([ended.exitCode, answering.received]).toEqual([2, []]);
  expect(ended.stderr).toContain(said);
});

it("reports faults of columns and of --set once, not for each row", async () => {
  const answering = await accepting();
  const ended = await scene(answering, "Phone,Text\n+12025550100,Hi\n+12025550101,Hi\n").run("--set", "type=PROMO");
  expect(ended).toMatchObject({ exitCode: 2 });
  expect(ended.stderr.split("\n")).toEqual([
    "error: 3 values are not valid and 3 required values are missing; nothing was sent",
    '  --set type: received "PROMO"; expected one of OTP, REMINDER, MARKETING, TRANSACTIONAL',
    '  column "Phone": fills no field',
    '  column "Text": fills no field',
    "  merchantId: no column fills it",
    "  to: no column fills it",
    "  message: no column fills it",
    "hint: Name the field of each column: --map Phone=FIELD --map Text=FIELD. To leave one out: --map Phone=.",
    "hint: Give a value to all rows: --set merchantId=… --set to=… --set message=….",
    "hint: Fields: merchantId, to, message, type.",
    "",
  ]);
});

it("fills the placeholders of a text with cells of each row", async () => {
  const answering = await accepting();
  const list = "to;Name;day\n+12025550100;José;Monday\n+12025550101;Ann;Friday\n";
  const set = ["--set", "merchantId=m1", "--set", "type=OTP", "--set", "message=Hi {{ name }}, see you {{day}}"];
  expect((await scene(answering, list).run(...set)).exitCode).toBe(0);
  expect(texts(answering)).toEqual(["+12025550100 Hi José, see you Monday", "+12025550101 Hi Ann, see you Friday"]);
  const empty = await scene(answering, "to,name,day\n+12025550100,,Monday\n").run(...set);
  expect(empty).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('line 2: column "name" is empty here, but --set message uses it'),
  });
  expect(answering.received).toHaveLength(2);
});

it("prints a command that reruns the failed rows, even for a list with templates and --run", async () => {
  let isOpen = true;
  const answering = await service((response, { body }) => {
    if (isOpen)
      return reply(response, 202, { ...JSON.parse(body), channel: "SMS", messageId: "msg_1", status: "QUEUED" });
    reply(response, 409, { type: "about:blank", title: "No", status: 409, code: "consent_required", detail: "No." });
  });
  const { cwd, run } = scene(answering, "to;Name\n+12025550100;José\n");
  const set = ["--set", "merchantId=m1", "--set", "type=OTP", "--set", "message=Hi {{Name}}"];
  await run(...set);
  isOpen = false;
  const { stderr } = await run(...set, "--run", "week 2");
  isOpen = true;
  const hinted = /then run `msgctl (.*)`/.exec(stderr)?.[1] ?? "";
  const argv = [...hinted.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  expect(await msgctl([...argv, "-y"], { cwd, env: answering.env, catalog })).toMatchObject({ exitCode: 0 });
  expect(texts(answering)).toEqual(Array(3).fill("+12025550100 Hi José"));
});

it("warns about a pipe that ends in the middle of a line", async () => {
  const said = "standard input ends in the middle of a line: the program that writes it may have stopped early";
  for (const [end, isSaid] of [
    ["\n", false],
    ["", true],
  ] as const) {
    const planned = await msgctl(["send", "bulk", "-", "--channel", "SMS", "--dry-run"], {
      catalog,
      stdin: plain + end,
    });
    expect([planned.exitCode, planned.stderr.includes(said)]).toEqual([0, isSaid]);
  }
  const ofFile = await scene(await accepting(), plain).run("--dry-run");
  expect(ofFile.stderr).not.toContain("line");
});

it("treats a blank cell as an empty one", async () => {
  const answering = await accepting();
  const ended = await scene(answering, `${HEADER}\nm1,+12025550100, \u00a0 ,OTP\n`).run();
  expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("line 2, message: missing") });
});

it("warns about equal rows, and about braces in cells", async () => {
  const answering = await accepting();
  const list = `${HEADER}\n${ROWS[1]}\n${ROWS[1]}\nm1,+12025550103,Hi {{name}},OTP\n`;
  const { run } = scene(answering, list);
  const planned = await run("--dry-run", "-o", "json");
  expect(JSON.parse(planned.stdout)).toMatchObject({ rows: 3, segments: 3, equalRows: 1 });
  for (const { stderr } of [planned, await run("--quiet")]) {
    expect(stderr).toContain("1 row says the same as an earlier one: each is sent.");
    expect(stderr).toContain("1 row has {{name}} in a cell, the first in line 4: it is sent as it is.");
  }
  expect(answering.received).toHaveLength(3);
});

it("warns about braces in a cell that a text of --set includes", async () => {
  const list = "to,Name\n+12025550100,{{first}}\n+12025550101,Ann\n";
  const set = ["--set", "merchantId=m1", "--set", "type=OTP", "--set", "message=Hi {{Name}}"];
  const { stderr } = await scene(await accepting(), list).run(...set, "--dry-run");
  expect(stderr).toContain("1 row has {{first}} in a cell, the first in line 2");
});

it("counts segments as the service does", async () => {
  const answering = await accepting();
  const list = `${HEADER}\nm1,+12025550100,${"a".repeat(161)},OTP\nm1,+12025550101,${"a".repeat(70)}🙂,OTP\n`;
  const { stdout, stderr } = await scene(answering, list).run("--dry-run");
  expect(stdout).toContain("2 rows (4 segments) would be sent, as SMS. Each segment is charged to the account.");
  expect(stdout).toContain('The first: to +12025550100: "aaa');
  expect(stderr).toBe("Every row can be sent. Nothing was sent.\n");
});

it.each([
  ["\uFEFF", ";"],
  ["", "\t"],
  ["\uFEFF", ","],
  ["sep=|\n", "|"],
])("writes the failed rows in the list's format: %j, %j", async (mark, separator) => {
  const answering = await service((response) =>
    reply(response, 409, { type: "about:blank", title: "No", status: 409, code: "consent_required", detail: "No." }),
  );
  const { cwd, run } = scene(answering, `${mark}${withSeparator(separator)}`);
  expect((await run()).exitCode).toBe(8);
  const written = readFileSync(join(cwd, "list.failed.csv"), "utf8");
  const header = `${mark}${[HEADER.replaceAll(",", separator), "error code", "error message"].join(separator)}\n`;
  expect(written.slice(0, header.length)).toBe(header);
  expect(written).toContain("Hola José 🙂");
  writeFileSync(join(cwd, "list.csv"), written);
  await run();
  expect(readFileSync(join(cwd, "list.failed.csv"), "utf8")).toBe(written);
});
