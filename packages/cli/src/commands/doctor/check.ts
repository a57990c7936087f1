import type { ExitCode } from "../../process/exit-codes.ts";

/** The result of one check. */
export interface Check {
  check: string;
  /** `skip`: a prerequisite failed. */
  status: "ok" | "warn" | "fail" | "skip";
  message: string;
  /** The remedy; null if nothing is wrong. */
  fix: string | null;
  /** The exit code if this is the first check that failed. */
  exitCode: ExitCode;
}

/** Returns a function per status that creates a result of the check with this name. */
export function createResults(check: string, exitCode: ExitCode) {
  const result = (status: Check["status"]) => {
    return (message: string, fix: string | null = null): Check => ({ check, status, message, fix, exitCode });
  };
  return { ok: result("ok"), warn: result("warn"), fail: result("fail"), skip: result("skip") };
}
