// Users of the dashboard: their roles, and the rules of passwords, which ask for length and not for odd characters.

/** Characters of a normalized password. */
const PASSWORD_LENGTH = { least: 12, most: 128 };

/** The text as it is hashed and compared: the same however a keyboard composes it. */
export function normalizePassword(text: string): string {
  return text.normalize("NFKC");
}

/** Returns the fault of a new password; undefined without one. It never quotes it. */
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

/** Each role may do what those before it may. */
export const roles = ["viewer", "agent", "admin"] as const;

/** viewer reads; agent also writes what support does; admin does everything. */
export type Role = (typeof roles)[number];

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text);
}

/** Returns whether the role may do what takes `least`. */
export function mayAs(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}
