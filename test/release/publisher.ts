// Who publishes, and where: the `publisher` block of the root package.json. Everything that names the repository, the
// homepage or a contact takes it from there. A value that is not set yet is null.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

export interface Publisher {
  /** The npm scope of the packages, which the publisher must own. */
  readonly scope: string;
  readonly contact: { readonly name: string; readonly email: string | null };
  /** Such as `https://github.com/<owner>/<name>`. npm's provenance and the release workflow need GitHub. */
  readonly repository: string | null;
  readonly homepage: string | null;
}

/** Stands in for an address that is not set. Nobody can register a name that ends in `.invalid` (RFC 2606). */
const UNSET_REPOSITORY = "https://repository.invalid/msgctl";

export function readPublisher(): Publisher {
  return checkPublisher(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).publisher);
}

/** @throws {Error} If a value is neither null nor of its form. */
export function checkPublisher(value: unknown): Publisher {
  const publisher = value as Publisher | undefined;
  const check = (name: string, given: unknown, pattern: RegExp, form: string, isNullable = true) => {
    if ((isNullable && given === null) || (typeof given === "string" && pattern.test(given))) return;
    throw new Error(
      `package.json: publisher.${name} is ${JSON.stringify(given)}. It takes ${form}${isNullable ? ", or null until it is known" : ""}.`,
    );
  };
  check("scope", publisher?.scope, /^@[a-z][a-z\d-]*$/, "an npm scope, such as @msgctl", false);
  check("contact.name", publisher?.contact?.name, /\S/, "a name", false);
  check("contact.email", publisher?.contact?.email, /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/, "an email address");
  const github = /^https:\/\/github\.com\/[\w-]+\/[\w.-]+(?<!\.git)$/;
  check("repository", publisher?.repository, github, "https://github.com/<owner>/<name>");
  check("homepage", publisher?.homepage, /^https:\/\/[^\s/]+\.[a-z]{2,}(?:\/\S*)?$/, "an https URL");
  return publisher as Publisher;
}

/** The values that have to be set before anything is published. */
export function listUnset({ contact, repository, homepage }: Publisher): string[] {
  const values = { "contact.email": contact.email, repository, homepage };
  return Object.entries(values).flatMap(([name, value]) => (value === null || isReserved(value) ? [name] : []));
}

/** Whether an address is reserved for documentation, so that it leads nowhere. */
function isReserved(address: string): boolean {
  const [, host = ""] = /(?:@|:\/\/)([^/:]+)/.exec(address) ?? [];
  return isReservedHost(host);
}

/** Whether nobody can own a host: a name of RFC 2606 or RFC 6761. */
export function isReservedHost(host: string): boolean {
  return /(?:^|\.)(?:example|test|invalid|localhost|example\.(?:com|net|org))$/i.test(host);
}

export function repositoryOf({ repository }: Publisher): string {
  return repository ?? UNSET_REPOSITORY;
}

/** The contact as package.json and OpenAPI's `info` write it. */
export function contactOf({ contact: { name, email } }: Publisher): { name: string; email?: string } {
  return email === null ? { name } : { name, email };
}

/** The manifest of a package as it is published: with the addresses of the publisher. */
export function publishedManifest<Manifest extends object>(
  manifest: Manifest,
  { folder, publisher }: { folder: string; publisher: Publisher },
) {
  const repository = repositoryOf(publisher);
  return {
    ...manifest,
    author: contactOf(publisher),
    homepage: publisher.homepage ?? repository,
    repository: { type: "git", url: `git+${repository}.git`, directory: `packages/${folder}` },
    bugs: { url: `${repository}/issues` },
  };
}

/** The OpenAPI documents, whose `info.contact` is the publisher's. */
export const DOCUMENTS = [
  ...["openapi.yaml", "packages/contract/events.openapi.yaml", "packages/dashboard/openapi.yaml"],
  "packages/server/carrier.openapi.yaml",
];

/** Lists where a package's name or a document's contact differs from the publisher's. */
export function findPublisherFaults(
  publisher: Publisher,
  { names, contacts }: { names: readonly string[]; contacts: Readonly<Record<string, unknown>> },
): string[] {
  const { scope } = publisher;
  const expected = JSON.stringify(contactOf(publisher));
  return [
    ...names
      .filter((name) => !name.startsWith(`${scope}/`) && name !== scope.slice(1))
      .map((name) => `the package ${name} is not in the scope ${scope}`),
    ...Object.entries(contacts)
      .filter(([, contact]) => JSON.stringify(contact) !== expected)
      .map(([file, contact]) => `${file}: info.contact is ${JSON.stringify(contact)}, expected ${expected}`),
  ];
}
