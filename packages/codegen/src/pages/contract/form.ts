// The form that sends an operation from its page. A script shows the form and sends it; without the script it is hidden.
import type { Operation, Parameter, RequestBody } from "../../model.ts";
import { exampleOf } from "./calls.ts";
import { titleOf, toText } from "./compose.ts";
import { type Html, html } from "./html.ts";

export function renderForm({
  method,
  path,
  command: { cost },
  success,
  takesBasic,
  parameters,
  body,
}: Operation): Html {
  const inputs = html`<fieldset><legend>Parameters</legend>
${parameters.map(renderParameter)}</fieldset>
`;
  return html`<section class="try card" aria-labelledby="try" data-method="${method}" data-path="${path}" data-cost="${cost ?? ""}" data-accept="${success.mediaType ?? ""}" hidden>
<h2 id="try">Try it</h2>
<p class="quiet">Sends to this server. The credential stays in the memory of this page, until you leave or reload it.</p>
<form autocomplete="off">
<fieldset><legend>Credential</legend>
${renderInput({ name: "apiKey", label: "API key" })}${renderInput({ name: "apiSecret", label: "API secret", type: "password" })}${takesBasic ? schemeChoice : ""}${demoButton}</fieldset>
${parameters.length === 0 ? "" : inputs}${body === undefined ? "" : renderBody(body)}
<p class="actions"><button type="submit" class="main">Send</button> <button type="button" data-action="cancel" hidden>Cancel</button></p>
</form>
<div class="answer" role="status"></div>
${cost === undefined ? "" : renderQuestion(cost)}</section>
`;
}

/** The script shows the button in development. */
const demoButton = html`<button type="button" data-action="demo" hidden>Use the demo credential</button>`;

const schemeChoice = html`<label>Send it as <select name="scheme"><option value="headers">X-API-KEY and X-API-SECRET</option><option value="basic">HTTP Basic</option></select></label>
`;

interface Input {
  readonly name: string;
  readonly label: string;
  readonly type?: string;
  readonly value?: string | undefined;
  readonly isRequired?: boolean;
}

function renderInput({ name, label, type = "text", value = "", isRequired = false }: Input): Html {
  return html`<label>${label} <input type="${type}" name="${name}" value="${value}" autocomplete="off" autocapitalize="off" spellcheck="false"${isRequired ? html` required` : ""}></label>
`;
}

function renderParameter(parameter: Parameter): Html {
  const { name, in: place, required: isRequired } = parameter;
  const value = isRequired ? exampleOf(parameter) : undefined;
  return renderInput({ name: `${place}:${name}`, label: isRequired ? name : `${name} (optional)`, value, isRequired });
}

function renderBody({ examples }: RequestBody): Html {
  const [first = "{}"] = examples.map(({ value }) => toText(value));
  const options = examples.map(
    (example) => html`<option value="${toText(example.value)}">${titleOf(example)}</option>`,
  );
  const choice = html`<label>Example <select name="example">${options}</select></label>`;
  return html`<fieldset><legend>Body</legend>
${options.length > 1 ? choice : ""}<label>JSON <textarea name="body" rows="${Math.min(first.split("\n").length + 1, 24)}" spellcheck="false" autocapitalize="off">
${first}</textarea></label></fieldset>
`;
}

function renderQuestion(cost: "billable" | "irreversible"): Html {
  const question =
    cost === "billable"
      ? "This request may incur charges: the server handles it like a request from a program."
      : "This cannot be undone.";
  return html`<dialog class="dialog" aria-labelledby="question"><form method="dialog"><h3 id="question">Send it?</h3>
<p>${question}</p>
<p class="actions"><button class="main" value="send">Send</button> <button value="" autofocus>Do not send</button></p></form></dialog>`;
}
