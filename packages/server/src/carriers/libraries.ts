// Optional libraries: the operator installs those that are needed, and they are loaded on first use.

/** Optional libraries of one feature. Keep the versions equal to those in package.json. */
export interface Libraries {
  /** The feature that needs them, such as "mail over SMTP". */
  readonly what: string;
  /** Arguments for `npm install`, such as `smpp@^0.5.1`. */
  readonly packages: readonly string[];
}

/** Thrown if a library is not installed. */
export class LibraryMissing extends Error {
  override readonly name = "LibraryMissing";

  constructor({ what, packages }: Libraries, options?: ErrorOptions) {
    super(`${what} needs a library that is not installed: npm install ${packages.join(" ")}`, options);
  }
}

/** Runs `load`, which imports a module that uses the libraries. Throws `LibraryMissing` if one is not installed. */
export async function withLibraries<T>(libraries: Libraries, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    throw isMissing ? new LibraryMissing(libraries, { cause: error }) : error;
  }
}
