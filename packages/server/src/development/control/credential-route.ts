import type { ControlScope } from "./control-scope.ts";

/** `GET /credential`: returns the demo tenant's credential, with a merchant to try it with. */
export function addCredentialRoute({ scope, control }: ControlScope): void {
  scope.get("/credential", async (_request, reply) => {
    reply.header("Cache-Control", "no-store");
    return control.tenant().credential;
  });
}
