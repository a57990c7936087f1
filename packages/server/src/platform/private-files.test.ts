import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { requirePrivateFile, requirePrivateFolder } from "./data-folder.ts";

let parent: string;
let file: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "msgd-private-"));
  file = join(parent, "data", "pepper");
  mkdirSync(join(parent, "data"));
  writeFileSync(file, "secret");
});
afterEach(() => rmSync(parent, { recursive: true }));

describe.skipIf(process.platform === "win32")("files with secrets", () => {
  it.each([0o644, 0o604, 0o664])("are refused if everybody may read them: %o", (mode) => {
    chmodSync(file, mode);
    expect(() => requirePrivateFile(file)).toThrow(`(mode 0${mode.toString(8)}): chmod 600 ${file}`);
  });

  it.each([0o600, 0o400, 0o640])("are accepted if only their owner and msgd's group may read them: %o", (mode) => {
    chmodSync(file, mode);
    expect(() => requirePrivateFile(file)).not.toThrow();
  });

  it("are not checked if they are missing", () => {
    expect(() => requirePrivateFile(join(parent, "missing"))).not.toThrow();
    expect(() => requirePrivateFile(parent)).not.toThrow();
  });

  it("are refused in a folder that others may enter, and accepted in a private one", () => {
    chmodSync(join(parent, "data"), 0o755);
    chmodSync(file, 0o644);
    expect(() => requirePrivateFolder(join(parent, "data"))).toThrow(
      /can read pepper in .*\(mode 0755\): chmod -R go= /,
    );
    chmodSync(join(parent, "data"), 0o700);
    expect(() => requirePrivateFolder(join(parent, "data"))).not.toThrow();
    chmodSync(join(parent, "data"), 0o755);
    chmodSync(file, 0o600);
    expect(() => requirePrivateFolder(join(parent, "data"))).not.toThrow();
  });
});
