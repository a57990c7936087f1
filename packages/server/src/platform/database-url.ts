// Describes URLs of PostgreSQL databases and their faults. Descriptions never contain the password.

const URL_FORM = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?[^#]*)?$/i;
/** Matches a name, an IPv4 address, or an IPv6 address in brackets, with an optional port. An empty host is this machine. */
const HOST_FORM = /^(?:\[[\da-f:.]+\]|[^:[\]\s]*)(?::(\d{1,5}))?$/i;

interface UrlComponents {
  readonly scheme: string;
  readonly user: string;
  /** One or more hosts with optional ports, separated by commas. */
  readonly hosts: string;
  readonly name: string;
}

/** Describes an invalid URL, for an error that continues "received …"; returns undefined for a valid URL. */
export function findUrlFault(text: string): string | undefined {
  const parts = splitUrl(text);
  if (parts === undefined) return text.includes("#") ? "a URL with a #; write it as %23" : "text that is not a URL";
  const { scheme, user, hosts, name } = parts;
  if (scheme !== "postgres" && scheme !== "postgresql") return `a URL of scheme ${scheme}`;
  if (user.includes("@") || !hosts.split(",").every(isHost)) {
    return "a URL with an invalid host or port; in a password, write @ : / ? and # as %40 %3A %2F %3F %23";
  }
  if (name === "") return "a URL without the name of a database";
  if (![user, name].every(isEncoded)) return "a URL with a % that begins no encoded character; write it as %25";
  return undefined;
}

/** Returns the URL for display, without password and parameters: `postgres://user@a:5432,b:5432/name`. */
export function hidePassword(url: string): string {
  const parts = splitUrl(url);
  if (parts === undefined) return "the database of DATABASE_URL";
  const { user, hosts, name } = parts;
  const [userName = ""] = user.split(":");
  return `postgres://${userName === "" ? "" : `${userName}@`}${hosts}/${name}`;
}

/** Returns whether the URL has a password. */
export function hasPassword(url: string): boolean {
  const [, password = ""] = (splitUrl(url)?.user ?? "").split(/:(.*)/s);
  return password !== "" || /[?&](?:ssl)?password=/i.test(url);
}

/** Splits a URL. `user` includes the password. */
function splitUrl(text: string): UrlComponents | undefined {
  const [, scheme, authority, name = ""] = URL_FORM.exec(text) ?? [];
  if (scheme === undefined || authority === undefined) return undefined;
  const at = authority.lastIndexOf("@");
  return {
    scheme: scheme.toLowerCase(),
    user: authority.slice(0, Math.max(at, 0)),
    hosts: authority.slice(at + 1),
    name,
  };
}

function isHost(text: string): boolean {
  const found = HOST_FORM.exec(text);
  if (found === null) return false;
  const [, port] = found;
  return port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The location of a database: a SQLite file (or `:memory:`), or a URL on a PostgreSQL server. */
export type DatabaseLocation = { readonly file: string } | { readonly url: string };
