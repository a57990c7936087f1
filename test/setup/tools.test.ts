import { describe, expect, it } from "vitest";
import { describeMissingTools, describeOldNode } from "../../scripts/tools.mjs";

describe("an old Node", () => {
  const range = ">=20.19";

  it.each(["20.19.0", "20.20.2", "21.0.0", "24.1.0"])("lets %s pass", (version) => {
    expect(describeOldNode(version, range)).toBeUndefined();
  });

  it.each(["20.18.3", "18.20.4", "16.0.0", "8.17.0"])("tells %s from what is needed, and where that is", (version) => {
    const message = describeOldNode(version, range);
    expect(message).toContain(`Node ${version} is too old`);
    expect(message).toContain("needs 20.19 or later");
    expect(message).toContain("https://nodejs.org");
  });
});

/** A machine that has some commands, and answers for each what is given. */
function machine(platform: string, commands: Record<string, string>, env: Record<string, string> = {}) {
  return { platform, env, ask: (command: string) => commands[command] };
}

const linux = { python3: "3\n", cc: "gcc 12", "g++": "g++ 12", make: "GNU Make" };

describe("missing tools", () => {
  it("are none where all are here", () => {
    expect(describeMissingTools(machine("linux", linux))).toEqual([]);
    expect(describeMissingTools(machine("darwin", { python: "3\n", cc: "clang", "c++": "clang", make: "3" }))).toEqual(
      [],
    );
  });

  it.each([
    ["python3", "Python 3", "sudo apt install python3"],
    ["g++", "A C++ compiler", "sudo apt install g++"],
    ["cc", "A C++ compiler", "sudo apt install g++"],
    ["make", "make", "sudo apt install make"],
  ])("names what lacks %s, and only that, with how to get it", (command, name, how) => {
    const { [command as keyof typeof linux]: _, ...rest } = linux;
    const missing = describeMissingTools(machine("linux", { ...rest, apt: "apt 2.6" }));
    expect(missing).toEqual([`${name} is missing. Get it with: ${how}`]);
  });

  it("does not take Python 2 for Python 3", () => {
    const missing = describeMissingTools(machine("linux", { ...linux, python3: "2\n", python: "2\n" }));
    expect(missing).toEqual([expect.stringContaining("Python 3 is missing")]);
  });

  it.each([
    ["dnf", "sudo dnf install gcc-c++"],
    ["apk", "sudo apk add g++"],
    ["pacman", "sudo pacman -S gcc"],
    ["zypper", "sudo zypper install gcc-c++"],
  ])("speaks the language of %s", (manager, how) => {
    const missing = describeMissingTools(machine("linux", { python3: "3", make: "make", [manager]: "1" }));
    expect(missing).toEqual([`A C++ compiler is missing. Get it with: ${how}`]);
  });

  it("says so in words on a system it does not know", () => {
    const missing = describeMissingTools(machine("freebsd", { python3: "3", make: "make" }));
    expect(missing).toEqual([expect.stringContaining("your system's package manager")]);
  });

  it("sends Macs to Apple's tools", () => {
    const missing = describeMissingTools(machine("darwin", {}));
    expect(missing).toHaveLength(3);
    for (const line of missing) expect(line).toContain("xcode-select --install");
  });

  it("takes what the environment names", () => {
    const env = { PYTHON: "/opt/python", CC: "clang -m64", CXX: "clang++ -m64" };
    const commands = { "/opt/python": "3", clang: "clang", "clang++": "clang", make: "make" };
    expect(describeMissingTools(machine("linux", commands, env))).toEqual([]);
  });

  describe("on Windows", () => {
    const env = { "ProgramFiles(x86)": "D:\\Programs" };
    const query = "D:\\Programs\\Microsoft Visual Studio\\Installer\\vswhere.exe";

    it("asks Visual Studio's installer, and Python's launcher", () => {
      const missing = describeMissingTools(machine("win32", { py: "3\r\n", [query]: "D:\\VS\r\n" }, env));
      expect(missing).toEqual([]);
    });

    it("does not take an installer without the compiler for one with it", () => {
      const missing = describeMissingTools(machine("win32", { py: "3", [query]: "" }, env));
      expect(missing).toEqual([expect.stringMatching(/^A C\+\+ compiler is missing.*winget install .*BuildTools/)]);
    });
  });
});
