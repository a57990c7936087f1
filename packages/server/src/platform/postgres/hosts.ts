// A URL may name several hosts, of which one is the primary: `postgres://user@one:5432,two:5432/msgd`.

/** The URLs of the single hosts, in order, and whether only a server that takes writes will do. */
export interface Hosts {
  readonly urls: readonly string[];
  /** Its name, decoded: the driver leaves `%23` and some others as they are. */
  readonly database: string;
  readonly mustTakeWrites: boolean;
}

const AUTHORITY = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;
/** Values of `target_session_attrs` that ask for a server that takes writes. */
const TAKES_WRITES = new Set(["read-write", "primary"]);

/** Splits a URL as libpq reads it. `target_session_attrs` is msgd's to heed: the driver does not know it. */
export function readHosts(url: string): Hosts {
  const [, before = "", authority = "", after = ""] = AUTHORITY.exec(url) ?? [];
  const [path = "", query = ""] = after.split("?", 2);
  const parameters = new URLSearchParams(query);
  const wanted = parameters.get("target_session_attrs") ?? "any";
  parameters.delete("target_session_attrs");
  const rest = parameters.size === 0 ? path : `${path}?${parameters}`;
  const urls = authority.split(",").map((host) => `${before}${host}${rest}`);
  return {
    urls,
    database: decodeURIComponent(path.slice(1)),
    mustTakeWrites: urls.length > 1 || TAKES_WRITES.has(wanted),
  };
}
