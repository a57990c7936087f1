// Libraries that are installed by those who need them, and loaded with the first use.

/** The versions are those of package.json. */
export interface Libraries {
  /** What needs them, such as "mail over SMTP". */
  readonly what: string;
  /** As npm installs them, such as `smpp@^0.5.1`. */
  readonly packages: readonly string[];
}

/** Thrown if a library is not installed. */
export class LibraryMissing extends Error {
  override readonly name = "LibraryMissing";

  constructor({ what, packages }: Libraries, options?: ErrorOptions) {
    super(`${what} needs a library that is not installed: npm install ${packages.join(" ")}`, options);
  }
}

/** Runs what loads a module that imports the libraries. Throws `LibraryMissing` if one is not installed. */
export async function withLibraries<T>(libraries: Libraries, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    throw isMissing ? new LibraryMissing(libraries, { cause: error }) : error;
  }
}
