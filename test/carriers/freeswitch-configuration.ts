// The single configuration file of our own FreeSWITCH: an event socket, one SIP profile with one gateway, and a record of
// each call.

export interface FreeSwitchConfiguration {
  readonly folder: string;
  readonly callRecordFolder: string;
  readonly socketPort: number;
  readonly password: string;
  readonly sipPort: number;
  /** The first of several hundred ports for RTP. */
  readonly soundPort: number;
  readonly gateway: string;
  readonly gatewayPort: number;
}

/** Modules in load order: once the event socket answers, the others are ready. Missing ones are skipped. */
const modules = "console logfile commands dptools dialplan_xml sndfile tone_stream json_cdr sofia event_socket".split(
  " ",
);
const SOUND_PORTS = 400;

export function writeFreeSwitchConfiguration(settings: FreeSwitchConfiguration): string {
  const { folder, callRecordFolder, socketPort, password, sipPort, soundPort, gateway, gatewayPort } = settings;
  const sofia = `
    <profiles><profile name="calls">
      <gateways><gateway name="${gateway}">${params({
        username: "msgd",
        password: "none",
        realm: "127.0.0.1",
        proxy: `127.0.0.1:${gatewayPort}`,
        register: false,
      })}</gateway></gateways>
      <settings>${params({
        ...{ "sip-ip": "127.0.0.1", "rtp-ip": "127.0.0.1", "sip-port": sipPort },
        ...{ context: "none", dialplan: "XML", "manage-presence": false },
        ...{ "inbound-codec-prefs": "PCMU", "outbound-codec-prefs": "PCMU", "rtp-timer-name": "soft" },
      })}</settings>
    </profile></profiles>`;
  const logfile = `
    <profiles><profile name="default">
      <settings>${params({ logfile: `${folder}/freeswitch.log` })}</settings>
      <mappings><map name="all" value="notice,warning,err,crit,alert"/></mappings>
    </profile></profiles>`;
  const configurations = {
    switch: withSettings({
      ...{ "max-sessions": 1_000, "sessions-per-second": 200, "auto-restart": false },
      ...{ "rtp-start-port": soundPort, "rtp-end-port": soundPort + SOUND_PORTS },
    }),
    modules: `<modules>${modules.map((name) => `<load module="mod_${name}"/>`).join("")}</modules>`,
    logfile,
    event_socket: withSettings({ "listen-ip": "127.0.0.1", "listen-port": socketPort, password }),
    json_cdr: withSettings({ "log-dir": callRecordFolder, "log-b-leg": true, "prefix-a-leg": false, rotate: false }),
    sofia,
  };
  const written = Object.entries(configurations).map(
    ([name, inside]) => `<configuration name="${name}.conf">${inside}</configuration>`,
  );
  return `<?xml version="1.0"?>
<document type="freeswitch/xml">
  <section name="configuration">
    ${written.join("\n    ")}
  </section>
  <section name="dialplan"><context name="none"/></section>
  <section name="directory"/>
</document>
`;
}

type Values = Readonly<Record<string, string | number | boolean>>;

const withSettings = (values: Values) => `<settings>${params(values)}</settings>`;

const params = (values: Values) =>
  Object.entries(values)
    .map(([name, value]) => `<param name="${name}" value="${value}"/>`)
    .join("");
