/** Formats a request as a curl command for a POSIX shell. The command reads the credential from environment variables. */
import { printableJson } from "../../output/printable.ts";
import { ADDRESS_VARIABLE, type PreparedRequest } from "./prepared-request.ts";
import { CREDENTIAL_HEADERS } from "./shown-headers.ts";

/** Returns the command with one argument per line, without a trailing newline. */
export function curlCommand({ method, url, headers, body }: PreparedRequest): string {
  const parts = [`curl --silent --show-error --globoff --request ${method} ${quotedUrl(url)}`];
  for (const [name, value] of Object.entries(headers)) {
    // omitted, since curl sends its own user agent
    if (name === "user-agent") continue;
    const variable = CREDENTIAL_HEADERS[name];
    parts.push(`-H ${variable === undefined ? quoted(`${name}: ${value}`) : `"${name.toUpperCase()}: $${variable}"`}`);
  }
  if (body !== undefined) parts.push(`--data-binary ${quoted(printableJson(body))}`);
  return parts.join(" \\\n  ");
}

function quotedUrl(url: string): string {
  if (!url.startsWith(ADDRESS_VARIABLE)) return quoted(url);
  return `"${ADDRESS_VARIABLE}"${quoted(url.slice(ADDRESS_VARIABLE.length))}`;
}

/** Quotes a text with single quotes, inside which a POSIX shell interprets only the closing quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
