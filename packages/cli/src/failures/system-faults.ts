/** Explains error codes of the operating system about files, folders and limits. They are not bugs of msgctl. */
import { readErrorCode } from "./thrown.ts";

/** The explanations, as sentences without a full stop. */
const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: "this user has no permission",
  EDQUOT: "the disk quota of this user is used up",
  EFBIG: "it is too large",
  EISDIR: "it is a folder",
  ELOOP: "its symbolic links form a loop",
  EMFILE: "too many files are open; raise the limit with ulimit -n",
  ENAMETOOLONG: "the path is too long",
  ENFILE: "too many files are open on this machine",
  ENOENT: "there is no such file or folder",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is a file, not a folder",
  EPERM: "this user has no permission",
  EROFS: "it is read-only",
  ERR_FS_FILE_TOO_LARGE: "it is too large",
  ERR_STRING_TOO_LONG: "it is too large",
};

/** Explains why a file or folder could not be used, such as `the disk is full`. Returns the code if it is unknown. */
export function explainSystem(error: unknown): string {
  const code = readErrorCode(error) ?? "unknown reason";
  return MEANINGS[code] ?? code;
}

/** Explains why a file could not be read. */
export function explainRead(error: unknown): string {
  return readErrorCode(error) === "ENOENT" ? "there is no such file" : explainSystem(error);
}

/** Advises what to do if one of msgctl's own folders cannot be written. */
export function adviseWrite(error: unknown): string {
  const reason = explainSystem(error);
  const room = /^E(?:NOSPC|DQUOT)$/.test(readErrorCode(error) ?? "") ? "free some disk space, or " : "";
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}: ${room}name another folder with XDG_CONFIG_HOME.`;
}

/** Describes an error of the operating system; returns undefined for any other error. */
export function describeSystemFault(error: unknown): string | undefined {
  const { code = "", syscall, path } = Object(error) as NodeJS.ErrnoException;
  if (syscall === undefined && !(code in MEANINGS)) return undefined;
  if (syscall === "uv_cwd") return "the current folder was removed";
  return `${path ?? "a file or folder"} cannot be used: ${explainSystem(error)} (${[syscall, code].filter(Boolean).join(" ")})`;
}
