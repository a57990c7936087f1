import type { Field } from "./fields.ts";
import { type Html, html, prose } from "./html.ts";

/** Renders the fields of a request as a list, with required ones marked and nested ones folded. */
export function renderRequestFields(fields: readonly Field[]): Html {
  return renderList(fields, true);
}

/** Renders the fields of a reply, without marking required ones. */
export function renderReplyFields(fields: readonly Field[]): Html {
  return renderList(fields, false);
}

function renderList(fields: readonly Field[], isRequest: boolean): Html {
  return html`<ul class="fields">${fields.map((field) => renderField(field, isRequest))}</ul>
`;
}

function renderField(field: Field, isRequest: boolean): Html {
  const marks = [isRequest && field.isRequired ? "required" : "", field.isSecret ? "secret" : ""].filter(Boolean);
  return html`<li class="field"><p class="field-head"><code class="field-name">${field.name}</code> <span class="field-type">${field.type}</span>${marks.map((mark) => html` <span class="required">${mark}</span>`)}</p>
${renderLimits(field)}${prose(field.description)}${renderValues(field)}${renderInner(field, isRequest)}</li>
`;
}

function renderLimits({ limits, pattern }: Field): Html | undefined {
  const parts = [...limits.map((limit) => html`${limit}`), ...(pattern === undefined ? [] : [matches(pattern)])];
  if (parts.length === 0) return undefined;
  return html`<p class="limits">${parts.map((part, index) => html`${index > 0 ? " · " : ""}${part}`)}</p>`;
}

function matches(pattern: string): Html {
  return html`matches <code>${pattern}</code>`;
}

function renderValues({ values, isOpen }: Field): Html | undefined {
  if (values.length === 0) return undefined;
  const codes = values.map((value) => html`<code>${value}</code> `);
  return html`<p class="values">${values.length === 1 && !isOpen ? "Always" : "One of"} ${codes}${isOpen ? "or others later" : ""}</p>`;
}

function renderInner({ name, fields }: Field, isRequest: boolean): Html | undefined {
  if (fields.length === 0) return undefined;
  const count = fields.length === 1 ? "1 field" : `${fields.length} fields`;
  return html`<details class="inner"><summary>${count} <span class="visually-hidden">of ${name}</span></summary>
${renderList(fields, isRequest)}</details>`;
}
