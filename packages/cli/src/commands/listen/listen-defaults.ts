/** What listen does where a flag does not say it. */
export const DEFAULT_PORT = 4810;
export const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_TOLERANCE_SECONDS = 300;
