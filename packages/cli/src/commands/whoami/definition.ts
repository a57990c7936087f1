import type { Definition } from "../../model/command.ts";
import { authStatus } from "../auth-status/definition.ts";

export const whoami: Definition = {
  ...authStatus,
  summary: "Show which credential is in use, as auth status does",
  examples: [{ title: "Show the credential in use", argv: ["whoami"] }],
};
