// A page with one script, on the loopback address.

import type { RequestListener } from "node:http";
import { serve } from "../packages/loopback-service.ts";
import { openContext } from "./chromium.ts";

/**
 * Opens the page, and returns the value or promise that its script leaves in `globalThis.outcome`. Rejects with the page's
 * error.
 *
 * @param page.answer handles other requests of the page; returns false for unknown ones
 */
export async function outcomeOfPage(page: {
  readonly script: string;
  readonly globals?: object;
  readonly answer: (...asked: Parameters<RequestListener>) => boolean;
}): Promise<unknown> {
  const globals = `Object.assign(globalThis, ${JSON.stringify(page.globals ?? {})})`;
  const html = `<!doctype html><script>${globals}</script><script src="/program.js"></script>`;
  const { origin, close } = await serve((request, response) => {
    if (page.answer(request, response)) return;
    if (request.url === "/program.js") response.setHeader("content-type", "text/javascript").end(page.script);
    else response.setHeader("content-type", "text/html").end(html);
  });
  const context = await openContext();
  try {
    const opened = await context.newPage();
    await opened.goto(origin);
    return await opened.evaluate("outcome");
  } finally {
    await context.close();
    await close();
  }
}
