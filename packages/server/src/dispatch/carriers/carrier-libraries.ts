// The libraries that carriers are spoken to with: each is installed by those who have such a carrier, and loaded with it.

/** What mail and texts need. The versions are those of package.json. */
const needs = {
  smtp: { what: "mail over SMTP", packages: ["nodemailer@^10.6.0", "html-to-text@^10.0.1"] },
  smpp: { what: "texts over SMPP", packages: ["smpp@^0.5.1"] },
  bounces: { what: "a listener for bounces", packages: ["postal-mime@^4.0.0"] },
} as const;

/** What is spoken to carriers with is not installed. */
export class LibraryMissing extends Error {
  override readonly name = "LibraryMissing";

  constructor(need: keyof typeof needs, options?: ErrorOptions) {
    const { what, packages } = needs[need];
    super(`${what} needs a library that is not installed: npm install ${packages.join(" ")}`, options);
  }
}

/** Loads what imports the libraries. Throws `LibraryMissing` if one is not installed. */
export async function loadLibraries<T>(need: keyof typeof needs, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    throw isMissing ? new LibraryMissing(need, { cause: error }) : error;
  }
}
