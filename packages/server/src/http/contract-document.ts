// The contract that this server was built with, for tools that read it from the server: /openapi.yaml and /openapi.json.

import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";

/** The files that the build leaves beside the program. */
export interface ContractFiles {
  readonly yaml: URL;
  readonly json: URL;
  /** The folder of what the documentation's pages load, with a slash at its end. */
  readonly docs: URL;
}

/** Those of the build that this is a part of, whose files all lie in one folder. */
export const builtContract: ContractFiles = {
  yaml: new URL("openapi.yaml", import.meta.url),
  json: new URL("openapi.json", import.meta.url),
  docs: new URL("docs/", import.meta.url),
};

// RFC 9512
const types = { yaml: "application/yaml; charset=utf-8", json: "application/json; charset=utf-8" } as const;

/** Reads each file when it is first asked for, and keeps it from then on. */
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
        // read by browsers' tools on other pages, too: it is public, and the same for everybody
        return reply
          .header("Content-Type", types[format])
          .header("Access-Control-Allow-Origin", "*")
          .header("Cache-Control", "no-cache")
          .send(await content);
      },
    });
  }
}
