import type { ExitCode } from "../../process/exit-codes.ts";

/** What one look found. */
export interface Check {
  check: string;
  /** `skip`: what it needs failed before. */
  status: "ok" | "warn" | "fail" | "skip";
  message: string;
  /** How to fix it; null where nothing is wrong. */
  fix: string | null;
  /** How the tool ends where this is the first check that failed. */
  exitCode: ExitCode;
}

/** Makes the results of a check of that name. */
export function createResults(check: string, exitCode: ExitCode) {
  const result = (status: Check["status"]) => {
    return (message: string, fix: string | null = null): Check => ({ check, status, message, fix, exitCode });
  };
  return { ok: result("ok"), warn: result("warn"), fail: result("fail"), skip: result("skip") };
}
