// Serves the contract that this server was built with, at /openapi.yaml and /openapi.json.

import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";

/** The files that the build puts beside the program. */
export interface ContractFiles {
  readonly yaml: URL;
  readonly json: URL;
  /** The folder with the files that the documentation's pages load; ends in a slash. */
  readonly docs: URL;
}

export const builtContract: ContractFiles = {
  yaml: new URL("openapi.yaml", import.meta.url),
  json: new URL("openapi.json", import.meta.url),
  docs: new URL("docs/", import.meta.url),
};

// RFC 9512
const types = { yaml: "application/yaml; charset=utf-8", json: "application/json; charset=utf-8" } as const;

/** Adds the routes. Each file is read on its first request, then cached. */
export function addContractRoutes(app: FastifyInstance, files: ContractFiles): void {
  for (const format of ["yaml", "json"] as const) {
    let content: Promise<Buffer> | undefined;
    app.route({
      method: ["GET", "HEAD"],
      url: `/openapi.${format}`,
      async handler(_request, reply) {
        content ??= readFile(files[format]).catch((error) => {
          content = undefined;
          throw error;
        });
        // browser tools on other origins may read it, because it is public and the same for every client
        return reply
          .header("Content-Type", types[format])
          .header("Access-Control-Allow-Origin", "*")
          .header("Cache-Control", "no-cache")
          .send(await content);
      },
    });
  }
}

/** Reads the version of the contract. It is public, unlike the version of msgd, which only the dashboard shows. */
export async function readContractVersion({ json }: ContractFiles): Promise<string> {
  return JSON.parse(await readFile(json, "utf8")).info.version;
}
