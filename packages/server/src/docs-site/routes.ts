// Serves the contract as pages at /docs. The build renders them; they load resources only from this server.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { openAssets, replyNothingThere, sendAsset } from "../http/assets.ts";
import type { ContractFiles } from "../http/contract-document.ts";

export interface DocsOptions {
  /** Whether to offer the demo credential. */
  readonly isDevelopment: boolean;
  /** Whether the server has a dashboard to link to. */
  readonly hasDashboard: boolean;
}

export function addDocsRoutes(app: FastifyInstance, { docs }: ContractFiles, options: DocsOptions): void {
  const find = openAssets(docs, (content) => showOffered(content, options));
  async function send(name: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const asset = await find(name);
    if (asset === undefined) return replyNothingThere("The documentation has no such page.", request, reply);
    return sendAsset(request, reply, asset);
  }
  app.get("/docs", (request, reply) => send("index.html", request, reply));
  app.get("/docs/", (_request, reply) => reply.redirect("/docs", 308));
  app.get("/favicon.ico", (request, reply) => send("icon.ico", request, reply));
  for (const path of ["/docs/:name", "/docs/:group/:name"]) {
    app.get<{ Params: { group?: string; name: string } }>(path, (request, reply) => {
      const { group, name } = request.params;
      const file = group === undefined ? name : `${group}/${name}`;
      return send(file.includes(".") ? file : `${file}.html`, request, reply);
    });
  }
}

/** Shows what only some servers offer: the button that fills in the demo credential, and the link to the dashboard. */
function showOffered(content: Buffer, { isDevelopment, hasDashboard }: DocsOptions): Buffer {
  // latin1 preserves the bytes of a binary file, such as an icon
  let shown = content.toString("latin1");
  if (isDevelopment) shown = shown.replace('data-action="demo" hidden', 'data-action="demo"');
  if (hasDashboard) shown = shown.replace('href="/dashboard" hidden', 'href="/dashboard"');
  return Buffer.from(shown, "latin1");
}
