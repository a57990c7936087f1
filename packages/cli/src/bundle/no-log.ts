/** Replaces the SDK's log in the bundle (tsup.config.ts): `-v` prints calls through hooks instead. */
import type { Hooks } from "@msgctl/sdk";

export const withLog = ({ hooks }: { hooks?: Hooks | undefined }): Hooks | undefined => hooks;
