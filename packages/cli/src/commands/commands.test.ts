import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { catalog } from "../catalog.ts";
import { msgctl } from "../testing/world.ts";
import { definitions } from "./definitions.ts";
import { definedGroups, rootCommands } from "./index.ts";
import { runs } from "./runs.ts";

const entries = [
  ...definedGroups.flatMap((group) =>
    group.commands.map((entry) => ({ line: `${group.name} ${entry.name}`, ...entry })),
  ),
  ...rootCommands.map((entry) => ({ line: entry.name, ...entry })),
];

it("gives a defined command its arguments and flags, and the global flags", async () => {
  const { stdout } = await msgctl(["--quiet", "parcels", "look", "7", "--unit", "cm", "-y"]);
  expect(JSON.parse(stdout)).toEqual({ parcelId: "7", flags: { unit: "cm" }, globalFlags: { quiet: true, yes: true } });
});

it("shows a defined command's help, and its summary beside the group's other commands", async () => {
  const help = await msgctl(["parcels", "scan", "--help"]);
  for (const said of ["Scans a parcel", "<parcel-id>", "--unit name", "--quiet", "msgctl parcels scan 7 --unit cm"])
    expect(help.stdout).toContain(said);
  expect((await msgctl(["parcels", "--help"])).stdout).toContain("Scan a parcel (also: look)");
});

it.each([
  [["weigh", "left", "--minus", "1", "--minus", "2"], { scale: "left", flags: { minus: ["1", "2"] } }],
  [["--quiet", "weigh", "right", "--unit", "oz"], { scale: "right", flags: { unit: "oz" } }],
])("runs %j, which has no group", async (argv, said) => {
  const { exitCode, stdout } = await msgctl(argv);
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, said]);
});

it("lists a command without a group in the root's help, and shows its help", async () => {
  expect((await msgctl(["--help"])).stdout).toContain("\nCOMMANDS\n  weigh  Weigh a parcel\n");
  for (const argv of [
    ["weigh", "--help"],
    ["help", "weigh"],
  ]) {
    const { stdout } = await msgctl(argv);
    expect(stdout).toContain("msgctl weigh <scale> [flags]");
    for (const said of ["Scale to read. One of left, right.", "One of g, oz.", "May be repeated."])
      expect(stdout.replace(/\s+/g, " ")).toContain(said);
  }
});

it.each([
  [["wiegh"], 2, "did you mean weigh?"],
  [["help", "wiegh"], 2, "did you mean weigh?"],
  [["weigh"], 9, "<scale>: missing: Scale to read."],
  [["weigh", "left", "--unitt", "g"], 2, "Run `msgctl weigh --help`."],
  [["weigh", "lefd"], 2, '<scale>: received "lefd"; expected one of left, right; did you mean left?'],
  [["weigh", "left", "--unit", "kg"], 2, '--unit: received "kg"; expected one of g, oz'],
  [["parcels", "scan"], 9, "<parcel-id>: missing: Parcel in view."],
  [["parcels", "scan", "7", "--unitt", "cm"], 2, "did you mean --unit?"],
  [["parcels", "scan", "7", "8"], 2, "too many arguments"],
  [["parcels", "scn", "7"], 2, "did you mean scan?"],
])("refuses %j with %i", async (argv, exitCode, said) => {
  const ended = await msgctl(argv);
  expect(ended).toMatchObject({ exitCode, stdout: "" });
  expect(ended.stderr.toLowerCase()).toContain(said.toLowerCase());
});

it("asks for missing arguments at a terminal", async () => {
  const world = { terminal: 100, env: { TERM: "xterm" } };
  const typed = await msgctl(["parcels", "scan"], { ...world, dialogue: [["parcel-id", "7\r"]] });
  expect(JSON.parse(typed.stdout)).toMatchObject({ parcelId: "7" });
  expect(typed.stderr).toContain("Parcel in view.");
  const chosen = await msgctl(["weigh"], { ...world, dialogue: [["scale", "\u001b[B\r"]] });
  expect(JSON.parse(chosen.stdout)).toMatchObject({ scale: "right" });
  const refused = await msgctl(["weigh", "--no-input"], { ...world, dialogue: [] });
  expect([refused.exitCode, refused.stdout]).toEqual([9, ""]);
});

