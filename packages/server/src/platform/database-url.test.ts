import { describe, expect, it } from "vitest";
import { findUrlFault, hasPassword, hidePassword } from "./database-url.ts";

describe("the URL of a database", () => {
  it.each([
    ["postgres://db", "a URL without the name of a database"],
    ["postgres://u:secret@db/", "a URL without the name of a database"],
    ["mysql://u:secret@db/name", "a URL of scheme mysql"],
    ["https://example.com/db", "a URL of scheme https"],
    ["localhost:5432/name", "text that is not a URL"],
    ["secret", "text that is not a URL"],
    ["postgres:/u:secret@db/name", "text that is not a URL"],
    ["postgres://u:sec#ret@db/name", "a URL with a #; write it as %23"],
    ["postgres://u:sec/ret@db/name", "a URL with an invalid host or port"],
    ["postgres://u:secret@db:0/name", "a URL with an invalid host or port"],
    ["postgres://u:secret@db:65536/name", "a URL with an invalid host or port"],
    ["postgres://u:secret@db:port/name", "a URL with an invalid host or port"],
    ["postgres://u:secret@a:5432,b:x/name", "a URL with an invalid host or port"],
    ["postgres://u:secret@::1/name", "a URL with an invalid host or port"],
    ["postgres://u:secret@at@db/name", "a URL with an invalid host or port"],
    ["postgres://u:secret%@db/name", "a URL with a % that begins no encoded character"],
    ["postgres://u@db/na%me", "a URL with a % that begins no encoded character"],
  ])("is refused: %s", (url, fault) => {
    const found = findUrlFault(url) ?? "";
    expect(found).toContain(fault);
    expect(found).not.toMatch(/sec.?ret/);
  });

  it.each([
    ["postgres://db/name", "postgres://db/name"],
    ["postgresql://u@db/name", "postgres://u@db/name"],
    ["POSTGRES://u:secret@db:5433/name?sslmode=require&password=secret", "postgres://u@db:5433/name"],
    ["postgres://u:s%40c%2Fret@db/name", "postgres://u@db/name"],
    ["postgres://u:secret@a:5432,b:5432/name?target_session_attrs=read-write", "postgres://u@a:5432,b:5432/name"],
    ["postgres://u:secret@[::1]:5432/name", "postgres://u@[::1]:5432/name"],
    ["postgres:///name?host=/var/run/postgresql", "postgres:///name"],
    ["postgres://:secret@db/name", "postgres://db/name"],
  ])("%s is accepted, and shown as %s", (url, shown) => {
    expect(findUrlFault(url)).toBeUndefined();
    expect(hidePassword(url)).toBe(shown);
  });

  it.each([
    ["postgres://u:secret@db/name", true],
    ["postgres://:secret@a:5432,b:5432/name", true],
    ["postgres://u@db/name?sslmode=require&password=secret", true],
    ["postgres://u:@db:5432/name", false],
    ["postgres://u@[::1]:5432/name?sslmode=require", false],
  ])("%s has a password: %s", (url, isSo) => {
    expect(hasPassword(url)).toBe(isSo);
  });

  it("is not shown at all if it is invalid", () => {
    expect(hidePassword("secret")).toBe("the database of DATABASE_URL");
  });
});
