// Sends an operation's request from its page, and shows the reply.

import { PROBLEM_PAGES } from "@msgctl/contract/constants";
import { type Answer, codeOf, readAnswer } from "@msgctl/dashboard/exchange/answer";
import { layOut } from "@msgctl/dashboard/exchange/json-text";
import { encodeSegment } from "@msgctl/dashboard/exchange/path-segment";
import { element, showCopyButtons } from "./element.ts";

function showAnswer(output: Element, answer: Answer): void {
  const { status, ok, headers, text, isWhole, elapsedMs } = answer;
  const code = codeOf(answer);
  const help = code === undefined ? [] : [" ", element("a", { href: PROBLEM_PAGES + encodeURIComponent(code) }, code)];
  const list = element("dl", { class: "facts headers" });
  for (const [name, value] of headers) list.append(element("dt", {}, name), element("dd", {}, value));
  output.replaceChildren(
    element(
      "p",
      { class: "outcome" },
      element("span", { class: "chip", "data-tone": ok ? "good" : "bad" }, String(status)),
      ...help,
      ` ${Math.round(elapsedMs)} ms`,
    ),
    element("details", {}, element("summary", {}, `${headers.length} headers`), list),
    ...(text === "" ? [] : [bodyBlock(layOut(text))]),
    ...(isWhole ? [] : [element("p", { class: "quiet" }, "Only the beginning is shown.")]),
  );
  showCopyButtons(output);
}

function showFailure(output: Element, message: string): void {
  output.replaceChildren(element("p", { class: "outcome" }, message));
}

function bodyBlock(text: string): HTMLElement {
  const button = element(
    "button",
    { type: "button", class: "copy", "aria-label": "Copy the reply", hidden: true },
    "Copy",
  );
  return element(
    "div",
    { class: "code" },
    button,
    element("pre", { class: "content whole" }, element("code", {}, text)),
  );
}

/** The values of a form, independent of the page, so that `toCall` can be tested without a browser. */
export interface Form {
  readonly method: string;
  /** May contain `{placeholders}`. */
  readonly path: string;
  /** The media type of the reply; empty if it has none. */
  readonly accept: string;
  /** Values by input name: `apiKey`, `apiSecret`, `scheme`, `body`, and others such as `path:merchantId`. */
  readonly values: ReadonlyMap<string, string>;
}

export interface Call {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Returns the request of a form, without empty optional values. */
export function toCall({ method, path, accept, values }: Form): Call {
  const given = (location: string) =>
    [...values]
      .filter(([name, value]) => name.startsWith(`${location}:`) && value !== "")
      .map(([name, value]): [string, string] => [name.slice(location.length + 1), value]);
  const target = given("path").reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => encodeSegment(value)),
    path,
  );
  const query = new URLSearchParams(given("query")).toString();
  const body = values.get("body");
  return {
    url: query === "" ? target : `${target}?${query}`,
    method,
    headers: {
      ...(accept === "" ? {} : { Accept: `${accept}, application/problem+json` }),
      ...credential(values),
      ...Object.fromEntries(given("header")),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body }),
  };
}

function credential(values: ReadonlyMap<string, string>): Record<string, string> {
  const key = values.get("apiKey") ?? "";
  const secret = values.get("apiSecret") ?? "";
  if (values.get("scheme") === "basic") return { Authorization: `Basic ${base64(`${key}:${secret}`)}` };
  return { ...(key === "" ? {} : { "X-API-KEY": key }), ...(secret === "" ? {} : { "X-API-SECRET": secret }) };
}

/** Encodes the text as UTF-8, then base64, as RFC 7617 requires. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

interface Credential {
  readonly apiKey: string;
  readonly apiSecret: string;
}

interface DemoCredential extends Credential {
  /** The merchant to use with the credential. */
  readonly merchantId: string;
}

/** The reader's credential. It is kept only in this page's memory: never in storage, cookies or URLs. */
let given: Credential | undefined;
let demo: DemoCredential | undefined;

/** Fetches the development server's demo credential. */
async function askDemoCredential(): Promise<DemoCredential> {
  const reply = await fetch("/control/credential");
  if (!reply.ok) throw new Error(`The server gave no demo credential (${reply.status}).`);
  demo = (await reply.json()) as DemoCredential;
  return demo;
}

const NAME = "header:Idempotency-Key";

/**
 * Fills in the Idempotency-Key, and replaces it when the form's values change, because the server would refuse the same
 * key with other values. A key entered by the reader is kept.
 */
