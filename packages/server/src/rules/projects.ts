// Labels by which several test runs or people share a server in development.

const LABEL = /^[A-Za-z0-9._-]{1,64}$/;

/** What a label can be, for whoever gave another. */
export const PROJECT_WORDS = "1 to 64 letters, digits, dots, underscores and hyphens";

export function isProject(text: string): boolean {
  return LABEL.test(text);
}
