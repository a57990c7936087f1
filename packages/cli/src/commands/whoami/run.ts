import { runAuthStatus } from "../auth-status/run.ts";

export const runWhoami = runAuthStatus;
