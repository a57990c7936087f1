import { MASK } from "../../output/secrets.ts";

/** Headers that carry a credential, each with the environment variable from which a curl command reads it. */
export const CREDENTIAL_HEADERS: Readonly<Record<string, string>> = {
  "x-api-key": "MSGCTL_API_KEY",
  "x-api-secret": "MSGCTL_API_SECRET",
};

/** Returns the headers with credentials masked, for printing. */
export function maskHeaders(headers: Readonly<Record<string, string>>): [name: string, value: string][] {
  return Object.entries(headers).map(([name, value]) => [name, Object.hasOwn(CREDENTIAL_HEADERS, name) ? MASK : value]);
}
