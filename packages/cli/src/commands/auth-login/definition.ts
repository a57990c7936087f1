import { STORE_KINDS } from "../../call/access/store/credential.ts";
import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["profile", "baseUrl", "apiKey", "checked", "store", "location"];
const OUTPUT: Output = { kind: "object", columns: FIELDS, fields: FIELDS, secrets: [] };

export const authLogin: Definition = {
  summary: "Store a credential",
  description:
    "Stores a credential in a profile and makes it the current profile. --profile names the profile (default: the " +
    'current profile, otherwise "default"); --base-url is the service address. The key and the secret are checked locally, ' +
    "then with the service; if the service refuses them, nothing is stored. A new credential is stored in the system keychain " +
    "if that works, otherwise in a file that only you can read. A credential that replaces another stays in the same store.",
  arguments: [],
  flags: [
    { flags: "--api-key <key>", description: "API key: mkt_... or mkm_..." },
    { flags: "--api-secret-file <path>", description: "File that holds the API secret, or - for standard input." },
    { flags: "--store <kind>", description: "Where to store the credential: keychain or file.", choices: STORE_KINDS },
    { flags: "--no-check", description: "Store the credential without checking it with the service." },
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
    { title: "Answer questions instead", argv: ["auth", "login"] },
  ],
};
