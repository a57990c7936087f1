import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder } from "../../testing/world.ts";
import { writeCurrent, writeProfileSettings } from "./profiles.ts";

it("settings of a newer msgctl stay in config.json when this one changes others", () => {
  const path = folder();
  const file = join(path, "config.json");
  writeFileSync(
    file,
    JSON.stringify({ theme: "dark", profiles: { prod: { baseUrl: "https://a.example", region: "eu" } } }),
    {
      mode: 0o600,
    },
  );
  writeProfileSettings(path, "prod", { baseUrl: "https://b.example" });
  writeCurrent(path, "prod");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    current: "prod",
    theme: "dark",
    profiles: { prod: { baseUrl: "https://b.example", region: "eu" } },
  });
});
