/** An invented service that uses every feature of records, so that tests of the runtime need no real operation. */
import type { Catalog, CommandRun } from "../model/catalog.ts";
import type { CommandDefinition } from "../model/command.ts";
import type { OperationRecord } from "../model/record.ts";

const send: OperationRecord = {
  operationId: "sendParcel",
  group: "parcels",
  name: "send",
  aliases: ["post"],
  summary: "Send a parcel",
  description: "Hands a parcel to the depot, which takes it the same day.",
  method: "POST",
  path: "/depots/{depotId}/parcels",
  idempotent: true,
  inputs: [
    {
      ...{ name: "depot-id", in: "path", path: ["depotId"], type: "string", positional: true, required: true },
      ...{ description: "Depot that takes the parcel.", pattern: "^[a-z]{2,8}$", example: "north" },
    },
    {
      ...{ name: "kind", in: "body", path: ["kind"], type: "string", required: true },
      ...{ description: "Form of the parcel.", enum: ["BOX", "LETTER", "TUBE"] },
    },
    {
      ...{ name: "phone", in: "body", path: ["contact", "phone"], type: "string", required: true, format: "e164" },
      ...{ description: "Who is called. Answers at noon.", pattern: "^\\+[1-9]\\d{6,14}$", example: "+12025550100" },
    },
    {
      ...{ name: "weight-grams", in: "body", path: ["weightGrams"], type: "integer", format: "int32" },
      ...{ description: "Weight.", minimum: 1, default: 500 },
    },
    { name: "fragile", in: "body", path: ["fragile"], type: "boolean", description: "Whether it breaks." },
    {
      ...{ name: "labels", in: "body", path: ["labels"], type: "string", repeatable: true, maxItems: 3, maxLength: 5 },
      description: "Words on it.",
    },
    {
      name: "pin",
      in: "body",
      path: ["pin"],
      type: "string",
      secret: true,
      description: "Opens the locker.",
      minLength: 4,
    },
    { name: "X-Route", in: "header", path: ["X-Route"], type: "string", description: "Route that it takes." },
  ],
  output: {
    kind: "object",
    columns: ["parcelId", "status"],
    fields: ["parcelId", "status", "size.litres", "pin"],
    secrets: ["pin"],
  },
  cost: "billable",
  wait: { operation: "getParcel", from: "parcelId", field: "status", until: ["ARRIVED", "LOST"], failed: ["LOST"] },
  examples: [{ title: "A box", argv: ["parcels", "send", "north", "--kind", "BOX", "--phone", "+12025550100"] }],
};

const list: OperationRecord = {
  operationId: "listParcels",
  group: "parcels",
  name: "list",
  aliases: [],
  summary: "List parcels",
  description: "Parcels, newest first.",
  method: "GET",
  path: "/parcels",
  idempotent: false,
  inputs: [
    {
      ...{ name: "limit", in: "query", path: ["limit"], type: "integer", format: "int32", minimum: 1, maximum: 500 },
      ...{ default: 50, description: "Maximum number of parcels." },
    },
    { name: "since", in: "query", path: ["since"], type: "string", format: "date", description: "First day." },
  ],
  output: {
    kind: "list",
    columns: ["parcelId", "status", "size.litres"],
    fields: ["parcelId", "status", "size.litres", "pin"],
    secrets: ["pin"],
  },
  examples: [{ title: "All of them", argv: ["parcels", "list"] }],
};

const get: OperationRecord = {
  operationId: "getParcel",
  group: "parcels",
  name: "get",
  aliases: [],
  summary: "Read a parcel",
  description: "Where it is.",
  method: "GET",
  path: "/parcels/{parcelId}",
  idempotent: false,
  inputs: [
    {
      ...{ name: "parcel-id", in: "path", path: ["parcelId"], type: "integer", positional: true, required: true },
      ...{ format: "int64", description: "Parcel." },
    },
  ],
  output: {
    kind: "object",
    columns: ["parcelId", "status", "stops"],
    fields: ["parcelId", "status", "stops", "place"],
    secrets: [],
  },
  examples: [{ title: "Where is it?", argv: ["parcels", "get", "7"] }],
};

