// The built pages: one document for every address below /dashboard, and the files that it loads.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { openAssets, sendAsset } from "../http/docs/asset.ts";
import { replyNothingThere } from "../http/docs/nothing-there.ts";

const API = "/dashboard/api/";

/** Names of files change with their contents. */
const FOREVER = "public, max-age=31536000, immutable";

/** Adds the routes. */
export function addPages(app: FastifyInstance, files: URL): void {
  const find = openAssets(files);
  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (request.url.startsWith(API)) return replyNothingThere("The dashboard's API has no such path.", request, reply);
    const page = await find("index.html");
    if (page === undefined) return replyNothingThere("The dashboard was not built.", request, reply);
    return sendAsset(request, reply, page);
  }
  app.get("/dashboard", sendPage);
  app.get("/dashboard/*", sendPage);
  app.get<{ Params: { name: string } }>("/dashboard/files/:name", async (request, reply) => {
    const asset = await find(request.params.name);
    if (asset === undefined) return replyNothingThere("The dashboard has no such file.", request, reply);
    return sendAsset(request, reply, asset, FOREVER);
  });
}
