/** The channels that consents are for, by the kind of contact. */
export const CHANNELS = { phone: ["SMS", "VOICE"], email: ["EMAIL"] } as const;
