// The built pages: one document for every address below /dashboard, and the files that it loads.

import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Asset, makeAsset, sendAsset } from "../http/docs/asset.ts";
import { replyNothingThere } from "../http/docs/nothing-there.ts";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const API = "/dashboard/api/";

/** Names of files change with their contents. */
const FOREVER = "public, max-age=31536000, immutable";

/** Adds the routes. The files are read on the first request, then kept. */
export function addPages(app: FastifyInstance, files: URL): void {
  let reading: Promise<ReadonlyMap<string, Asset>> | undefined;
  const read = () => {
    reading ??= readAssets(files).catch((error) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (request.url.startsWith(API)) return replyNothingThere("The dashboard's API has no such path.", request, reply);
    const page = (await read()).get("index.html");
    if (page === undefined) return replyNothingThere("The dashboard was not built.", request, reply);
    return sendAsset(request, reply, page);
  }
  app.get("/dashboard", sendPage);
  app.get("/dashboard/*", sendPage);
  app.get<{ Params: { name: string } }>("/dashboard/files/:name", async (request, reply) => {
    const { name } = request.params;
    const asset = (await read()).get(name);
    if (asset === undefined) return replyNothingThere("The dashboard has no such file.", request, reply);
    return sendAsset(request, reply, asset, FOREVER);
  });
}

async function readAssets(files: URL): Promise<ReadonlyMap<string, Asset>> {
  const assets = new Map<string, Asset>();
  for (const name of await readdir(files)) {
    const type = types[extname(name)];
    if (type !== undefined) assets.set(name, await makeAsset(type, await readFile(new URL(name, files))));
  }
  return assets;
}
