import { describe, expect, it } from "vitest";
import { GenerationError } from "../faults.ts";
import { PARCELS, parcels, parcelsWith } from "../testing/parcels.ts";

/** A passage of the document, its replacement, the text that opens the faulty line, and the fault. */
type Row = [passage: string, instead: string, opensWith: string, message: string];

/** Adds a faulty `fill` to sendParcel, whose body requires the flag `kind` and the argument `weightGrams`. */
function fillRows(rows: [words: string, message: string][]): Row[] {
  const cost = "        cost: billable\n";
  return rows.map(([words, message]) => [cost, `${cost}        fill: [{ ${words} }]\n`, "fill", message]);
}

const refused: Record<string, Row[]> = {
  words: [
    ["      operationId: ping\n", "", "post:", "operationId is missing"],
    ["operationId: ping", "operationId: Ping-it", "operationId: Ping-it", "camelCase"],
    ["operationId: ping", "operationId: getLabel", "operationId: getLabel", "operationId getLabel is taken by line"],
    ["summary: Ping", "summary: 12", "summary: 12", "summary must be a text, not 12"],
    ["      summary: Ping\n", "", "post:", "summary is missing"],
    ["      description: Answers nothing.\n", "", "post:", "description is missing"],
    ["description: At most so many.", "deprecated: true", "- name: limit", "description is missing"],
    ["    description: What is sent.\n", "", "- name: Parcels", "description is missing"],
    [
      "tags: [Parcels]\n      summary: Ping",
      "tags: [Pings]\n      summary: Ping",
      "tags: [Pings]",
      'The tag "Pings" is not defined. Allowed: Parcels.',
    ],
    ["tags: [Parcels]\n      summary: Ping", "tags: []\n      summary: Ping", "tags: []", "exactly one tag"],
    ["summary: Ping", "summary: Ping\n      x-secret: true", "x-secret", "x-secret is not a key of an operation"],
    ["  /pings:\n    post:", "  /pings:\n    trace:", "trace:", "trace is not allowed under a path"],
  ],
  "x-msgctl": [
    ["      x-msgctl: { group: pings, name: send }\n", "", "post:", "post has no x-msgctl"],
    ["{ group: pings, name: send }", "{ name: send }", "x-msgctl", "group is missing"],
    ["{ group: pings, name: send }", "{ group: pings }", "x-msgctl", "name is missing"],
    ["{ group: pings, name: send }", "{ group: pings, name: Send_it }", "x-msgctl", 'not "Send_it"'],
    [
      "group: pings,",
      "group: pings, colour: red,",
      "x-msgctl",
      "colour is not a key of x-msgctl. Allowed: group, name",
    ],
    ["{ group: pings, name: send }", "{ group: labels, name: print }", "x-msgctl", "taken by getLabel (line 89)"],
    ["{ group: pings, name: send }", "{ group: parcels, name: post }", "x-msgctl", '"parcels post" is taken'],
    ["aliases: [post]", "aliases: [list]", "x-msgctl: { group: parcels, name: list", '"parcels list" is taken by send'],
    ["aliases: [post]", "aliases: [Post]", "aliases: [Post]", "aliases[0] must be lower-case words"],
    ["aliases: [post]", "aliases: post", "aliases: post", 'aliases must be a list, not "post"'],
    [
      "args: [depotId,",
      "args: [depot,",
      "args",
      "depot is neither a parameter nor a field of the body. Allowed: depotId",
    ],
    ["name: list, columns: [parcelId]", "name: list", "x-msgctl: { group: parcels, name: list", "columns is missing"],
    ["columns: [parcelId, status, size.litres]", "columns: [id]", "columns: [id]", "id is not a field of the view"],
    ["size.litres]", "size.constructor]", "columns", "size.constructor is not a field of the view"],
    ["size.litres]", "size.metres]", "columns", "size.metres is not a field of the view"],
    [
      "name: print, identity",
      "name: print, columns: [text], identity",
      "x-msgctl: { group: labels",
      "text is not a field of the view",
    ],
    [
      "[parcelId, kind] }",
      "[] }",
      "x-msgctl: { group: parcels, name: list",
      "identity is missing: name what identifies the reply. Allowed: parcelId, kind",
    ],
    ["identity: [parcelId]\n", "identity: [id]\n", "identity", "id is not in every success. Allowed: parcelId, kind"],
    ["identity: [parcelId]\n", "identity: [note]\n", "identity", "note is not in every success"],
    [
      "identity: [label]",
      "identity: [labels]",
      "x-msgctl: { group: labels",
      "labels is not in every success. Allowed: label.",
    ],
    [", xml: { name: label }", "", "x-msgctl: { group: labels", "label is not in every success. Allowed: nothing."],
    [
      "name: send }",
      "name: send, identity: [pingId] }",
      "x-msgctl",
      "identity must be left out: the reply has no body",
    ],
    ["cost: billable", "cost: dear", "cost: dear", 'cost must be billable or irreversible, not "dear"'],
    ["field: status, until", "field: state, until", "wait", "state is not a field of the view"],
    ["wait: { operation: getParcel", "wait: { operation: findParcel", "wait", "There is no operation findParcel"],
    ["until: [ARRIVED, LOST]", "while: [QUEUED]", "wait", "while is not a key of wait"],
    [
      "failed: [LOST]",
      "failed: [QUEUED]",
      "wait",
      "QUEUED is not one of the values that end the wait. Allowed: ARRIVED or LOST",
    ],
    ["{ operation: listParcels, field: parcelId }", "{ field: parcelId }", "- { field", "operation is missing"],
    [
      "{ operation: listParcels, field: parcelId }",
      "{ operation: listParcels, field: id }",
      "- { op",
      "id is not a field",
    ],
    ...fillRows([
      ["operation: getParcel, field: kind, when: late", "when is not a key of fill"],
      ["operation: findParcel, field: kind", "There is no operation findParcel"],
      ["field: kind", "operation is missing"],
      ["operation: getParcel", "field is missing"],
      ["operation: getParcel, field: weight", "weight is not a field of the view"],
      ["operation: getParcel, field: status", "status is not a required flag of the body. Allowed: kind."],
      ["operation: getParcel, field: weightGrams", "weightGrams is not a required flag of the body"],
      ["operation: getParcel, field: kind", "getParcel is not a GET of one object without required parameters"],
      ["operation: listParcels, field: kind", "listParcels is not a GET of one object"],
      ["operation: sendParcel, field: kind", "sendParcel is not a GET of one object"],
      ["operation: getLabel, field: kind", "getLabel is not a GET of one object"],
    ]),
  ],
  problems: [
    [
      "  too_heavy: A parcel weighs more than 30 kg.\n",
      "",
      "enum: [too_heavy",
      "The problem code too_heavy has no cause",
    ],
    ["  too_heavy: Send two parcels.\n", "", "enum: [too_heavy", "The problem code too_heavy has no hint"],
    ["  too_heavy: Send", "  too_light: Add weight.\n  too_heavy: Send", "too_light", "which is not in the enum"],
    [", parcel_not_found]", ", parcel_not_found, lost]", "enum: [too_heavy", "The problem code lost has no example"],
    ["enum: [too_heavy, ", "enum: [", "too_heavy: {", "too_heavy is not in the enum ProblemCode"],
    ["status: 422,", "status: 413,", "too_heavy: { $ref", "is listed under 422, but its example has the status 413"],
    ["status: 422,", "status: heavy,", "value: { type", "must have its HTTP status"],
    ["title: Too heavy, ", "", "value: { type", "title is missing"],
    [
      "type: /docs/errors/too_heavy",
      "type: /too_heavy",
      "value: { type",
      "The type of too_heavy must be the path of its page",
    ],
    ["code: too_heavy }", "code: heavy }", "value: { type", "too_heavy has the code heavy"],
    ['"422":', "default:", "default:", "default is not an error status"],
    [
      'examples:\n                too_heavy: { $ref: "#/components/examples/too_heavy" }',
      "",
      '"422":',
      "names no problem",
    ],
  ],
  payloads: [
    ['      responses:\n        "204":\n          description: Heard.\n', "", "post:", "exactly one 2xx reply"],
    ['"204":\n', '"200": { description: No. }\n        "204":\n', '"204":', "exactly one 2xx reply"],
    [
      "application/json:\n            schema",
      "text/plain:\n            schema",
      "content:",
      "must have only application/json",
    ],
    [
      'schema: { $ref: "#/components/schemas/ParcelRequest" }',
      "schema: { type: object }",
      "schema: { type: object }",
      "must be a $ref to a component",
    ],
    ["application/xml:", "application/json:", "schema: { type: string,", "must be a $ref to a component, or a list"],
    ["name: depotId\n", "name: depot\n", "post:", "no path parameter of that name"],
    ["name: depotId\n", "name: depot\n", '- $ref: "#/components/parameters/DepotId"', "depot is not in the path"],
    ["in: query", "in: cookie", "in: cookie", 'in must be path, query or header, not "cookie"'],
    ["in: path\n          required: true", "in: path", "- name: parcelId", "must have required: true"],
  ],
  schemas: [
    ['schemas/Size" }', 'schemas/Sise" }', "oneOf", "$ref #/components/schemas/Sise leads nowhere"],
    ['schemas/Size" }', 'parameters/DepotId" }', "oneOf", "must be a reference to a schema"],
    ['parameters/IdempotencyKey"', 'parameters/Key"', "- $ref", "$ref #/components/parameters/Key leads nowhere"],
    ["items: { anyOf", "prefixItems: { anyOf", "prefixItems", "prefixItems is not a schema keyword"],
    ["type: boolean, default", "type: boolean, nullable: true, default", "fragile", "nullable is not a schema keyword"],
    ["format: double", "format: decimal", "litres", "format must be int32, int64, double"],
    [", description: Opens the locker.", "", "pin", "pin has no description"],
    [
      "type: string\n      enum: [BOX, LETTER]\n      description: Form of a parcel.",
      "type: string",
      "kind",
      "kind has no",
    ],
    ["type: boolean,", "type: bool,", "fragile", 'not "bool"'],
    ["minimum: 1, default: 50", "minimum: one", "schema: { type: integer, format: int32", 'a number, not "one"'],
    ['pattern: "^[a-z]+$"', 'pattern: "[a-z"', "schema: { type: string, pattern", "not a regular expression"],
    ["required: [litres]", "required: [litre]", "required: [litre]", '"litre", which is not among the properties'],
    ["enum: [BOX, LETTER]", "enum: []", "enum: []", "a list with at least one value"],
    ["x-secret: true", "x-secret: yes please", "pin", 'true or false, not "yes please"'],
    ["x-secret: true", "x-format-by: { field: kid, formats: { BOX: e164 } }", "pin", '"kid", which is not among'],
    ["x-secret: true", "x-format-by: { field: kind, formats: { BOX: phone } }", "pin", "BOX must be int32"],
    ["x-secret: true", "x-format-by: { field: kind }", "pin", "x-format-by must be { field, formats }"],
    [
      'kind: { $ref: "#/components/schemas/ParcelKind" }\n        weight',
      "kind: BOX\n        weight",
      "kind: BOX",
      "schema",
    ],
  ],
  bounds: [
    [
      "name: Idempotency-Key\n",
      "name: Idempotency-Key\n      x-kept-days: { default: week }\n",
      "x-kept-days",
      'default must be an integer, not "week"',
    ],
    [
      "name: Idempotency-Key\n",
      "name: Idempotency-Key\n      x-kept-days: { least: 3 }\n",
      "x-kept-days",
      "least is not a key of x-kept-days",
    ],
    ["\npaths:\n", "\nx-bulk-concurrency: 16\npaths:\n", "x-bulk-concurrency", "must be an object, not 16"],
  ],
};

