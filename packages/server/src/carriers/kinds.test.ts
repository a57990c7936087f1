import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findShapeFaults } from "../commands/json-file.ts";
import { objectOf } from "../domain/document-checks.ts";
import {
  findKindFault,
  holdsSecret,
  kinds,
  kindsOf,
  publicUrlOf,
  requireKind,
  schemaOf,
  traitsOf,
  withoutSecrets,
} from "./kinds.ts";
import { bounceLibraries } from "./smtp/kind.ts";

const { peerDependencies } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

it("no two kinds have the same name", () => {
  const names = kinds.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

describe.each(kinds.map((kind) => [kind.name, kind] as const))("%s", (name, kind) => {
  it("has a name that is a valid prefix of carriers' names", () => expect(name).toMatch(/^[a-z][a-z0-9]*$/));

  it("is a kind of each of its channels", () => {
    for (const channel of kind.channels) expect(kindsOf(channel)).toContain(kind);
  });

  it("accepts its own example", () => {
    for (const channel of kind.channels) expect(findKindFault(kind.example, channel)).toBeUndefined();
    expect(findShapeFaults(kind.example, schemaOf(kind))).toEqual([]);
    const document = objectOf(kind.example, "");
    const faults = kind.channels.flatMap((channel) => kind.findFaults(document, { channel, isForAllTenants: true }));
    // the example has an ellipsis in place of each secret
    expect(faults.filter(({ pointer }) => !kind.secrets.includes(pointer.slice(1)))).toEqual([]);
    expect(kind.complete(kind.example)).toMatchObject(kind.example);
  });

  it("lists only secrets that exist in its schema", () => {
    for (const path of kind.secrets) {
      let fields = schemaOf(kind) as { properties?: Record<string, object> } | undefined;
      for (const field of path.split(".")) fields = fields?.properties?.[field];
      expect(fields, path).toBeDefined();
    }
  });

  it("lists libraries with the versions of package.json", () => {
    for (const library of kind.libraries?.packages ?? []) {
      const [, packageName = "", range] = /^(.+)@(.+)$/.exec(library) ?? [];
      expect(peerDependencies[packageName], packageName).toBe(range);
    }
  });
});

it("the libraries for bounces have the versions of package.json", () => {
  expect(bounceLibraries.packages).toEqual([`postal-mime@${peerDependencies["postal-mime"]}`]);
});

it("mail without events tells only failures, and other carriers tell deliveries, too", () => {
  const tellsOnlyFailures = (kind: string, eventsId: string | null) => traitsOf({ kind, eventsId })?.tellsOnlyFailures;
  expect(tellsOnlyFailures("smtp", null)).toBe(true);
  expect(tellsOnlyFailures("smtp", "secret")).toBe(false);
  expect(tellsOnlyFailures("smpp", null)).toBe(false);
  expect(traitsOf({ kind: "pigeon", eventsId: null })).toBeUndefined();
});

it("the URL for events is under the carrier's own public URL, else under the server's", () => {
  const serverUrl = "https://msg.example.com";
  const own = { kind: "smtp", publicUrl: "https://msg.acme.example" };
  expect(publicUrlOf(own, serverUrl)).toBe("https://msg.acme.example");
  expect(publicUrlOf(own, undefined)).toBe("https://msg.acme.example");
  expect(publicUrlOf({ kind: "smtp" }, serverUrl)).toBe(serverUrl);
  expect(publicUrlOf({ kind: "twilio" }, serverUrl)).toBe(serverUrl);
  expect(publicUrlOf({ kind: "twilio" }, undefined)).toBeUndefined();
});

describe("secrets", () => {
  const settings = { kind: "smtp", password: "hunter2", dkim: { domain: "a.example", privateKey: "MII" }, host: "h" };

  it("are shown only as the word set", () => {
    const shown = { ...settings, password: "set", dkim: { domain: "a.example", privateKey: "set" } };
    expect(withoutSecrets(settings)).toEqual(shown);
    expect(settings.password).toBe("hunter2");
  });

  it("are listed only if they are set", () => {
    expect(withoutSecrets({ kind: "smpp" })).toEqual({ kind: "smpp" });
    expect(holdsSecret({ kind: "smpp" })).toBe(false);
    expect(holdsSecret(settings)).toBe(true);
  });

  it("are not shown for a kind that this version does not know", () => {
    const unknown = { kind: "pigeon", password: "hunter2" };
    expect(withoutSecrets(unknown)).toEqual({ kind: "pigeon" });
    expect(() => requireKind(unknown)).toThrow('this version of msgd has no carriers of the kind "pigeon"');
  });
});
