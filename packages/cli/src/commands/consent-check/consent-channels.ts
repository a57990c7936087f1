/** The channels that consents apply to, by kind of contact. */
export const CHANNELS = { phone: ["SMS", "VOICE"], email: ["EMAIL"] } as const;
