import { expect, it } from "vitest";
import { hashPassword, isPassword } from "./password-hashes.ts";

const PASSWORD = "correct horse battery staple";

it("a hash matches only the right password", async () => {
  const hash = await hashPassword(PASSWORD);
  expect(hash).toMatch(/^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{43}$/);
  expect(await isPassword(PASSWORD, hash)).toBe(true);
  expect(await isPassword(`${PASSWORD} `, hash)).toBe(false);
  expect(await hashPassword(PASSWORD)).not.toBe(hash);
});

it("no password matches if there is no hash, or a hash of another form", async () => {
  expect(await isPassword(PASSWORD, null)).toBe(false);
  expect(await isPassword(PASSWORD, "bcrypt$1$2")).toBe(false);
});

it("a password can be verified against hashes of other costs", async () => {
  // RFC 7914: scrypt("password", "NaCl", N = 1024, r = 8, p = 16)
  const key = "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162";
  const hash = `scrypt$1024$8$16$${Buffer.from("NaCl").toString("base64url")}$${Buffer.from(key, "hex").toString("base64url")}`;
  expect(await isPassword("password", hash)).toBe(true);
});
