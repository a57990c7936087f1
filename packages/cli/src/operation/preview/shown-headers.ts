import { MASK } from "../../output/secrets.ts";

/** Headers that carry a credential, each with the variable that a curl command reads it from. */
export const CREDENTIAL_HEADERS: Readonly<Record<string, string>> = {
  "x-api-key": "MSGCTL_API_KEY",
  "x-api-secret": "MSGCTL_API_SECRET",
};

/** Headers as they may be printed: credentials masked. */
export function maskHeaders(headers: Readonly<Record<string, string>>): [name: string, value: string][] {
  return Object.entries(headers).map(([name, value]) => [name, Object.hasOwn(CREDENTIAL_HEADERS, name) ? MASK : value]);
}
