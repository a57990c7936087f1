// The user directory in the words of FreeSWITCH, as its mod_xml_curl reads them: nothing but text is made here.
// FreeSWITCH lets in whoever has neither password nor hash, so an entry cannot be built without one of them.

export interface DirectoryEntry {
  readonly domain: string;
  readonly sipUsername: string;
  readonly extension: string;
  readonly credential: { readonly name: "a1-hash" | "password"; readonly value: string };
  readonly accountCode: string;
  /** What the called see of a call that leaves the tenant; null leaves it to the switch. */
  readonly outboundName: string | null;
  readonly outboundNumber: string | null;
}

const header = `<?xml version="1.0" encoding="UTF-8"?>`;

/** The answer for a name that nobody has: FreeSWITCH takes no other status than 200 for one. */
export const notFoundDocument = `${header}
<document type="freeswitch/xml">
  <section name="result">
    <result status="not found"/>
  </section>
</document>
`;

/** The document that describes one user. Every value is escaped; FreeSWITCH fills in the dial-string's variables. */
export function directoryDocument(entry: DirectoryEntry): string {
  const { domain, sipUsername, extension, credential } = entry;
  const variables: [name: string, value: string | null][] = [
    ["user_context", "default"],
    // a call is put through to the user's id: without this a phone that registers as its extension is kept under that
    ["sip-force-user", sipUsername],
    ["accountcode", entry.accountCode],
    ["effective_caller_id_name", sipUsername],
    ["effective_caller_id_number", extension],
    ["outbound_caller_id_name", entry.outboundName],
    ["outbound_caller_id_number", entry.outboundNumber],
  ];
  const lines = variables.map(([name, value]) =>
    value === null ? "" : `                <variable name="${name}" value="${escapeXml(value)}"/>\n`,
  );
  return `${header}
<document type="freeswitch/xml">
  <section name="directory">
    <domain name="${escapeXml(domain)}">
      <params>
        <param name="dial-string" value="\${sofia_contact(\${dialed_user}@\${dialed_domain})}"/>
      </params>
      <groups>
        <group name="default">
          <users>
            <user id="${escapeXml(sipUsername)}" number-alias="${escapeXml(extension)}">
              <params>
                <param name="${credential.name}" value="${escapeXml(credential.value)}"/>
              </params>
              <variables>
${lines.join("")}              </variables>
            </user>
          </users>
        </group>
      </groups>
    </domain>
  </section>
</document>
`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  // as they are, a parser would make spaces of them (XML 1.0, 3.3.3)
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** All but the Char production of XML 1.0; with the `u` flag a lone surrogate is a character of its own. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Text as an attribute's value. What XML cannot hold at all, escaped or not, is dropped. */
export function escapeXml(text: string): string {
  return text.replaceAll(FORBIDDEN, "").replaceAll(/[&<>"'\t\n\r]/g, (character) => entities[character] ?? "");
}

/** Whether XML can hold every character of the text. */
export function isXmlText(text: string): boolean {
  return text.search(FORBIDDEN) < 0;
}
