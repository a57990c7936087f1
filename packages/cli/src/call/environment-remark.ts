import type { Settings } from "../process/config.ts";

/** A remark for a user who changes profiles while variables override them. */
export function environmentRemark({ apiKey, apiSecret, profile }: Settings): string[] {
  if (apiKey !== undefined || apiSecret !== undefined) {
    return ["MSGCTL_API_KEY or MSGCTL_API_SECRET is set, and overrides the current profile."];
  }
  return profile === undefined ? [] : [`MSGCTL_PROFILE is set, and names the profile in use: ${profile}.`];
}