function manageKey(form: HTMLFormElement): { renew(): void } {
  const input = form.elements.namedItem(NAME);
  if (!(input instanceof HTMLInputElement)) return { renew() {} };
  let made = newKey();
  let sent: string | undefined;
  input.value = made;
  return {
    renew() {
      const values = new FormData(form);
      values.delete(NAME);
      const text = JSON.stringify([...values]);
      if (input.value === made && sent !== undefined && sent !== text) {
        made = newKey();
        input.value = made;
      }
      sent = text;
    },
  };
}

/** Does not use `crypto.randomUUID`, which only secure pages have. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `docs-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

export function startTryIt(page: ParentNode): void {
  for (const link of page.querySelectorAll<HTMLElement>(".try-link")) link.hidden = false;
  for (const section of page.querySelectorAll<HTMLElement>("section.try")) start(section);
}

function start(section: HTMLElement): void {
  const form = section.querySelector("form");
  const output = section.querySelector(".answer");
  const cancel = section.querySelector<HTMLButtonElement>("[data-action=cancel]");
  const submit = section.querySelector<HTMLButtonElement>("[type=submit]");
  if (!form || !output || !cancel || !submit) return;
  section.hidden = false;
  const key = manageKey(form);
  if (given !== undefined) fillCredential(form, given);
  for (const name of ["apiKey", "apiSecret"]) {
    inputOf(form, name)?.addEventListener("input", () => {
      given = credentialOf(form);
    });
  }
  section.querySelector("[data-action=demo]")?.addEventListener("click", () => {
    askDemoCredential().then(
      (demo) => {
        fillCredential(form, demo);
        fillMerchant(form, demo);
        given = demo;
      },
      (error) => showFailure(output, String(error?.message)),
    );
  });
  const example = form.elements.namedItem("example");
  const body = form.elements.namedItem("body");
  if (example instanceof HTMLSelectElement && body instanceof HTMLTextAreaElement) {
    example.addEventListener("change", () => {
      body.value = example.value;
    });
  }

  let under: AbortController | undefined;
  cancel.addEventListener("click", () => under?.abort());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (under !== undefined || !(await isWanted(section, credentialOf(form)))) return;
    key.renew();
    under = new AbortController();
    cancel.hidden = false;
    submit.ariaDisabled = "true";
    try {
      await send(section, form, { output, signal: under.signal });
    } catch (error) {
      const reason = under.signal.aborted
        ? "Cancelled. The server may have processed the request."
        : `No reply: ${String(error)}`;
      showFailure(output, reason);
    } finally {
      under = undefined;
      cancel.hidden = true;
      submit.ariaDisabled = "false";
    }
  });
}

async function send(
  { dataset }: HTMLElement,
  form: HTMLFormElement,
  { output, signal }: { output: Element; signal: AbortSignal },
): Promise<void> {
  const { method = "GET", path = "/", accept = "" } = dataset;
  const values = new Map<string, string>();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") values.set(name, value);
  const { url, ...call } = toCall({ method, path, accept, values });
  const startedAt = performance.now();
  // with credentials "omit" the browser shows no prompt after a 401
  const reply = await fetch(url, { ...call, signal, credentials: "omit", cache: "no-store", redirect: "error" });
  showAnswer(output, await readAnswer(reply, startedAt));
}

/** Asks for confirmation of an operation that costs money or cannot be undone, except with the demo credential. */
async function isWanted(section: HTMLElement, { apiKey, apiSecret }: Credential): Promise<boolean> {
  const dialog = section.querySelector("dialog");
  const isDemo = demo !== undefined && demo.apiKey === apiKey && demo.apiSecret === apiSecret;
  if (dialog === null || isDemo) return true;
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  return dialog.returnValue === "send";
}

function inputOf(form: HTMLFormElement, name: string): HTMLInputElement | undefined {
  const input = form.elements.namedItem(name);
  return input instanceof HTMLInputElement ? input : undefined;
}

function credentialOf(form: HTMLFormElement): Credential {
  return { apiKey: inputOf(form, "apiKey")?.value ?? "", apiSecret: inputOf(form, "apiSecret")?.value ?? "" };
}

function fillCredential(form: HTMLFormElement, { apiKey, apiSecret }: Credential): void {
  for (const [name, value] of Object.entries({ apiKey, apiSecret })) {
    const input = inputOf(form, name);
    if (input) input.value = value;
  }
}

/** Replaces the merchant of the example, which the demo does not have. Keeps a merchant entered by the reader. */
function fillMerchant(form: HTMLFormElement, { merchantId }: DemoCredential): void {
  const path = inputOf(form, "path:merchantId");
  if (path && path.value === path.defaultValue) path.value = merchantId;
  const body = form.elements.namedItem("body");
  if (!(body instanceof HTMLTextAreaElement)) return;
  body.value = body.value.replace(/("merchantId":\s*)"[^"]*"/, (_, name: string) => name + JSON.stringify(merchantId));
}