it.each(entries)("msgctl $line matches its index, and its examples run it", async ({ words, line }) => {
  const command = await catalog.definition(words);
  expect([words, command.words]).toEqual([line, line]);
  expect(command.examples.length).toBeGreaterThan(0);
  for (const { argv } of command.examples) expect(argv.join(" ")).toMatch(new RegExp(`^${command.words}\\b`));
  const { exitCode, stdout } = await msgctl([...words.split(" "), "--help"], { catalog });
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("EXAMPLES")]);
});

/** Returns a value that a global flag accepts. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  "--profile": ["demo"],
  "--base-url": ["http://127.0.0.1:9"],
  "--output": ["json"],
  "--query": ["@"],
  "--out": ["out.json"],
  "--body-file": ["body.json"],
  "--set": ["merchantId=demo"],
  "--idempotency-key": ["key-1"],
  "--timeout": ["1"],
  "--retries": ["0"],
};

// the flags that api accepts depend on its method and path
it.each(entries.filter(({ words }) => words !== "api"))(
  "msgctl $line accepts every global flag that its help lists",
  async ({ words }) => {
    const { stdout } = await msgctl([...words.split(" "), "--help"], { catalog });
    const listed = [
      ...(/^GLOBAL FLAGS\n((?: .*\n)+)/m.exec(stdout)?.[1] ?? "").matchAll(/^ {2,6}(?:-\w, )?(--[a-z-]+)/gm),
    ];
    const definition = await catalog.definition(words);
    const [example] = definition.examples;
    const refused: string[] = [];
    for (const [, flag = ""] of listed.filter(([, flag]) => flag !== "--help")) {
      const line = (example?.argv ?? []).filter((word, index, all) => ![word, all[index - 1]].includes(flag));
      const columns = ["--columns", definition.output?.fields[0] ?? "merchantId", "-o", "csv"];
      // a GET has neither body nor key
      const argv = [
        ...line.map((word) => (word === "GET" ? "POST" : word)),
        ...(flag === "--columns" ? columns : [flag, ...(SAMPLES[flag] ?? [])]),
      ];
      const { exitCode, stderr } = await msgctl(argv, { catalog, signal: AbortSignal.abort() });
      const said = new RegExp(`^(?:error: |  )${flag}: (?!received)|unknown option '${flag}'`, "m").exec(stderr);
      if (exitCode === 2 && said !== null) refused.push(`${flag}: ${stderr}`);
    }
    expect(listed.length).toBeGreaterThan(4);
    expect(refused).toEqual([]);
  },
);

it.each([
  ["send bulk", ["--curl", "--verbose", "--query", "--columns", "--body-file", "--out", "--idempotency-key"]],
  ["consent import", ["--curl", "--verbose", "--query", "--columns", "--body-file"]],
  ["listen", ["--curl", "--dry-run", "--body-file", "--set", "--idempotency-key"]],
  ["completion", ["--curl", "--dry-run", "--columns", "--base-url", "--retries", "--verbose", "--yes"]],
])("msgctl %s lists none of the global flags that it does not take", async (words, flags) => {
  const { stdout } = await msgctl([...words.split(" "), "--help"], { catalog });
  const [, listed = ""] = stdout.split("GLOBAL FLAGS");
  expect(flags.filter((flag) => listed.includes(`${flag} `))).toEqual([]);
});

it("each group that exists only in msgctl has a description", () => {
  const own = definedGroups.filter(({ name }) => !catalog.index.groups.some((group) => group.name === name));
  for (const { name, description } of own) expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)]);
});

it("each defined command has a folder and a run function", () => {
  const folders = readdirSync(new URL(".", import.meta.url), { withFileTypes: true });
  const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const words = Object.keys(definitions).sort();
  expect(names.sort()).toEqual(words.map((each) => each.replace(" ", "-")).sort());
  expect(Object.keys(runs).sort()).toEqual(words);
  expect(entries.map((entry) => entry.words).sort()).toEqual(words);
});
