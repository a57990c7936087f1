import type { Definition } from "../../model/command.ts";
import { authStatus } from "../auth-status/definition.ts";

export const whoami: Definition = {
  ...authStatus,
  summary: "Show which credential is in use, as auth status does",
  examples: [{ title: "See what is in use", argv: ["whoami"] }],
};
