/** Where a database is: in a file of this machine (or `:memory:`), or on a PostgreSQL server, named by its URL. */
export type DatabaseLocation = { readonly file: string } | { readonly url: string };
