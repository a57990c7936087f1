// The reply to a call, shown under its form.

import { PROBLEM_PAGES } from "@msgctl/contract/constants";
import { type Answer, codeOf } from "@msgctl/dashboard/exchange/answer";
import { layOut } from "@msgctl/dashboard/exchange/json-text";
import { showCopyButtons } from "./copy.ts";
import { element } from "./element.ts";

export function showAnswer(place: Element, answer: Answer): void {
  const { status, ok, headers, text, isWhole, elapsedMs } = answer;
  const code = codeOf(answer);
  const help = code === undefined ? [] : [" ", element("a", { href: PROBLEM_PAGES + encodeURIComponent(code) }, code)];
  const list = element("dl", { class: "headers" });
  for (const [name, value] of headers) list.append(element("dt", {}, name), element("dd", {}, value));
  place.replaceChildren(
    element(
      "p",
      { class: "outcome" },
      element("span", { class: ok ? "status is-good" : "status is-bad" }, String(status)),
      ...[...help, ` ${Math.round(elapsedMs)} ms`],
    ),
    element("details", {}, element("summary", {}, `${headers.length} headers`), list),
    ...(text === "" ? [] : [bodyBlock(layOut(text))]),
    ...(isWhole ? [] : [element("p", { class: "soft" }, "Only the beginning is shown.")]),
  );
  showCopyButtons(place);
}

export function showFailure(place: Element, message: string): void {
  place.replaceChildren(element("p", { class: "outcome" }, message));
}

function bodyBlock(text: string): HTMLElement {
  const button = element(
    "button",
    { type: "button", class: "copy", "aria-label": "Copy the reply", hidden: true },
    "Copy",
  );
  return element("div", { class: "code" }, button, element("pre", {}, element("code", {}, text)));
}
