/** Checks the field names and statuses on which tables depend against the contract. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { formatMoney } from "./money.ts";
import { findColour, isStatusField } from "./status.ts";

interface Schema {
  enum?: string[];
  properties?: Record<string, Schema>;
  [key: string]: unknown;
}

const contract = parse(readFileSync(new URL("../../../../../openapi.yaml", import.meta.url), "utf8"));
const schemas: Record<string, Schema> = contract.components.schemas;
const properties = Object.values(schemas).flatMap((schema) => Object.entries(schema.properties ?? {}));

function namedBy(property: Schema): string[] {
  return [...JSON.stringify(property).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = ""]) => name);
}

describe("money", () => {
  const amounts = new Set(properties.filter(([, one]) => namedBy(one).includes("UsdAmount")).map(([name]) => name));
  // Nullable amounts do not use the UsdAmount schema. Their descriptions name the unit.
  const describedInWords = properties.filter(([, one]) => /US dollars/.test(JSON.stringify(one))).map(([name]) => name);
  const dollars = new Set([...amounts, ...describedInWords]);

  it("is recognised for every amount in dollars, and for no other field", () => {
    expect(amounts.size).toBeGreaterThan(0);
    for (const [name] of properties)
      expect([name, formatMoney(name, 1) === "1.00 USD"]).toEqual([name, dollars.has(name)]);
  });
});

describe("a status", () => {
  /** Statuses that are neither good nor bad nor pending. */
  const neutral = [
    ...["CANCELED", "DRAFT", "UNVERIFIED", "SELF_DECLARED", "RELEASED", "UNASSIGNED", "HIT", "MISS", "INFO"],
    ...["OFFLINE", "ON_BREAK", "HELP_SENT", "RECEIVED"],
  ];
  const words = properties
    .filter(([name]) => isStatusField(name))
    .flatMap(([, property]) => [
      ...(property.enum ?? []),
      ...namedBy(property).flatMap((name) => schemas[name]?.enum ?? []),
    ]);

  it("has a colour or is listed as neutral", () => {
    const all = [...new Set(words)];
    expect(all.filter((word) => findColour(word) === undefined)).toEqual(all.filter((word) => neutral.includes(word)));
  });

  it("is found in the contract", () => {
    expect(words).toEqual(expect.arrayContaining(["DELIVERED", "FAILED", "QUEUED", "OPT_OUT"]));
  });
});
