/** Builds msw's pattern for a path of the contract below a base URL: `https://api.example.com/api/v1/merchants/:merchantId`. */
export function toPattern(baseUrl: string, path: string): string {
  return withoutSlash(baseUrl) + path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** A base URL to which paths can be appended. */
export function withoutSlash(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, "");
}
