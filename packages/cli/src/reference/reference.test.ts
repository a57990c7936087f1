/** Tests that the reference data has every part of the commands. */
import { describe, expect, it } from "vitest";
import { catalog } from "../catalog.ts";
import { GLOBAL_FLAGS } from "../flags/global-flags.ts";
import { commandLines } from "../help/examples.ts";
import { allGroups, type Catalog } from "../model/catalog.ts";
import type { OperationRecord } from "../model/record.ts";
import { parcels } from "../testing/parcels.ts";
import type { CommandFacts } from "./command-facts.ts";
import { type Reference, readReference } from "./reference.ts";

const real = await readReference(catalog);
const invented = await readReference(parcels);
const records = await Promise.all(
  catalog.index.groups.flatMap(({ commands }) => commands.map(({ operationId }) => catalog.record(operationId))),
);

function findCommand({ groups, roots }: Reference, words: string): CommandFacts {
  const command = [...groups, ...roots].flatMap(({ commands }) => commands).find((known) => known.words === words);
  if (command === undefined) throw new Error(`No command ${words}.`);
  return command;
}

it.each<[string, Catalog, Reference]>([
  ["of msgctl", catalog, real],
  ["of another catalog", parcels, invented],
])("the reference has each group and command %s", (_, from, { groups, roots }) => {
  const expected = allGroups(from).map(({ name, commands }) => [name, commands.map((one) => `${name} ${one.name}`)]);
  expect(groups.map(({ name, commands }) => [name, commands.map(({ words }) => words)])).toEqual(expected);
  expect(roots.map(({ commands }) => commands.map(({ words }) => words))).toEqual(
    from.rootCommands.map(({ words }) => [words]),
  );
});

it("the reference is plain data", () => {
  expect(JSON.parse(JSON.stringify(real))).toEqual(real);
});

it("the reference has every global flag", () => {
  expect(real.globalFlags).toEqual(
    GLOBAL_FLAGS.map(({ flags, description }) => [flags.replace(/[<>]/g, ""), description]),
  );
});

it("the reference has every topic with its sections", () => {
  const [environment] = real.topics;
  expect(environment?.introduction).toEqual([{ kind: "blocks", blocks: expect.any(Array) }]);
  expect(environment?.sections.map(({ title, parts }) => [title, parts.map(({ kind }) => kind)])).toEqual([
    ["VARIABLES", ["definitions"]],
    ["PROFILES", ["lines"]],
    ["FILES", ["definitions"]],
    ["DEMO SERVER", ["blocks"]],
  ]);
});

describe("the reference of a command", () => {
  it("contains everything from the command's record", () => {
    const send = findCommand(invented, "parcels send");
    const values = [...send.arguments, ...send.required, ...send.optional];
    expect(send.description.map(({ text }) => text)).toContain("Running this command costs money.");
    expect(send).toMatchObject({
      ...{ usage: "msgctl parcels send <depot-id> <flags>", aliases: ["parcels post"] },
      request: { method: "POST", path: "/depots/{depotId}/parcels", idempotent: true },
      output: { kind: "object", columns: ["parcelId", "status"], secrets: ["pin"] },
      wait: { command: "parcels get", field: "status", until: ["ARRIVED", "LOST"] },
      examples: [{ title: "A box", lines: ["msgctl parcels send north --kind BOX --phone +12025550100"] }],
    });
    expect(values.map(({ term, meaning, values: allowed }) => [term, meaning, allowed])).toEqual(
      expect.arrayContaining([
        ["<depot-id>", "Depot that takes the parcel.", "Text. Matches `^[a-z]{2,8}$`."],
        ["--kind enum", "Form of the parcel.", "One of `BOX`, `LETTER`, `TUBE`."],
        ["--weight-grams integer", "Weight.", "A whole number. At least 1. Default `500`."],
        ["--[no-]fragile", "Whether it breaks.", "Sets true; with `no-`, sets false."],
        ["--labels string ...", "Words on it.", "Text. At most 5 characters. At most 3 values. May be repeated."],
        ["--pin-file path", "Opens the locker.", "The path of a file that holds the value, or - for standard input."],
      ]),
    );
  });

  it.each(records.map((record): [string, OperationRecord] => [`${record.group} ${record.name}`, record]))(
    "has all values, fields and examples of %s",
    (words, { inputs, output, method, path, wait, examples }) => {
      const command = findCommand(real, words);
      const values = [...command.arguments, ...command.required, ...command.optional];
      for (const { name, enum: allowed = [] } of inputs) {
        const value = values.find(({ term }) => new RegExp(`^[<[]?(--)?(\\[no-\\])?${name}(-file)?\\b`).test(term));
        expect(value?.text).not.toBe("");
        for (const one of allowed) expect(value?.values).toContain(`\`${one}\``);
      }
      expect(command).toMatchObject({ output, request: { method, path } });
      expect(command.wait?.field).toBe(wait?.field);
      expect(command.examples).toEqual(examples.map(({ title, argv }) => ({ title, lines: commandLines(argv) })));
    },
  );
});
