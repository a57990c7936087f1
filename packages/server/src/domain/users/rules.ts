// Rules for users of the dashboard: roles and passwords. Passwords must be long, but need no special characters.

/** Length of a normalized password, in characters. */
const PASSWORD_LENGTH = { least: 12, most: 128 };

/** The form of a password that is hashed and compared. Keyboards may compose the same characters differently. */
export function normalizePassword(text: string): string {
  return text.normalize("NFKC");
}

/** Returns the fault of a new password, without quoting the password; undefined if it has none. */
export function findPasswordFault(text: string, email: string): string | undefined {
  const password = normalizePassword(text);
  const { length } = [...password];
  const { least, most } = PASSWORD_LENGTH;
  if (length < least || length > most) return `expected ${least} to ${most} characters, received ${length}`;
  if (new Set(password).size < 4) return "expected at least 4 different characters";
  const [name = ""] = email.split("@");
  const lower = password.toLowerCase();
  if (lower === email.toLowerCase() || (name.length >= 4 && lower.replaceAll(name.toLowerCase(), "").length < 4)) {
    return "expected more than the email address";
  }
  return undefined;
}

export const tenantRoles = ["viewer", "auditor", "agent", "admin"] as const;

/**
 * Role of a tenant's user. A viewer can only read. An auditor can also read the audit. An agent can also make the changes
 * that support needs. An admin can do everything.
 */
export type TenantRole = (typeof tenantRoles)[number];

/**
 * An operator belongs to no tenant. Operators see the state of the server, counts of tenants, and the audit of operators,
 * and can change nothing.
 */
export type Role = TenantRole | "operator";

export function isTenantRole(text: string): text is TenantRole {
  return (tenantRoles as readonly string[]).includes(text);
}

/** The roles whose permissions each role includes. */
const included: Readonly<Record<Role, readonly Role[]>> = {
  viewer: ["viewer"],
  auditor: ["viewer", "auditor"],
  agent: ["viewer", "agent"],
  admin: tenantRoles,
  operator: ["operator", "auditor"],
};

/** Returns whether the role includes the permissions of `least`. */
export function mayAs(role: Role, least: Role): boolean {
  return included[role].includes(least);
}
