// Sends an operation from its page.

import { readAnswer } from "@msgctl/dashboard/exchange/answer";
import { showAnswer, showFailure } from "./answer.ts";
import { toCall } from "./call.ts";
import {
  askDemoCredential,
  type Credential,
  type DemoCredential,
  isDemo,
  knownCredential,
  rememberCredential,
} from "./credential.ts";
import { manageKey } from "./idempotency-key.ts";

export function startTryIt(page: ParentNode): void {
  for (const link of page.querySelectorAll<HTMLElement>(".try-link")) link.hidden = false;
  for (const section of page.querySelectorAll<HTMLElement>("section.try")) start(section);
}

function start(section: HTMLElement): void {
  const form = section.querySelector("form");
  const place = section.querySelector(".answer");
  const cancel = section.querySelector<HTMLButtonElement>("[data-action=cancel]");
  const submit = section.querySelector<HTMLButtonElement>("[type=submit]");
  if (!form || !place || !cancel || !submit) return;
  section.hidden = false;
  const key = manageKey(form);
  const credential = knownCredential();
  if (credential !== undefined) fillCredential(form, credential);
  for (const name of ["apiKey", "apiSecret"]) {
    inputOf(form, name)?.addEventListener("input", () => rememberCredential(credentialOf(form)));
  }
  section.querySelector("[data-action=demo]")?.addEventListener("click", () => {
    askDemoCredential().then(
      (demo) => {
        fillCredential(form, demo);
        fillMerchant(form, demo);
        rememberCredential(demo);
      },
      (error) => showFailure(place, String(error?.message)),
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
      await send(section, form, { place, signal: under.signal });
    } catch (error) {
      const reason = under.signal.aborted ? "Cancelled. The server may have done it." : `No reply: ${String(error)}`;
      showFailure(place, reason);
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
  { place, signal }: { place: Element; signal: AbortSignal },
): Promise<void> {
  const { method = "GET", path = "/", accept = "" } = dataset;
  const values = new Map<string, string>();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") values.set(name, value);
  const { url, ...call } = toCall({ method, path, accept, values });
  const startedAt = performance.now();
  // without credentials the browser does not prompt at a 401
  const reply = await fetch(url, { ...call, signal, credentials: "omit", cache: "no-store", redirect: "error" });
  showAnswer(place, await readAnswer(reply, startedAt));
}

/** Asks before what costs money or cannot be undone, except in the demo. */
async function isWanted(section: HTMLElement, credential: Credential): Promise<boolean> {
  const dialog = section.querySelector("dialog");
  if (dialog === null || isDemo(credential)) return true;
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

/** Replaces the example's merchant, which the demo does not have. Another is the reader's own. */
function fillMerchant(form: HTMLFormElement, { merchantId }: DemoCredential): void {
  const path = inputOf(form, "path:merchantId");
  if (path && path.value === path.defaultValue) path.value = merchantId;
  const body = form.elements.namedItem("body");
  if (!(body instanceof HTMLTextAreaElement)) return;
  body.value = body.value.replace(/("merchantId":\s*)"[^"]*"/, (_, name: string) => name + JSON.stringify(merchantId));
}
