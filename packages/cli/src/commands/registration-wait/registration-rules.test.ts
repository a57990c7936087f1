import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { records } from "../../generated/records.ts";
import { KNOWN_REASONS, remedyFor } from "./registration-rules.ts";

describe("a blocking reason", () => {
  const contract = parse(readFileSync(new URL("../../../../../openapi.yaml", import.meta.url), "utf8"));

  it("has a rule exactly if it is in the contract", () => {
    expect([...KNOWN_REASONS].sort()).toEqual([...contract.components.schemas.RegistrationBlockingReason.enum].sort());
  });

  it.each([["BRAND_PENDING"], ["CAMPAIGN_PENDING"], ["NUMBER_ASSIGNMENT_PENDING"], ["A_NEW_ONE"], ["toString"]])(
    "%s may resolve without an action",
    (reason) => {
      expect(remedyFor(reason)).toBeUndefined();
    },
  );

  it.each(KNOWN_REASONS.filter((reason) => !reason.endsWith("_PENDING")))(
    "%s has a remedy with a command",
    (reason) => {
      const commands = [...(remedyFor(reason) ?? "").matchAll(/`msgctl (\w+) (\w+) ([^`]*)`/g)];
      expect(commands.length).toBeGreaterThan(0);
      for (const [, group, name, rest = ""] of commands) {
        const record = Object.values(records).find((each) => each.group === group && each.name === name);
        const inputs = record?.inputs.map((input) => (input.positional ? `<${input.path.at(-1)}>` : `--${input.name}`));
        for (const [flag] of rest.matchAll(/--[a-z-]+/g)) expect([...(inputs ?? []), "--help"]).toContain(flag);
        const positional =
          rest
            .split(" --")[0]
            ?.match(/^(?:<\w+> ?)+/)?.[0]
            .trim()
            .split(" ") ?? [];
        for (const value of positional) expect(inputs).toContain(value);
      }
    },
  );
});
