/**
 * The value of a form's address that names a message to write again. The address has no recipient and no text: browsers and
 * proxies keep addresses.
 */
export const AGAIN = "again";
