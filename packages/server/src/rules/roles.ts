// What users of the dashboard may do. Each role may do what those before it may.

export const roles = ["viewer", "agent", "admin"] as const;

/** viewer reads; agent also writes what support does; admin does everything. */
export type Role = (typeof roles)[number];

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text);
}

/** Whether the role may do what takes `least`. */
export function mayAs(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}
