/** Defaults of the flags of listen. */
export const DEFAULT_PORT = 4810;
export const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_TOLERANCE_SECONDS = 300;