describe.each(Object.entries(refused))("a document is refused for its %s", (_, rows) => {
  it.each(rows)("%j → %j", (passage, instead, opensWith, message) => {
    const text = parcelsWith(passage, instead);
    const found = faultsOf(text).filter((fault) => fault.message.includes(message));
    const lines = found.map(({ position }) => text.split("\n")[position.line - 1]?.trim() ?? "");
    expect(lines.filter((line) => line.startsWith(opensWith))).not.toEqual([]);
  });
});

describe("faults", () => {
  it("are all listed at once, in the order of the document, with line and column", () => {
    const text = parcelsWith("operationId: getLabel", "operationId: Label").replace("cost: billable", "cost: dear");
    expect(() => parcels(text)).toThrow(
      [
        'parcels.yaml:25:9 cost must be billable or irreversible, not "dear". Leave it out for a command that is neither.',
        'parcels.yaml:90:7 operationId must be a camelCase name, not "Label": it becomes a name in code.',
      ].join("\n"),
    );
  });

  it("in a part shared by operations are reported once", () => {
    expect(faultsOf(parcelsWith("description: Name of the depot.", "deprecated: true"))).toMatchObject([
      { message: "description is missing." },
    ]);
  });

  it("in references are reported alone, because everything else depends on references", () => {
    const text = parcelsWith("parameters/DepotId", "parameters/Depot").replace("cost: billable", "cost: dear");
    expect(faultsOf(text)).toMatchObject([{ message: expect.stringContaining("leads nowhere") }]);
  });

  it("include a reference to itself", () => {
    const loop = 'SmallParcel:\n      $ref: "#/components/examples/SmallParcel"\n    Other:';
    expect(faultsOf(parcelsWith("SmallParcel:", loop))).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("leads nowhere") }),
    );
  });

  it("in the YAML syntax name their line, too", () => {
    expect(faultsOf(`${PARCELS}tags: []\n`)).toMatchObject([{ position: { line: PARCELS.split("\n").length } }]);
  });
});

function faultsOf(text: string) {
  try {
    parcels(text);
  } catch (error) {
    if (error instanceof GenerationError) return error.faults;
    throw error;
  }
  return [];
}
