import Ajv2020 from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import { msgctl } from "../../testing/world.ts";
import { standaloneSchema } from "./standalone-schema.ts";

const commands = catalog.index.groups.flatMap(({ name: group, commands }) => commands.map(({ name }) => [group, name]));

describe.each(commands)("schema %s %s", (group = "", name = "") => {
  it("is complete, and its example is valid", async () => {
    const { exitCode, stdout, stderr } = await msgctl(["schema", group, name], { catalog });
    expect([exitCode, stderr]).toEqual([0, ""]);
    const { command, parameters, request, reply, example } = JSON.parse(stdout);
    expect(command).toBe(`${group} ${name}`);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const schema of [request, reply]) if (schema !== null) expect(ajv.compile(schema)).toBeTypeOf("function");
    const validate = (schema: object, value: unknown) => [ajv.validate(schema, value), ajv.errors];
    if (request !== null) expect(validate(request, example.body)).toEqual([true, null]);
    for (const [place, schema] of Object.entries<object>(parameters ?? {}))
      expect(validate(schema, example?.[place] ?? {})).toEqual([true, null]);
  });
});

it("prints a schema as YAML on request, and supports --query", async () => {
  const yaml = await msgctl(["schema", "send", "sms", "-o", "yaml"], { catalog });
  expect(yaml.stdout).toContain("operationId: sendSms\n");
  const asked = await msgctl(["schema", "send", "sms", "--query", "example.body"], { catalog });
  expect(JSON.parse(asked.stdout)).toMatchObject({ merchantId: expect.any(String), to: expect.stringMatching(/^\+/) });
});

it.each([
  [["sned", "sms"], 2, "did you mean send?"],
  [["send", "smss"], 2, "did you mean sms?"],
  [["send"], 9, "<command>: missing"],
  [["tts", "watch"], 2, "is not one request of the contract"],
  [["tts", "watch"], 2, "Run `msgctl tts watch --help`"],
])("refuses %j with exit code %i", async (argv, exitCode, said) => {
  const ended = await msgctl(["schema", ...argv], { catalog });
  expect([ended.exitCode, ended.stdout]).toEqual([exitCode, ""]);
  expect(ended.stderr).toContain(said);
});

it.each([
  ["send", "bulk", ["send sms", "send voice", "send email"], { name: "to", type: "string", required: true }],
  ["consent", "import", ["consent record"], { name: "status", required: true, allowed: ["OPT_IN", "OPT_OUT"] }],
  ["merchants", "import", ["merchants upsert"], { name: "active", type: "boolean", required: false }],
])("prints the columns of a list for %s %s, with an example", async (group, name, commands, column) => {
  const { exitCode, stdout } = await msgctl(["schema", group, name], { catalog });
  expect(exitCode).toBe(0);
  const { command, rows } = JSON.parse(stdout);
  expect(command).toBe(`${group} ${name}`);
  expect(rows.map((list: { command: string }) => list.command)).toEqual(commands);
  for (const { columns, example } of rows) {
    const names = columns.map((entry: { name: string }) => entry.name);
    const [header] = example.split("\n");
    expect(names).toEqual(expect.arrayContaining(header.split(",")));
  }
  expect(rows[0].columns).toContainEqual(expect.objectContaining(column));
});

it("a schema includes each referenced schema once, even if a schema refers to itself", () => {
  const library = {
    Tree: { $id: "Tree", type: "object", properties: { left: { $ref: "Tree#" }, leaf: { $ref: "Leaf#" } } },
    Leaf: { $id: "Leaf", type: "string" },
  };
  expect(standaloneSchema({ $ref: "Tree#" }, library)).toEqual({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { left: { $ref: "#/$defs/Tree" }, leaf: { $ref: "#/$defs/Leaf" } },
    $defs: {
      Tree: { type: "object", properties: { left: { $ref: "#/$defs/Tree" }, leaf: { $ref: "#/$defs/Leaf" } } },
      Leaf: { type: "string" },
    },
  });
});
