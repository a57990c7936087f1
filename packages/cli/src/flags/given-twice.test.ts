/** If a line gives a single value twice, msgctl reports it and never drops one silently. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { catalog } from "../catalog.ts";
import { folder, msgctl, reply, type Service, service } from "../testing/world.ts";

const SEND = ["parcels", "send", "north", "--kind", "BOX", "--phone", "+12025550100"];

const answering = (): Promise<Service> => service((response) => reply(response, 200, {}));

it.each([
  [
    [...SEND, "--phone", "+12025550199"],
    '--phone takes one value and was given two: "+12025550100" and "+12025550199"',
  ],
  [[...SEND, "--phone=+12025550199"], "--phone takes one value"],
  [["parcels", "post", ...SEND.slice(2), "--kind=BOX"], '--kind takes one value and was given two: "BOX" and "BOX"'],
  [[...SEND, "--pin-file", "a", "--pin-file", "b"], '--pin-file takes one value and was given two: "a" and "b"'],
  [[...SEND, "--fragile", "--no-fragile"], "--no-fragile contradicts --fragile"],
  [[...SEND, "--no-fragile", "--fragile"], "--fragile contradicts --no-fragile"],
  [[...SEND, "-o", "json", "--output=yaml"], '--output takes one value and was given two: "json" and "yaml"'],
  [["-o", "json", ...SEND, "-o", "yaml"], '--output takes one value and was given two: "json" and "yaml"'],
  [["parcels", "--profile", "a", ...SEND.slice(1), "--profile", "b"], "--profile takes one value"],
  [["--timeout", "1", "parcels", "--timeout", "2", ...SEND.slice(1)], "--timeout takes one value"],
  [[...SEND, "--columns", "status", "--columns", "parcelId"], "--columns takes one value"],
  [[...SEND, "--wait", "--wait-timeout", "1", "--wait-timeout", "2"], "--wait-timeout takes one value"],
  [["weigh", "left", "--unit", "g", "--unit", "oz"], '--unit takes one value and was given two: "g" and "oz"'],
  [["weigh", "left", "--log-file", "a", "--log-file", "b"], "--log-file takes one value"],
  [["weigh", "left", "-q", "a", "-q", "b"], "--query takes one value"],
  [["weigh", "left", "right"], "too many arguments for 'weigh'. Expected 1 argument but got 2"],
])("refuses %j", async (argv, said) => {
  const { env, received } = await answering();
  const ended = await msgctl(argv, { env });
  expect([ended.exitCode, ended.stdout, received]).toEqual([2, expect.not.stringContaining("scale"), []]);
  expect(ended.stderr).toContain(said);
});

it("suggests running the command once for each value", async () => {
  const ended = await msgctl([...SEND, "--phone", "+12025550199", "-o", "json"]);
  expect(JSON.parse(ended.stderr)).toMatchObject({
    ...{ code: "usage", exitCode: 2 },
    hints: ["Give --phone once, and run the command once for each value."],
  });
});

it("suggests the flag that takes several values, if there is one", async () => {
  const numbers = ["--to-number", "+12025550100", "--to-number", "+12025550101"];
  const ended = await msgctl(["tts", "create", "--merchant-id", "m1", ...numbers], { catalog });
  expect([ended.exitCode, ended.stderr]).toEqual([2, expect.stringContaining("Give --to-numbers for each value.")]);
});

it.each([
  ["--api-key", "mkt_live_canary", "mkt_live_canary!"],
  ["--api-key", "canary", "canary"],
  ["--profile", "prod", "mks_canary"],
])("does not show the values of %s if one may be a credential", async (flag, one, other) => {
  const ended = await msgctl(["auth", "login", flag, one, flag, other], { catalog });
  expect([ended.exitCode, ended.stderr]).toEqual([
    2,
    expect.stringContaining(`${flag} takes one value and was given two\n`),
  ]);
  expect(ended.stderr).not.toContain("canary");
});

it("accepts enum words of a defined command in any case", async () => {
  expect(JSON.parse((await msgctl(["weigh", "LEFT", "--unit", "Oz", "-o", "JSON"])).stdout)).toEqual({
    ...{ scale: "left", flags: { unit: "oz" } },
  });
  const ended = await msgctl(["weigh", "LFT", "--unit", "OZZ", "-o", "JSON"]);
  expect(JSON.parse(ended.stderr).errors).toEqual([
    { where: "<scale>", message: 'received "LFT"; expected one of left, right; did you mean left?' },
    { where: "--unit", message: 'received "OZZ"; expected one of g, oz; did you mean oz?' },
  ]);
});

it("accepts a switch that is given twice, because that is not ambiguous", async () => {
  const { env } = await answering();
  const argv = ["--quiet", ...SEND, "--quiet", "-y", "--yes", "--fragile", "--fragile", "--no-color", "--no-color"];
  expect((await msgctl(argv, { env })).exitCode).toBe(0);
});

it.each([
  [["kind=BOX", "kind=TUBE"], [], "--set kind: is also given by --set kind; give only one of them"],
  [["labels.0=a", "labels[0]=b"], [], "--set labels[0]: is also given by --set labels.0"],
  [
    ["contact.phone=+12025550100", 'contact={"phone":"+12025550101"}'],
    [],
    "--set contact: is also given by --set contact.phone",
  ],
  [['labels=["a","b"]', "labels.0=c"], [], "--set labels.0: is also given by --set labels"],
  [["kind=TUBE"], ["--kind", "BOX"], "--set kind: is also given by --kind; give only one of them"],
  [["labels.0=a"], ["--labels", "b"], "--set labels.0: is also given by --labels"],
  [['contact={"phone":"+12025550101"}'], ["--phone", "+12025550100"], "--set contact: is also given by --phone"],
])("refuses --set %j beside %j", async (sets, flags, said) => {
  const { env, received } = await answering();
  const cwd = folder();
  writeFileSync(join(cwd, "body.json"), JSON.stringify({ kind: "BOX", contact: { phone: "+12025550100" } }));
  const argv = [
    "parcels",
    "send",
    "north",
    "--body-file",
    "body.json",
    ...flags,
    ...sets.flatMap((set) => ["--set", set]),
  ];
  const ended = await msgctl(argv, { env, cwd });
  expect([ended.exitCode, received]).toEqual([2, []]);
  expect(ended.stderr).toContain(said);
});

it.each([
  ["parcels", "send", "north", "--phone", "+12025550100", "--kind", "BOX", "--labels", "a,b,c,d"],
  ["tts", "create", "--to-numbers", "none"],
])("suggests no repetition of the flag if a value of a comma-separated list is invalid: %j", async (...argv) => {
  const ended = await msgctl(argv, argv[0] === "tts" ? { catalog } : {});
  expect(ended.stderr).not.toContain("repeat");
});

it.each([
  [
    ["tts", "create", "--to-numbers", "+12025550100, +12025550101"],
    '--to-numbers: received "+12025550100, +12025550101"; expected one value each time: --to-numbers +12025550100 --to-numbers +12025550101',
  ],
  [
    ["registration", "number", "m1", "--phone-number", "+12025550100", "--capabilities", "SMS,voice"],
    "expected one value each time: --capabilities SMS --capabilities voice",
  ],
  [
    ["tts", "create", "--to-numbers", Array(9).fill("+12025550100").join(",")],
    `expected one value each time: ${"--to-numbers +12025550100 ".repeat(5)}and so on`,
  ],
])("suggests repeating the flag for a comma-separated list: %j", async (argv, said) => {
  const ended = await msgctl(argv, { catalog });
  expect([ended.exitCode, ended.stderr]).toEqual([2, expect.stringContaining(said)]);
});
