import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFileMark } from "./hand-over-file.ts";
import type { HandOverMark } from "./restoration.ts";

let folder: string;
let file: string;
let opened: HandOverMark[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "msgd-mark-"));
  file = join(folder, "handed-over");
  opened = [];
});
afterEach(() => {
  for (const mark of opened) mark.close();
  rmSync(folder, { recursive: true });
});

function open(): HandOverMark {
  const mark = openFileMark(file);
  opened.push(mark);
  return mark;
}

describe("a mark in a file", () => {
  it("holds the last hand-over, readable only by its owner", async () => {
    const mark = open();
    expect(mark.latest).toEqual([]);
    await mark.note({ messageId: "msg_1", attempt: 1 }, []);
    await Promise.all([1, 2, 3].map((attempt) => mark.note({ messageId: "msg_2", attempt }, [])));
    expect(mark.latest).toEqual([{ messageId: "msg_2", attempt: 3 }]);
    expect(open().latest).toEqual([{ messageId: "msg_2", attempt: 3 }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("continues after the file was reopened, and is rewritten when it is long", async () => {
    await open().note({ messageId: "msg_1", attempt: 1 }, []);
    await open().note({ messageId: "msg_2", attempt: 1 }, []);
    expect(open().latest[0]?.messageId).toBe("msg_2");
    const mark = open();
    const note = () => mark.note({ messageId: "m".repeat(1_000), attempt: 1 }, []);
    for (let noted = 0; noted < 1_100; noted += 1) note();
    await note();
    expect(statSync(file).size).toBeLessThan(1_100_000);
    expect(open().latest[0]?.messageId).toHaveLength(1_000);
  });

  it.each([
    ["an incomplete line", "msg_1 1\nmsg_2 ", [{ messageId: "msg_1", attempt: 1 }]],
    ["no content", "", []],
    ["no complete line", "msg_2 1", []],
    ["invalid content", "\u0000\u0000\n", []],
  ])("is read up to the last complete line if the file has %s", (_what, text, latest) => {
    writeFileSync(file, text);
    expect(open().latest).toEqual(latest);
  });

  it("replaces an incomplete last line", async () => {
    writeFileSync(file, "msg_1 1\n");
    appendFileSync(file, "msg_2 ");
    await open().note({ messageId: "msg_3", attempt: 1 }, []);
    expect(readFileSync(file, "utf8")).toBe("msg_1 1\nmsg_3 1\n");
  });

  it("does not reappear after it was forgotten and the file was reopened", async () => {
    const mark = open();
    await mark.note({ messageId: "msg_1", attempt: 1 }, []);
    mark.forget(mark.latest);
    expect([mark.latest, open().latest]).toEqual([[], []]);
  });

  it("rejects if it cannot be written, so that no message leaves", async () => {
    rmSync(folder, { recursive: true });
    await expect((async () => open().note({ messageId: "msg_1", attempt: 1 }, []))()).rejects.toThrow("ENOENT");
    // the clean-up needs the folder
    folder = mkdtempSync(join(tmpdir(), "msgd-mark-"));
  });
});
