import { expect, it } from "vitest";
import { describeMissingTools } from "../../scripts/tools.mjs";

const machine = (...commands: string[]) => {
  return (command: string) => commands.includes(command);
};

it.each([
  ["linux", ["python3", "g++", "make"]],
  ["freebsd", ["python3", "c++", "gmake"]],
  ["darwin", ["python3", "c++", "make"]],
])("the check finds nothing missing on %s with %j", (platform, commands) => {
  expect(describeMissingTools(platform, machine(...commands))).toBeUndefined();
});

it.each([
  ["linux", ["g++", "make", "apt"], /^Python 3 must be installed\..*\n\n {2}sudo apt install python3 make g\+\+$/],
  ["linux", ["python3", "make", "dnf"], /^a C\+\+ compiler must .* sudo dnf install python3 make gcc-c\+\+$/s],
  ["linux", ["python3", "g++", "apk"], /^make must .* sudo apk add python3 make g\+\+$/s],
  ["linux", ["pacman"], /^Python 3, a C\+\+ compiler, make must .* sudo pacman -S python make gcc$/s],
  ["linux", ["zypper"], /sudo zypper install python3 make gcc-c\+\+$/],
  ["freebsd", [], /your system's package manager$/],
  ["darwin", ["python3", "apt"], /^a C\+\+ compiler, make must .* xcode-select --install$/s],
  ["win32", ["python3"], /winget install Python.*winget install .*BuildTools/s],
])(
  "the check names missing tools on %s with %j, and the command that installs them",
  (platform, commands, expected) => {
    expect(describeMissingTools(platform, machine(...commands))).toMatch(expected);
  },
);
