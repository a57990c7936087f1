import { STORE_KINDS } from "../../call/access/store/credential.ts";
import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["profile", "baseUrl", "apiKey", "checked", "store", "location"];
const OUTPUT: Output = { kind: "object", columns: FIELDS, fields: FIELDS, secrets: [] };

export const authLogin: Definition = {
  summary: "Store a credential",
  description:
    "Stores a credential under the name of a profile, which is then the current one. --profile names it (default: the " +
    "current profile, else default), --base-url is the address of its service. The form of key and secret is checked, " +
    "then whether the service accepts them; nothing is stored when it does not. A new credential is kept in the keychain of " +
    "the system where that works, else in a file that only you can read; a profile that has one keeps it where it is.",
  arguments: [],
  flags: [
    { flags: "--api-key <key>", description: "Key of the credential: mkt_... or mkm_..." },
    { flags: "--api-secret-file <path>", description: "File that holds its secret, or - for standard input." },
    { flags: "--store <kind>", description: "Where to keep it: keychain or file.", choices: STORE_KINDS },
    { flags: "--no-check", description: "Store it without asking the service." },
  ],
  output: OUTPUT,
  requests: "some",
  examples: [
    {
      title: "Store a credential whose secret is in a file",
      argv: [
        ...["auth", "login", "--profile", "prod", "--base-url", "https://api.example.com"],
        ...["--api-key", "mkt_live_...", "--api-secret-file", "secret.txt"],
      ],
    },
    { title: "Be asked for all of it", argv: ["auth", "login"] },
  ],
};
