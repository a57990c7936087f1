// Addresses that programs, pages and examples name. An address must belong to the provider or standard that the text is
// about, or be reserved for documentation, because anybody may register any other name.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { isReservedHost } from "../release/publisher.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Domains of providers, standards and tools that the texts are about; each includes its subdomains. */
const KNOWN = [
  ...["amazon.com", "amazonaws.com", "amazonses.com", "googleapis.com", "mailgun.com", "mailgun.net"],
  ...["microsoftonline.com", "office365.com", "postmarkapp.com", "sendgrid.com", "signalwire.com", "stripe.com"],
  ...["telnyx.com", "twilio.com"],
  ...[
    "apache.org",
    "ecfr.gov",
    "json-schema.org",
    "nodejs.org",
    "npmjs.org",
    "standardwebhooks.com",
    "w3.org",
    "yp.to",
  ],
  ...["fastify.dev", "github.com", "openapi-generator.tech", "openapi-ts.dev", "openapis.org", "readthedocs.io"],
  ...["semver.org", "specmatic.io", "stoplight.io"],
];

const FOLDERS = [".github", "bin", "docs", "examples", "packages", "scripts"];
const SKIPPED =
  /(?:^|\/)(?:node_modules|dist|testing|simulation|test)\/|\.test\.ts$|\.(?:png|ico)$|(?:^|\/)package-lock\.json$/;

const files = [
  ...FOLDERS.flatMap(textsOf),
  ...readdirSync(root).filter((name) => /\.(?:md|json|ya?ml|ts)$/.test(name) && !SKIPPED.test(name)),
];

function textsOf(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (SKIPPED.test(entry.isDirectory() ? `${path}/` : path)) return [];
    return entry.isDirectory() ? textsOf(path) : entry.isFile() ? [path] : [];
  });
}

/** A file's text; a manual page writes a hyphen as `\-`. */
function readText(file: string): string {
  return readFileSync(join(root, file), "utf8").replaceAll("\\-", "-");
}

/** The hosts of a text's URLs and mail addresses that somebody could own: names with a top-level domain. */
function hostsIn(text: string): string[] {
  const urls = text.matchAll(/\bhttps?:\/\/(?:[^\s/@"'`<>]*@)?([a-z\d.-]+\.[a-z]{2,})(?=[:/\s"'`)>\]},;?#\\.]|$)/gi);
  const mails = text.matchAll(/[\w.+-]+@([a-z\d][a-z\d.-]*\.[a-z]{2,})\b/gi);
  return [...new Set([...urls, ...mails].map(([, host = ""]) => host.toLowerCase()))];
}

const isKnown = (host: string) => KNOWN.some((domain) => host === domain || host.endsWith(`.${domain}`));
/** A name below `.internal` cannot be registered either. */
const isFree = (host: string) => !isReservedHost(host) && !host.endsWith(".internal") && !isKnown(host);

it("no text leads to a name that anybody may register", () => {
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    hostsIn(readText(file))
      .filter(isFree)
      .map((host) => `${file}: ${host}`),
  );
  expect([...new Set(found)]).toEqual([]);
});

it.each([
  ["https://msgctl-docs.com/errors", ["msgctl-docs.com"]],
  ["https://user:word@api.acme.io:8443/x", ["api.acme.io"]],
  ["mail to help@acme.io.", ["acme.io"]],
  ["https://api.twilio.com, http://hooks.example, http://localhost:4800, a@example.com, http://10.0.0.1/", []],
  ["https://nottwilio.com", ["nottwilio.com"]],
])("the test finds in %j %j", (text, hosts) => {
  expect(hostsIn(text).filter(isFree)).toEqual(hosts);
});
