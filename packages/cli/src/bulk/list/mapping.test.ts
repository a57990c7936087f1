import { expect, it } from "vitest";
import { send } from "../../testing/parcels.ts";
import { fieldName, readMapping } from "./mapping.ts";

const read = (header: string[], map: string[] = [], set: string[] = []) => {
  const { mapping, faults } = readMapping(header, send.inputs, { map, set });
  return {
    columns: mapping.columns.map((input) => input && fieldName(input)),
    constants: [...mapping.constants].map(([input, text]) => [fieldName(input), text]),
    templates: [...mapping.templates].map(([input, template]) => [fieldName(input), template]),
    faults: faults.map(({ where, message }) => `${where}: ${message}`),
  };
};

it.each([
  [
    ["depotId", "kind"],
    ["depotId", "kind"],
  ],
  [
    ["depot-id", "--kind"],
    ["depotId", "kind"],
  ],
  [
    ["DEPOT ID", " Kind "],
    ["depotId", "kind"],
  ],
  [["weight_grams"], ["weightGrams"]],
  [["phone"], ["contact.phone"]],
  [["contact.phone"], ["contact.phone"]],
  [
    ["kind", "error code", "error message"],
    ["kind", undefined, undefined],
  ],
])("reads the header %j", (header, columns) => {
  expect(read(header)).toEqual({
    columns,
    constants: [],
    templates: [],
    faults: [],
  });
});

it("uses --map for columns, and --set for values of all rows", () => {
  expect(
    read(["Mobile", "note", "to=x"], ["mobile=phone", "note=", "to=x=weightGrams"], ["kind=BOX", "X-Route=a=b"]),
  ).toMatchObject({
    columns: ["contact.phone", undefined, "weightGrams"],
    constants: [
      ["kind", "BOX"],
      ["X-Route", "a=b"],
    ],
  });
});

it("fills placeholders of --set from cells, whether or not their column fills a field", () => {
  expect(read(["Name", "phone"], [], ["X-Route=Hi {{name}}: {{ PHONE }}{{name}}!"])).toEqual({
    columns: [undefined, "contact.phone"],
    constants: [],
    templates: [["X-Route", ["Hi ", 0, ": ", 1, "", 0, "!"]]],
    faults: [],
  });
});

it("matches names with accents in either Unicode normalization form", () => {
  const header = ["Prénom".normalize("NFD"), "numéro".normalize("NFC")];
  const map = [`${"numéro".normalize("NFD")}=phone`];
  expect(read(header, map, [`X-Route=${"{{prénom}}".normalize("NFC")}`])).toMatchObject({
    columns: [undefined, "contact.phone"],
    templates: [["X-Route", ["", 0, ""]]],
    faults: [],
  });
});

it("keeps single braces, as in a CSS style, beside a placeholder", () => {
  const { templates, faults } = read(["ink"], [], ["X-Route=@media{a{color:{{ink}}}} b{}"]);
  expect({ templates, faults }).toEqual({
    templates: [["X-Route", ["@media{a{color:", 0, "}} b{}"]]],
    faults: [],
  });
});

it("reports a column that fills no field only once, even if it occurs several times", () => {
  const { unknown } = readMapping(["Name", "name ", "Name"], send.inputs, {
    map: [],
    set: [],
  });
  expect(unknown).toEqual(["Name"]);
});

it("ignores a column without a name", () => {
  expect(read(["kind", "", " "])).toMatchObject({
    columns: ["kind", undefined, undefined],
    faults: [],
  });
});

it("stores a word of an enum in the contract's spelling, so that row ids do not depend on its case", () => {
  expect(read([], [], ["kind=box", "phone=x"]).constants).toEqual([
    ["kind", "BOX"],
    ["contact.phone", "x"],
  ]);
});

it.each([
  [["knd"], [], [], 'column "knd": fills no field; did you mean kind?'],
  [["zzzzzz"], [], [], 'column "zzzzzz": fills no field'],
  [["kind"], [], ["phone=Hi {{nme}}"], '--set: there is no column "nme" for {{nme}}; expected one of kind'],
  [["kind", "Name"], [], ["phone=Hi {{nme}}"], "did you mean Name?"],
  [["kind", "Name", "name"], [], ["phone=Hi {{name}}"], '--set: 2 columns are called "name"'],
  [["kind", "", "Name"], [], ["phone=Hi {{}}"], "--set: {{}} names no column"],
  [["kind", "Name"], [], ["phone=Hi {{Name}"], '--set: "{{Name}" names no column'],
  [["kind", "Name"], [], ["phone={{kind}} Hi {{Na{me}}"], '--set: "{{Na{me}}" names no column'],
  [["kind", "Name"], [], ["phone=Hi {{{Name}}}"], '--set: "{{{Name}}}" names no column'],
  [["phone"], [], ["kind=BAG"], '--set kind: received "BAG"; expected one of BOX, LETTER, TUBE'],
  [["kind", "Kind"], [], [], "kind: is filled more than once"],
  [["kind"], [], ["kind=BOX"], "kind: is filled more than once"],
  [["kind"], ["knd=kind"], [], '--map: there is no column "knd"; expected one of kind; did you mean kind?'],
  [["a"], ["a=knd"], [], '--map: there is no field "knd"'],
  [["kind"], ["kind"], [], '--map: received "kind"; expected column=field'],
  [["kind"], [], ["fragile"], '--set: received "fragile"; expected field=value'],
  [["kind"], [], ["fragil=true"], "did you mean fragile?"],
  [[], [], ["kind=BOX", "Kind=TUBE"], '--set: "Kind=TUBE" gives kind a second value'],
  [["a"], ["a=kind", "A=phone"], [], '--map: "A=phone" names column "A" a second time'],
])("refuses the header %j with --map %j --set %j", (header, map, set, said) => {
  expect(read(header, map, set).faults.join("\n")).toContain(said);
});
