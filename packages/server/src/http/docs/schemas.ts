// Schemas as tables of fields. What a field holds inside is told by its path: `sipUsers[].email`.

import { follow, type Node, nodeOf, nodesOf, textOf } from "./document.ts";
import { type Html, html, prose } from "./html.ts";

interface Field {
  readonly path: string;
  readonly isRequired: boolean;
  readonly schema: Node;
}

export function renderSchema(document: Node, name: string, value: unknown): Html {
  const schema = nodeOf(value);
  const fields = fieldsOf(schema, "");
  return html`<section id="schema-${name}"><h3>${name}</h3>${prose(textOf(schema.description))}
${fields.length === 0 ? html`<p>${describeType(document, schema)}</p>` : renderFields(document, fields)}</section>
`;
}

function renderFields(document: Node, fields: readonly Field[]): Html {
  return html`<table><tr><th>field</th><th>type</th><th></th><th>meaning</th></tr>
${fields.map(
  ({ path, isRequired, schema }) => html`<tr><td><code>${path}</code></td><td>${describeType(document, schema)}</td>
<td class="soft">${isRequired ? "required" : "optional"}</td><td>${prose(textOf(schema.description))}</td></tr>
`,
)}</table>`;
}

function fieldsOf(schema: Node, prefix: string): Field[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(nodeOf(schema.properties)).flatMap(([name, value]) => {
    const field = nodeOf(value);
    const path = `${prefix}${name}`;
    const items = nodeOf(field.items);
    const inner = items.properties === undefined ? fieldsOf(field, `${path}.`) : fieldsOf(items, `${path}[].`);
    return [{ path, isRequired: required.includes(name), schema: field }, ...inner];
  });
}

const limits = ["format", "pattern", "minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum", "default"];

/** A schema in a few words, with links to those it refers to. */
export function describeType(document: Node, schema: Node): Html {
  const { name } = follow(document, schema);
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`;
  const choices = nodesOf(schema.oneOf ?? schema.anyOf);
  if (choices.length > 0) {
    return html`${choices.map((choice, index) => html`${index > 0 ? " or " : ""}${describeType(document, choice)}`)}`;
  }
  const type = [schema.type].flat().join(" or ");
  const items = schema.items === undefined ? "" : html` of ${describeType(document, nodeOf(schema.items))}`;
  const values = Array.isArray(schema.enum) ? html`: ${schema.enum.map(String).join(", ")}` : "";
  const bounds = limits
    .filter((limit) => schema[limit] !== undefined)
    .map((limit) => `${limit} ${String(schema[limit])}`);
  return html`${type}${items}${values}${bounds.length === 0 ? "" : html` <span class="soft">(${bounds.join(", ")})</span>`}`;
}
