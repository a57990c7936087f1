/** Tests how --body-file and --set combine with flags, and how they are refused. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parcels } from "../../testing/parcels.ts";
import { folder, msgctl, reply, service } from "../../testing/world.ts";

const FILE = { kind: "BOX", contact: { phone: "+12025550100" }, labels: ["a", "b"] };
const SEND = ["parcels", "send", "north"];
const WITH_FILE = [...SEND, "--body-file", "body.json"];

/** Returns the body that a command sends if the body file contains `file`. */
async function bodyOf(argv: readonly string[], file: unknown = FILE): Promise<unknown> {
  const { env, received } = await service((response) => reply(response, 200, {}));
  const cwd = folder();
  writeFileSync(join(cwd, "body.json"), typeof file === "string" ? file : JSON.stringify(file));
  const { exitCode, stderr } = await msgctl(argv, { env, cwd, stdin: JSON.stringify({ ...FILE, kind: "TUBE" }) });
  expect([stderr.replace("Done.\n", ""), exitCode]).toEqual(["", 0]);
  return JSON.parse(received[0]?.body ?? "");
}

it.each<[string, readonly string[], object]>([
  ["the file alone", WITH_FILE, FILE],
  ["standard input", [...SEND, "--body-file", "-"], { ...FILE, kind: "TUBE" }],
  [
    "the file and flags, which take precedence",
    [...WITH_FILE, "--kind", "LETTER", "--no-fragile"],
    { ...FILE, kind: "LETTER", fragile: false },
  ],
  ["a list of flags in place of the file's", [...WITH_FILE, "--labels", "c"], { ...FILE, labels: ["c"] }],
  [
    "the file and a flag for one field of an object in it",
    [...WITH_FILE, "--phone", "+12025550199"],
    { ...FILE, contact: { phone: "+12025550199" } },
  ],
  ["the file and --set, which takes precedence", [...WITH_FILE, "--set", "kind=TUBE"], { ...FILE, kind: "TUBE" }],
  ["a flag's word in any case", [...WITH_FILE, "--kind", "letter"], { ...FILE, kind: "LETTER" }],
  ["a word of --set in any case", [...WITH_FILE, "--set", "kind=tube"], { ...FILE, kind: "TUBE" }],
  [
    "--set on both sides of the command",
    ["--set", "kind=TUBE", ...WITH_FILE, "--set", "weightGrams=7"],
    {
      ...{ ...FILE, kind: "TUBE", weightGrams: 7 },
    },
  ],
  [
    "--set for a position in a list",
    [...WITH_FILE, "--set", "labels.0=x", "--set", "labels[2]=z"],
    { ...FILE, labels: ["x", "b", "z"] },
  ],
  ["a JSON list in place of the file's", [...WITH_FILE, "--set", 'labels=["q"]'], { ...FILE, labels: ["q"] }],
  ["JSON for a boolean field", [...WITH_FILE, "--set", "fragile=true"], { ...FILE, fragile: true }],
  [
    "text for a text field, even if it looks like a number",
    [...WITH_FILE, "--set", "labels.0=12"],
    { ...FILE, labels: ["12", "b"] },
  ],
  ["text with an equals sign", [...WITH_FILE, "--set", "labels.0=a=b"], { ...FILE, labels: ["a=b", "b"] }],
  [
    "--set alone",
    [...SEND, "--set", "kind=BOX", "--set", "contact.phone=+12025550100", "--set", 'labels=["a","b"]'],
    FILE,
  ],
  [
    "a whole object as JSON",
    [...SEND, "--kind", "BOX", "--set", 'contact={"phone":"+12025550100"}', "--labels=a", "--labels=b"],
    FILE,
  ],
])("builds the body from %s", async (_, argv, body) => {
  expect(await bodyOf(argv)).toEqual(body);
});

it("keeps values without a schema unchanged, and sends integers that a double cannot hold as text", async () => {
  const argv = [
    "prices",
    "set",
    "-y",
    "--body-file",
    "body.json",
    "--set",
    "tiers.1.from=5",
    "--set",
    "tiers.1.to.at=x",
  ];
  const body = await bodyOf([...argv, "--set", "method=9007199254740993"], { perUnit: 1, tiers: [{ from: 1 }] });
  expect(body).toEqual({ perUnit: 1, tiers: [{ from: 1 }, { from: 5, to: { at: "x" } }], method: "9007199254740993" });
});

it("accepts a file that begins with a byte order mark", async () => {
  expect(await bodyOf(WITH_FILE, `\uFEFF${JSON.stringify(FILE)}`)).toEqual(FILE);
});

