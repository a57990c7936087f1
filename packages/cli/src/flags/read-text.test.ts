import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder } from "../testing/world.ts";
import { readText } from "./read-text.ts";

const readBytes = (bytes: Uint8Array) => {
  const cwd = folder();
  writeFileSync(join(cwd, "file"), bytes);
  return readText("file", { cwd, readStdin: async () => "" });
};

it.each<[string, BufferEncoding | undefined]>([
  ["é 🙂", "utf8"],
  ["\uFEFFé 🙂", "utf8"],
  ["\uFEFFé 🙂", "utf16le"],
])("reads %j in %s", async (text, encoding) => {
  expect(await readBytes(Buffer.from(text, encoding))).toBe("é 🙂");
});

it.each([
  [Buffer.from([0x1f, 0x8b, 8]), "is compressed: `gunzip` it first"],
  [Buffer.from("Jos\xe9", "latin1"), "is not UTF-8 text"],
  [Buffer.from('{"a":1}', "utf16le"), "has null bytes, as UTF-16"],
])("says what kind of file %j is", async (bytes, said) => {
  await expect(readBytes(bytes)).rejects.toThrow(said);
});

it.each([
  ["none", "cannot be read: there is no such file"],
  [".", "cannot be read: it is a folder"],
  ["file/inside", "cannot be read: a part of the path is a file, not a folder"],
])("says why %j cannot be read", async (path, said) => {
  const cwd = folder();
  writeFileSync(join(cwd, "file"), "");
  await expect(readText(path, { cwd, readStdin: async () => "" })).rejects.toThrow(said);
});

it("reads standard input for -", async () => {
  expect(await readText("-", { cwd: "/", readStdin: async () => "given" })).toBe("given");
});
