/** Where a request that is only printed would go: no credential need be there for it, nor an address. */
import type { Access } from "../../call/access/access.ts";
import { ConfigurationError } from "../../failures/errors.ts";
import { isBaseUrl } from "../../flags/base-url.ts";

/** Stands for an address that is not configured; no host can be called so (RFC 2606). */
export const NO_ADDRESS = "http://address.invalid";

/**
 * The address that `resolve` finds, else the first of `given`; the credential is none. @throws {ConfigurationError} For
 * what is configured wrongly, such as a profile that does not exist.
 */
export async function previewAccess(
  resolve: () => Access | Promise<Access>,
  given: readonly (string | undefined)[],
): Promise<Access> {
  const baseUrl = await findAddress(resolve, given);
  return { baseUrl: baseUrl ?? NO_ADDRESS, apiKey: "not-sent", apiSecret: "not-sent" };
}

async function findAddress(resolve: () => Access | Promise<Access>, given: readonly (string | undefined)[]) {
  try {
    return (await resolve()).baseUrl;
  } catch (error) {
    if (!isNothingConfigured(error)) throw error;
    return given.find((address) => address !== undefined && isBaseUrl(address));
  }
}

/** Whether the failure says that a credential or an address is not there, as opposed to not good. */
export function isNothingConfigured(error: unknown): boolean {
  return error instanceof ConfigurationError && /^(?:credentials|base_url)_missing$/.test(error.code);
}
