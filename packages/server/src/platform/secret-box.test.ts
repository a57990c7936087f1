import { describe, expect, it } from "vitest";
import { createSecretBox, parseSecretKey, parseSecretKeys, SECRET_KEY_BYTES, SealedError } from "./secret-box.ts";

const key = Buffer.alloc(SECRET_KEY_BYTES, 1);
const other = Buffer.alloc(SECRET_KEY_BYTES, 2);
const box = createSecretBox(() => [key]);

describe("a sealed secret", () => {
  it.each(["", "secret", "ключ 😀 \0"])("opens as %j, and differs each time it is sealed", (secret) => {
    const sealed = box.seal(secret, "a");
    expect(box.open(sealed, "a")).toBe(secret);
    expect(box.seal(secret, "a")).not.toBe(sealed);
  });

  it("opens with an older key", () => {
    const sealed = box.seal("secret", "a");
    expect(createSecretBox(() => [other, key]).open(sealed, "a")).toBe("secret");
  });

  const sealed = box.seal("secret", "a");
  const changed = sealed.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  it.each([
    ["another key", sealed, "a", [other], "MSGD_SECRET_KEY"],
    ["no key", sealed, "a", [], "MSGD_SECRET_KEY"],
    ["another binding", sealed, "b", [key], "belongs to another"],
    ["a changed byte", changed.replace(/.{4}$/, "AAAA"), "a", [key], "was changed"],
    ["only its first half", sealed.slice(0, 30), "a", [key], "damaged"],
    ["an empty text", "", "a", [key], "damaged"],
    ["another version", sealed.replace("v1", "v2"), "a", [key], "damaged"],
  ])("cannot be opened with %s", (_what, text, binding, keys, reason) => {
    const open = () => createSecretBox(() => keys).open(text, binding);
    expect(open).toThrow(SealedError);
    expect(open).toThrow(reason);
  });

  it("cannot be created without a key", () => {
    expect(() => createSecretBox(() => []).seal("secret", "a")).toThrow("MSGD_SECRET_KEY");
  });
});

it.each([
  [key.toString("base64"), [key]],
  [[other, key].map((one) => one.toString("base64")).join(","), [other, key]],
  [`${key.toString("base64")},`, undefined],
  [`${key.toString("base64")},short`, undefined],
  ["", undefined],
])("reads the keys in %j, or none if any part is not a key", (text, keys) => {
  expect(parseSecretKeys(text)).toEqual(keys);
});

it.each([
  [key.toString("base64"), true],
  [`${key.toString("base64")}\n`, true],
  [key.toString("base64url"), true],
  [key.toString("hex"), false],
  [Buffer.alloc(31).toString("base64"), false],
  [Buffer.alloc(33).toString("base64"), false],
  ["", false],
  ["a passphrase that is as long as a key is, yes", false],
])("says whether %j is a key: %s", (text, isKey) => {
  expect(parseSecretKey(text) !== undefined).toBe(isKey);
});
