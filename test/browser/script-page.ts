// A page with one script, on the loopback address, and what that tells of itself by posting to /told.

import type { IncomingMessage, RequestListener } from "node:http";
import { openPage } from "./chromium.ts";
import { serve } from "./loopback-service.ts";

/** For a script: posts what a promise comes to, or its error. */
export const TELL = `
  const tell = (told) => fetch("/told", { method: "POST", body: JSON.stringify(told) });
  const tellOf = (promise) => promise.then(tell, (error) => tell(String(error?.stack)));
`;

/**
 * Opens the page, and gives what it tells; or, as text, what the browser wrote if it ends before that.
 *
 * @param answer takes what is asked beside the page and its script; gives false for what it has no answer to
 */
export async function toldByPage(
  browser: string,
  page: { script: string; globals?: object; answer: (...asked: Parameters<RequestListener>) => boolean },
): Promise<unknown> {
  let tell: (told: string) => void = () => {};
  const told = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const globals = `Object.assign(globalThis, ${JSON.stringify(page.globals ?? {})})`;
  const html = `<!doctype html><script>${globals}</script><script src="/program.js"></script>`;
  const { origin, close } = await serve((request, response) => {
    if (page.answer(request, response)) return;
    if (request.url === "/told")
      read(request)
        .then(tell)
        .finally(() => response.end());
    else if (request.url === "/program.js") response.setHeader("content-type", "text/javascript").end(page.script);
    else response.setHeader("content-type", "text/html").end(html);
  });
  const opened = openPage(browser, origin);
  try {
    return JSON.parse(await Promise.race([told, opened.ended.then((said) => JSON.stringify(said))]));
  } finally {
    await opened.close();
    await close();
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}
