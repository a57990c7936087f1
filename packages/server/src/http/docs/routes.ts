// /docs: the contract as pages for people, which load only from this server.

import { readFile } from "node:fs/promises";
import { PROBLEM_PAGES } from "@msgctl/contract/constants";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ContractFiles } from "../contract-document.ts";
import { type Asset, makeAsset, sendAsset } from "./asset.ts";
import { replyNothingThere } from "./nothing-there.ts";

const HTML = "text/html; charset=utf-8";

/** The files that the build puts in the documentation's folder, by the path they are served at. */
const files: Readonly<Record<string, readonly [name: string, type: string]>> = {
  "/docs/client.js": ["client.js", "text/javascript; charset=utf-8"],
  "/docs/style.css": ["style.css", "text/css; charset=utf-8"],
  "/docs/icon.svg": ["icon.svg", "image/svg+xml"],
  "/favicon.ico": ["icon.ico", "image/x-icon"],
};

const pagePaths = ["/docs", "/docs/errors", "/docs/callbacks", `${PROBLEM_PAGES}:code`, "/docs/:group/:name"];

/** Adds the routes. Each page is rendered, and each file read, on its first request, then cached. */
export function addDocsRoutes(
  app: FastifyInstance,
  { json, docs }: ContractFiles,
  { isDevelopment }: { isDevelopment: boolean },
): void {
  const site = remember(async () => {
    const { openSite } = await import("./open-site.ts");
    return openSite(await readFile(json, "utf8"), isDevelopment);
  });
  const assets = new Map<string, () => Promise<Asset>>();
  for (const [path, [name, type]] of Object.entries(files)) {
    assets.set(
      path,
      remember(async () => makeAsset(type, await readFile(new URL(name, docs)))),
    );
  }
  const searchIndex = remember(async () =>
    makeAsset("application/json; charset=utf-8", JSON.stringify((await site()).listEntries())),
  );
  assets.set("/docs/search.json", searchIndex);
  for (const [path, asset] of assets) {
    app.get(path, async (request, reply) => sendAsset(request, reply, await asset()));
  }

  // bounded by the number of pages
  const rendered = new Map<string, () => Promise<Asset>>();
  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const [path = ""] = request.url.split("?", 1);
    const render = (await site()).pages.get(path);
    if (render === undefined) return replyNothingThere("The documentation has no such page.", request, reply);
    const page = rendered.get(path) ?? remember(async () => makeAsset(HTML, render()));
    rendered.set(path, page);
    return sendAsset(request, reply, await page());
  }
  for (const path of pagePaths) app.get(path, sendPage);
  app.get("/docs/", (_request, reply) => reply.redirect("/docs", 308));
}

/** Memoizes `make`; a failed call is made again. */
function remember<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
