import type { ControlScope } from "./control-scope.ts";

/** `GET /credential`: that of the demo tenant, with the merchant to try it with. */
export function addCredentialRoute({ scope, control }: ControlScope): void {
  scope.get("/credential", async (_request, reply) => {
    reply.header("Cache-Control", "no-store");
    return control.tenant().credential;
  });
}
