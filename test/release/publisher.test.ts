import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import {
  checkPublisher,
  contactOf,
  DOCUMENTS,
  findPublisherFaults,
  listUnset,
  publishedManifest,
  readPublisher,
} from "./publisher.ts";

const unset = { scope: "@acme", contact: { name: "Acme", email: null }, repository: null, homepage: null };
const set = {
  scope: "@acme",
  contact: { name: "Acme", email: "open@acme.dev" },
  repository: "https://github.com/acme/messages",
  homepage: "https://acme.dev/messages",
};

it("package.json has a publisher of the right form, and nothing that is not set by halves", () => {
  const publisher = readPublisher();
  expect(publisher.scope).toBe("@msgctl");
  expect(publisher.repository === null || publisher.repository.startsWith("https://github.com/")).toBe(true);
});

describe("the values to set", () => {
  it("are those that are null", () => {
    expect(listUnset(checkPublisher(unset))).toEqual(["contact.email", "repository", "homepage"]);
    expect(listUnset(checkPublisher(set))).toEqual([]);
  });

  it("are also those that lead nowhere", () => {
    const reserved = {
      ...set,
      contact: { name: "Acme", email: "a@example.com" },
      homepage: "https://docs.acme.example/x",
    };
    expect(listUnset(checkPublisher(reserved))).toEqual(["contact.email", "homepage"]);
    expect(listUnset(checkPublisher({ ...set, homepage: "https://notexample.com" }))).toEqual([]);
  });
});

it.each([
  ["scope", { ...unset, scope: "acme" }],
  ["scope", { ...unset, scope: null }],
  ["scope", undefined],
  ["contact.name", { ...unset, contact: { name: " ", email: null } }],
  ["contact.email", { ...unset, contact: { name: "Acme", email: "acme.dev" } }],
  ["repository", { ...unset, repository: "https://github.com/acme/messages.git" }],
  ["repository", { ...unset, repository: "https://github.com/acme" }],
  ["repository", { ...unset, repository: "https://code.acme.dev/acme/messages" }],
  ["homepage", { ...unset, homepage: "http://acme.dev" }],
])("a publisher whose %s has another form is refused", (name, value) => {
  expect(() => checkPublisher(value)).toThrow(`package.json: publisher.${name} is `);
});

describe("a published manifest", () => {
  const manifest = { name: "@acme/sdk", version: "1.0.0" };

  it("has the publisher's addresses, and the package's folder", () => {
    expect(publishedManifest(manifest, { folder: "sdk", publisher: checkPublisher(set) })).toEqual({
      ...manifest,
      author: { name: "Acme", email: "open@acme.dev" },
      homepage: "https://acme.dev/messages",
      repository: { type: "git", url: "git+https://github.com/acme/messages.git", directory: "packages/sdk" },
      bugs: { url: "https://github.com/acme/messages/issues" },
    });
  });

  it("leads nowhere while nothing is set", () => {
    const { homepage, repository, bugs, author } = publishedManifest(manifest, {
      ...{ folder: "sdk", publisher: checkPublisher(unset) },
    });
    expect([homepage, repository.url, bugs.url]).toEqual([
      "https://repository.invalid/msgctl",
      "git+https://repository.invalid/msgctl.git",
      "https://repository.invalid/msgctl/issues",
    ]);
    expect(author).toEqual(contactOf(checkPublisher(unset)));
  });
});

describe("names and contacts", () => {
  const publisher = checkPublisher(set);

  it("that are the publisher's have no fault", () => {
    const contacts = { "openapi.yaml": { name: "Acme", email: "open@acme.dev" } };
    expect(findPublisherFaults(publisher, { names: ["@acme/sdk", "acme"], contacts })).toEqual([]);
  });

  it("that differ are named", () => {
    const contacts = { "openapi.yaml": { name: "Acme" }, "other.yaml": undefined };
    expect(findPublisherFaults(publisher, { names: ["@acme-labs/sdk", "acmectl"], contacts })).toEqual([
      "the package @acme-labs/sdk is not in the scope @acme",
      "the package acmectl is not in the scope @acme",
      'openapi.yaml: info.contact is {"name":"Acme"}, expected {"name":"Acme","email":"open@acme.dev"}',
      'other.yaml: info.contact is undefined, expected {"name":"Acme","email":"open@acme.dev"}',
    ]);
  });

  it.each(DOCUMENTS)("are those of %s", (file) => {
    const text = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), "utf8");
    expect(parse(text).info.contact).toEqual(contactOf(readPublisher()));
  });
});
