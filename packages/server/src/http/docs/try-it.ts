// The form that sends an operation from its page. A script shows it and does the sending; without one it stays hidden.

import { BASIC_OPERATION } from "../credentials/basic-credentials.ts";
import { exampleText } from "./code-block.ts";
import { type Html, html } from "./html.ts";
import type { Operation, Parameter } from "./operations.ts";

export function renderTryIt(operation: Operation, { isDevelopment }: { isDevelopment: boolean }): Html {
  const { id, method, path, cost, success } = operation;
  const demo = html`<button type="button" class="plain" data-action="demo">Use the demo credential</button>`;
  return html`<section class="try" aria-labelledby="try" data-method="${method}" data-path="${path}" data-cost="${cost ?? ""}" data-accept="${success?.content?.mediaType ?? ""}" hidden>
<h2 id="try">Try it</h2>
<p class="soft">Sends to this server. The credential stays in the memory of this page, until you leave or reload it.</p>
<form autocomplete="off">
<fieldset><legend>Credential</legend>
${textInput({ name: "apiKey", label: "API key" })}${textInput({ name: "apiSecret", label: "API secret", type: "password" })}
${id === BASIC_OPERATION ? schemeChoice : ""}${isDevelopment ? demo : ""}</fieldset>
${renderInputs(operation)}${renderBody(operation)}
<p class="actions"><button type="submit">Send</button> <button type="button" class="plain" data-action="cancel" hidden>Cancel</button></p>
</form>
<div class="answer" role="status"></div>
${cost === undefined ? "" : renderQuestion(cost)}</section>
`;
}

const schemeChoice = html`<label>Send it as <select name="scheme"><option value="headers">X-API-KEY and X-API-SECRET</option><option value="basic">HTTP Basic</option></select></label>
`;

interface Input {
  readonly name: string;
  readonly label: string;
  readonly type?: string;
  readonly value?: string;
  readonly isRequired?: boolean;
}

function textInput({ name, label, type = "text", value = "", isRequired = false }: Input): Html {
  return html`<label>${label} <input type="${type}" name="${name}" value="${value}" autocomplete="off" autocapitalize="off" spellcheck="false"${isRequired ? html` required` : ""}></label>
`;
}

function renderInputs({ parameters }: Operation): Html | undefined {
  if (parameters.length === 0) return undefined;
  return html`<fieldset><legend>Parameters</legend>
${parameters.map((parameter) => {
  const { name, place, isRequired } = parameter;
  const value = isRequired ? exampleOf(parameter) : "";
  return textInput({ name: `${place}:${name}`, label: isRequired ? name : `${name} (optional)`, value, isRequired });
})}</fieldset>
`;
}

function exampleOf({ example, schema }: Parameter): string {
  const [first] = Array.isArray(schema.examples) ? schema.examples : [];
  return String(example ?? first ?? "");
}

function renderBody({ body }: Operation): Html | undefined {
  if (body === undefined) return undefined;
  const options = body.examples.map(
    ({ title, value }) => html`<option value="${exampleText(value)}">${title}</option>`,
  );
  const choice = html`<label>Example <select name="example">${options}</select></label>`;
  const text = exampleText(body.examples[0]?.value ?? {});
  return html`<fieldset><legend>Body</legend>
${options.length > 1 ? choice : ""}<label>JSON <textarea name="body" rows="${Math.min(text.split("\n").length + 1, 24)}" spellcheck="false" autocapitalize="off">
${text}</textarea></label></fieldset>
`;
}

const questions: Readonly<Record<string, string>> = {
  billable: "This can be charged for: the server of this page does it as if a program had asked for it.",
};

function renderQuestion(cost: string): Html {
  return html`<dialog aria-labelledby="question"><form method="dialog"><h3 id="question">Send it?</h3>
<p>${questions[cost] ?? "This cannot be undone."}</p>
<p class="actions"><button value="send">Send</button> <button class="plain" value="" autofocus>Do not send</button></p></form></dialog>`;
}
