import type { Views } from "../../api.ts";

type Role = Views["TenantRole"];

const roles: readonly (readonly [role: Role, words: string])[] = [
  ["viewer", "viewer: can read"],
  ["auditor", "auditor: can also read the audit"],
  ["agent", "agent: can also record consent"],
  ["admin", "admin: can do everything"],
];

/** A role, and what it may do. */
export function describeRole(role: Role): string {
  return roles.find(([known]) => known === role)?.[1] ?? role;
}

export function RoleField({ role, choose }: { readonly role: Role; readonly choose: (role: Role) => void }) {
  return (
    <label>
      Role
      <select value={role} onChange={({ currentTarget }) => choose(currentTarget.value as Role)}>
        {roles.map(([known, words]) => (
          <option key={known} value={known}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
