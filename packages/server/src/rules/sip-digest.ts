import { hash } from "node:crypto";

/**
 * The part of a SIP digest that stands for the password: MD5 over name, realm and password, in hex (RFC 2617, 3.2.2.2).
 * The name is the one that the phone gave: a user who registers under the extension is hashed under the extension.
 */
export function hashA1(name: string, realm: string, password: string): string {
  return hash("md5", `${name}:${realm}:${password}`, "hex");
}

/** A SIP name with or without its domain, such as `1001` or `dana@sip.example`: split at the last `@`. */
export function splitSipName(identifier: string): { readonly name: string; readonly domain: string | undefined } {
  const at = identifier.lastIndexOf("@");
  return at < 0
    ? { name: identifier, domain: undefined }
    : { name: identifier.slice(0, at), domain: identifier.slice(at + 1) };
}

/** Whether a SIP name's domain is the tenant's; one that is not named is. Host names know no case (RFC 3261, 19.1.4). */
export function isOfDomain(domain: string | undefined, tenantDomain: string): boolean {
  return domain === undefined || domain.toLowerCase() === tenantDomain.toLowerCase();
}
