import { operations } from "@msgctl/contract";
import { schemas } from "@msgctl/contract/schemas";
import { describe, expect, it } from "vitest";
import { MOST_VALUES, parseBody } from "./body-check.ts";

interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly maxItems?: number;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly oneOf?: readonly SchemaNode[];
}

const bodies: readonly SchemaNode[] = Object.values(operations).flatMap(({ bodySchema }) =>
  bodySchema === null ? [] : [{ $ref: `${bodySchema}#` }],
);

function resolve(node: SchemaNode): SchemaNode {
  if (node.$ref === undefined) return node;
  return (schemas as Readonly<Record<string, SchemaNode>>)[node.$ref.slice(0, -"#".length)] ?? {};
}

/** Returns the pointers of the integers in a value. */
function integersOf(node: SchemaNode, pointer = ""): string[] {
  const { type, properties = {}, items, oneOf = [] } = resolve(node);
  return [
    ...([type].flat().includes("integer") ? [pointer] : []),
    ...Object.entries(properties).flatMap(([name, schema]) => integersOf(schema, `${pointer}/${name}`)),
    ...oneOf.flatMap((schema) => integersOf(schema, pointer)),
    ...(items === undefined ? [] : integersOf(items, `${pointer}/0`)),
  ];
}

/** Returns the largest possible number of items and members in a value of the schema. */
function mostOf(node: SchemaNode): number {
  const { properties = {}, items, maxItems = 0, oneOf = [] } = resolve(node);
  const parts = [...Object.values(properties), ...oneOf].map(mostOf);
  const ofItems = items === undefined ? 0 : maxItems * (1 + mostOf(items));
  return parts.reduce((all, part) => all + part, Object.keys(properties).length + ofItems);
}

const parse = (text: string) => parseBody(Buffer.from(text)).value;
const asWritten = (number: string) => ({ "a number as written": number });

describe("the largest body of the contract", () => {
  it("has fewer values than the limit", () => {
    const most = Math.max(...bodies.map(mostOf));
    expect(most).toBeGreaterThan(10_000);
    expect(most).toBeLessThan(MOST_VALUES);
  });
});

describe("a number", () => {
  const lost = "1.00000000000000000001";

  it("is kept as written if it would lose its fraction, wherever the contract has an integer", () => {
    const integers = bodies.flatMap((body) => integersOf(body));
    expect(integers).toContain("/smsLimit");
    for (const pointer of integers) {
      const name = pointer.slice(1);
      expect(parse(`{"before":[{}],"${name}":${lost}}`)).toEqual({ before: [{}], [name]: asWritten(lost) });
    }
  });

  it("is also kept as written in nested values", () => {
    const text = `{"a":1,"b\\"":[1e-400,{"c":9007199254740991.4}]}`;
    expect(parse(text)).toEqual({ a: 1, 'b"': [asWritten("1e-400"), { c: asWritten("9007199254740991.4") }] });
  });

  it.each([
    '{"a":1,"1.00000000000000000001":"\\"1.00000000000000000001\\\\"}',
    '{"a":1.0000000000000000000000,"b":9007199254740993,"c":0e-400,"d":"1e-400"}',
    '{"a":1.25e-7,"b":-1.5e300}',
  ])("is parsed as usual if it loses no fraction or is part of a string: %s", (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });
});

describe("a body", () => {
  it.each([
    ["a byte that cannot begin a character", [0xff]],
    ["a character that is cut off", [0xf0, 0x9f, 0x98]],
    ["half of a surrogate pair", [0xed, 0xa0, 0x80]],
  ])("with %s is refused, as it is not UTF-8", (_case, wrong) => {
    expect(() => parseBody(Buffer.from([0x22, ...wrong, 0x22]))).toThrow("The body is not valid UTF-8.");
  });

  it("must not be empty", () => {
    expect(() => parseBody(Buffer.alloc(0))).toThrow("The body is empty. Send a JSON object.");
  });

  it("with lone surrogates deeper than any text of the contract has no additional fault", () => {
    const deep = `${"[".repeat(8_000)}"\\ud800"${"]".repeat(8_000)}`;
    expect(parseBody(Buffer.from(deep)).malformed).toEqual([]);
    expect(parseBody(Buffer.from('{"a~b":["\\ud800"]}')).malformed).toMatchObject([{ pointer: "/a~0b/0" }]);
  });
});