const price: OperationRecord = {
  operationId: "setPrice",
  group: "prices",
  name: "set",
  aliases: [],
  summary: "Set a price",
  description: "By unit or by weight.",
  method: "POST",
  path: "/prices",
  idempotent: true,
  inputs: [
    { name: "per-unit", in: "body", path: ["perUnit"], type: "integer", format: "int64", description: "Cents a unit." },
    { name: "per-gram", in: "body", path: ["perGram"], type: "number", description: "Cents a gram." },
    { name: "method", in: "body", path: ["method"], type: "integer-or-string", description: "Payment method." },
    { name: "tiers", in: "body", path: ["tiers"], type: "json", repeatable: true, description: "Tiers." },
  ],
  anyOf: [["per-unit"], ["per-gram", "method"]],
  output: { kind: "none", columns: [], fields: [], secrets: [] },
  cost: "irreversible",
  examples: [{ title: "A cent", argv: ["prices", "set", "--per-unit", "1"] }],
};

const label: OperationRecord = {
  operationId: "getLabel",
  group: "labels",
  name: "print",
  aliases: [],
  summary: "Print a label",
  description: "The label as XML.",
  method: "GET",
  path: "/labels",
  idempotent: false,
  inputs: [],
  output: { kind: "text", columns: [], fields: [], secrets: [] },
  examples: [{ title: "Print it", argv: ["labels", "print"] }],
};

const records = [send, list, get, price, label];
const hints: Record<string, string> = {
  depot_full: "Wait, then run `msgctl parcels send <depotId>` again; <nobody> knows more.",
  parcel_lost:
    "See `msgctl <group> <command> --help`, then `msgctl prices <GET|SEND> --size <litres> <BOX|TUBE>` with the same Idempotency-Key.",
};

/** A defined command in a group of the service. */
const scan: CommandDefinition = {
  words: "parcels scan",
  aliases: ["look"],
  summary: "Scan a parcel",
  description: "Scans a parcel with the camera of this machine.",
  arguments: [{ name: "parcel-id", description: "Parcel in view." }],
  flags: [{ flags: "--unit <name>", description: "Unit of its size." }],
  examples: [{ title: "Scan a parcel", argv: ["parcels", "scan", "7", "--unit", "cm"] }],
};

const runScan: CommandRun = async ({ arguments: named, flags, globalFlags }, io) => {
  io.stdout.write(`${JSON.stringify({ parcelId: named.get("parcel-id"), flags, globalFlags })}\n`);
};

/** A defined command outside any group. */
const weigh: CommandDefinition = {
  words: "weigh",
  summary: "Weigh a parcel",
  description: "Weighs the load on the scale.",
  arguments: [{ name: "scale", description: "Scale to read.", choices: ["left", "right"] }],
  flags: [
    { flags: "--unit <name>", description: "Unit of the weight.", choices: ["g", "oz"] },
    { flags: "--minus <grams>", description: "Weight of a crate.", repeatable: true },
    { flags: "--log-file <path>", description: "File to write the weight to." },
    { flags: "--again", description: "Weigh twice." },
  ],
  examples: [{ title: "Weigh it", argv: ["weigh", "left"] }],
};

const runWeigh: CommandRun = async ({ arguments: named, flags }, io) => {
  io.stdout.write(`${JSON.stringify({ scale: named.get("scale"), flags })}\n`);
};

/** The catalog of the invented service. */
export const parcels: Catalog = {
  index: {
    contractVersion: "9.8.7",
    groups: [...new Set(records.map(({ group }) => group))].map((name) => ({
      name,
      description: `All about ${name}.`,
      commands: records.filter(({ group }) => group === name),
    })),
    examples: send.examples,
  },
  definedGroups: [
    {
      name: "parcels",
      commands: [{ name: "scan", aliases: ["look"], summary: "Scan a parcel", words: "parcels scan" }],
    },
  ],
  rootCommands: [{ name: "weigh", aliases: [], summary: "Weigh a parcel", words: "weigh" }],
  definition: async (words) => (words === "weigh" ? weigh : scan),
  commandRun: async (words) => (words === "weigh" ? runWeigh : runScan),
  async record(operationId) {
    const record = records.find((candidate) => candidate.operationId === operationId);
    if (record === undefined) throw new Error(`No record ${operationId}.`);
    return record;
  },
  async hint(code) {
    return hints[code];
  },
};

/** Returns the catalog with some operations replaced. */
export function parcelsWith(...others: readonly OperationRecord[]): Catalog {
  const changed = new Map(others.map((record) => [record.operationId, record]));
  return { ...parcels, record: async (operationId) => changed.get(operationId) ?? parcels.record(operationId) };
}

export { get, label, list, price, send };
