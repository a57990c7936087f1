// What a sealed secret is bound to: it opens for no other owner.

/** The binding of a SIP password. */
export function bindPassword(tenantId: number, userId: number): string {
  return JSON.stringify(["sip-password", tenantId, userId]);
}

/** The binding of a secret that callbacks are signed with. */
export function bindCallbackSecret(tenantId: number): string {
  return `callback secret of tenant ${tenantId}`;
}

/** The binding of a carrier's settings. */
export function bindCarrier({ name, tenantId, channel }: { name: string; tenantId: number; channel: string }): string {
  return JSON.stringify(["carrier", name, tenantId, channel]);
}
