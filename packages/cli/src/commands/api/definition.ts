import type { Definition } from "../../model/command.ts";
import { API_ROOT } from "./api-path.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export const api: Definition = {
  summary: "Send any request below /api/v1",
  description:
    `Sends any request below ${API_ROOT}, including one that msgctl has no command for. Credentials, retries, errors and ` +
    "output formats work as in every other command. --body-file gives the body as JSON.",
  arguments: [
    { name: "method", description: "Method of the request.", choices: METHODS },
    { name: "path", description: `Path of the request: merchants/m1 means ${API_ROOT}merchants/m1.` },
  ],
  flags: [{ flags: "--parameter <name=value>", description: "Query parameter.", repeatable: true }],
  requests: "any",
  examples: [
    { title: "Read one merchant", argv: ["api", "GET", "merchants/demo"] },
    { title: "List the consents of a merchant", argv: ["api", "GET", "consents", "--parameter", "merchantId=demo"] },
    { title: "Record a consent from a JSON file", argv: ["api", "POST", "consents", "--body-file", "consent.json"] },
  ],
};
