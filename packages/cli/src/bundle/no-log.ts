/** Stands in for the SDK's log in the bundle (tsup.config.ts): `-v` shows calls through hooks. */
import type { Hooks } from "@msgctl/sdk";

export const withLog = ({ hooks }: { hooks?: Hooks | undefined }): Hooks | undefined => hooks;
