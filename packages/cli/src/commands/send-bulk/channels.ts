/** How a list can be sent. */
export const CHANNELS = ["SMS", "VOICE", "EMAIL"] as const;