const SET = "--set";
it.each<[readonly string[], unknown, string]>([
  [[SET, "kindd=BOX"], FILE, "--set kindd: there is no such field; did you mean kind?"],
  [[SET, "pin=1234"], FILE, "--set pin: is a secret, which other users could read"],
  [[SET, "contact.phne=1"], FILE, "--set contact.phne: there is no such field; did you mean contact.phone?"],
  [[SET, "kind=BOXX"], FILE, '--set kind: received "BOXX"; expected one of BOX, LETTER, TUBE; did you mean BOX?'],
  [[SET, "kind=ltter"], FILE, "did you mean LETTER?"],
  [
    [],
    { ...FILE, kind: "box" },
    '--body-file kind: received "box"; expected one of BOX, LETTER, TUBE; did you mean BOX?',
  ],
  [[SET, "kind.x=1"], FILE, "--set kind.x: kind is a single value and has no fields"],
  [[SET, "labels.3=c"], FILE, "--set labels.3: position 3 leaves a gap; the next one is 2"],
  [[SET, "labels.x=c"], FILE, "--set labels.x: expected a position in the list, counted from 0"],
  [[SET, "labels=c"], FILE, '--set labels: received "c"; expected a JSON list, such as ["a", "b"]'],
  [[SET, "contact=5"], FILE, "--set contact: received 5; expected a JSON object"],
  [[SET, "weightGrams=0"], FILE, "--set weightGrams: received 0; expected an integer of at least 1"],
  [[SET, "weightGrams=heavy"], FILE, '--set weightGrams: received "heavy"; expected an integer'],
  [[SET, "kind"], FILE, "--set: expected path=value, such as"],
  [[SET, "a..b=1"], FILE, '--set: received the path "a..b"; expected names and positions'],
  [[SET, "__proto__.kind=1"], FILE, "--set __proto__.kind: there is no such field"],
  [[], { ...FILE, kidn: "BOX" }, "--body-file kidn: there is no such field; did you mean kind?"],
  [
    [],
    { ...FILE, contact: { telefax: 1, phone: "+12025550100" } },
    "--body-file contact.telefax: there is no such field; ",
  ],
  [[], { ...FILE, idempotencyKey: "k" }, "--body-file idempotencyKey: is given with --idempotency-key"],
  [[], { ...FILE, kind: null }, "--body-file kind: received null; expected one of BOX, LETTER, TUBE"],
  [[], { ...FILE, fragile: "yes" }, '--body-file fragile: received "yes"; expected true or false'],
  [[], { ...FILE, weightGrams: "5" }, '--body-file weightGrams: received "5"; expected an integer'],
  [[], { ...FILE, labels: ["a", 5] }, "--body-file labels (value 2): received 5; expected text"],
  [[], { ...FILE, labels: ["a", "b", "c", "d"] }, "--body-file labels: received 4 values; expected at most 3"],
  [[], { ...FILE, contact: { phone: "12" } }, '--body-file contact.phone: received "12"; expected a phone number'],
  [[], '{"__proto__": 1}', "--body-file __proto__: there is no such field"],
  [[], '{\n  "kind": "BOX",\n}', "--body-file: is not JSON at line 3, column 1"],
  [[], "", "--body-file: is not JSON"],
  [[], "[]", '--body-file: does not hold a JSON object; expected the fields of the body, such as {"name": "value"}'],
])("refuses %j with the file %j", async (flags, file, said) => {
  const { env, received } = await service((response) => reply(response, 200, {}));
  const cwd = folder();
  writeFileSync(join(cwd, "body.json"), typeof file === "string" ? file : JSON.stringify(file));
  const { exitCode, stdout, stderr } = await msgctl([...WITH_FILE, ...flags], { env, cwd });
  expect([exitCode, stdout, received]).toEqual([2, "", []]);
  expect(stderr).toContain(said);
});

it("does not quote a file that is not JSON", async () => {
  const cwd = folder();
  writeFileSync(join(cwd, "body.json"), "canary: yes");
  const { exitCode, stderr } = await msgctl(WITH_FILE, { cwd });
  expect([exitCode, stderr]).toEqual([2, expect.not.stringContaining("canary")]);
});

it.each([
  [["parcels", "list", SET, "kind=BOX"], "--set: this command sends no body"],
  [["parcels", "list", "--body-file", "none.json"], "--body-file: this command sends no body"],
  [["prices", "set", SET, "tiers.0.__proto__.x=1"], "--set tiers.0.__proto__.x: a field cannot be named __proto__"],
  [
    [...SEND, "--body-file", "none.json"],
    '--body-file: "none.json" cannot be read: there is no such file; expected the path of a JSON file',
  ],
])("refuses %j", async (argv, said) => {
  const { exitCode, stderr } = await msgctl(argv);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(said)]);
});

it("reports values as missing only if neither file, flag nor --set provides them", async () => {
  const { exitCode, stderr } = await msgctl([...SEND, "--set", "kind=BOX"]);
  expect([exitCode, stderr]).toEqual([9, expect.stringContaining("--phone: missing: Who is called.")]);
  expect(stderr).not.toContain("--kind: missing");
  const half = await msgctl(["prices", "set", "--per-gram", "1"]);
  expect(half.exitCode).toBe(9);
  expect((await msgctl(["prices", "set", "--per-gram", "1", "--set", "method=1", "--dry-run"])).exitCode).toBe(0);
});

it("fills in hints with values of the whole body", async () => {
  const { env } = await service((response) => reply(response, 422, { code: "full", status: 422, title: "Full." }));
  const catalog = { ...parcels, hint: async () => "`msgctl prices set <phone> <weightGrams> <pin> <depotId>`" };
  const cwd = folder();
  writeFileSync(join(cwd, "body.json"), JSON.stringify({ ...FILE, pin: "canary" }));
  const { stderr } = await msgctl([...WITH_FILE, "--set", "weightGrams=3"], { env, cwd, catalog });
  expect(stderr).toContain("hint: `msgctl prices set +12025550100 3 <pin> north`");
});
