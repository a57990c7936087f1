import { describe, expect, it } from "vitest";
import { isTimezone } from "./timezones.ts";

describe("isTimezone", () => {
  it.each(["UTC", "utc", "America/New_York", "Asia/Kathmandu", "Etc/GMT+5", "EST5EDT", "GB", "NZ", "CET"])(
    "accepts %s",
    (name) => {
      expect(isTimezone(name)).toBe(true);
    },
  );

  it.each(["", "Mars/Olympus", "+02:00", "GMT+2", "America/New York", " UTC", 7, undefined])("rejects %j", (name) => {
    expect(isTimezone(name)).toBe(false);
  });

  it("refuses abbreviations that only ICU has", () => {
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
    const short = letters.flatMap((a) => letters.flatMap((b) => [a + b, ...letters.map((c) => a + b + c)]));
    const known = [...short, "bst", "SystemV/EST5", "systemv/PST8PDT"].filter(isTimezone);
    expect(known.join(" ")).toBe("CET EET EST GB GMT HST MET MST NZ PRC ROC ROK UCT UTC WET");
  });
});
