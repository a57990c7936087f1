import { describe, expect, it } from "vitest";
import { defaultPrices } from "../domain/billing/rules.ts";
import {
  ConfigError,
  readDatabaseUrl,
  readDataFolder,
  readServeConfig,
  requireSecretKeys,
  requireTimezone,
  type ServeFlags,
} from "./config.ts";

const defaults = {
  data: ".msgd",
  databaseUrl: undefined,
  databaseConnections: 16,
  host: "127.0.0.1",
  port: 4800,
  dev: false,
  consentPolicy: "strict",
  stopCovers: "sms",
  registration: "open",
  idempotencyDays: 7,
  callbackReach: "public",
  directoryCredential: "a1-hash",
  dashboard: true,
  secretKeys: undefined,
  metricsHosts: [],
  publicUrl: undefined,
  trustedProxies: [],
  logAddresses: "full",
  otpValidityMs: 600_000,
  bounces: undefined,
  speechCommand: ["espeak-ng", "--stdin", "-v", "{language}", "-w", "{file}"],
  speechFolder: undefined,
  prices: defaultPrices,
  largestUpgradeCents: 10_000_000,
  logLevel: "warn",
};
const variables = {
  MSGD_DATA: "there",
  DATABASE_URL: "postgres://u:p@db/msgd",
  MSGD_DATABASE_CONNECTIONS: "3",
  MSGD_HOST: "0.0.0.0",
  MSGD_PORT: "4801",
  MSGD_CONSENT_POLICY: "opt_out_only",
  MSGD_STOP_COVERS: "sms,voice",
  MSGD_REGISTRATION: "strict",
  MSGD_IDEMPOTENCY_DAYS: "30",
  MSGD_DIRECTORY_CREDENTIAL: "password",
  MSGD_DASHBOARD: "off",
  MSGD_SECRET_KEY: Buffer.alloc(32, 1).toString("base64"),
  MSGD_PRICES: "sms=8300",
  MSGD_LARGEST_UPGRADE: "999999999999",
  MSGD_LOG_LEVEL: "info",
};

function faultsOf(flags: ServeFlags, env: NodeJS.ProcessEnv = {}): string[] {
  try {
    readServeConfig(flags, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split("\n");
    throw error;
  }
  return [];
}

describe("the settings of serve", () => {
  it("have defaults", () => {
    expect(readServeConfig({}, {})).toEqual(defaults);
  });

  it("come from variables", () => {
    const fromEnvironment = {
      data: "there",
      databaseUrl: "postgres://u:p@db/msgd",
      databaseConnections: 3,
      host: "0.0.0.0",
      port: 4801,
      logLevel: "info",
    };
    expect(readServeConfig({}, variables)).toEqual({
      ...defaults,
      ...fromEnvironment,
      consentPolicy: "opt_out_only",
      stopCovers: "sms,voice",
      registration: "strict",
      idempotencyDays: 30,
      directoryCredential: "password",
      dashboard: false,
      secretKeys: [Buffer.alloc(32, 1)],
      prices: { ...defaultPrices, smsSegmentMicros: 8_300 },
      largestUpgradeCents: 999_999_999_999,
    });
  });

  it("prefer flags over variables", () => {
    const flags = {
      data: "here",
      host: "::1",
      port: "0",
      consentPolicy: "strict",
      stopCovers: "sms",
      logLevel: "silent",
      dev: true,
      registration: "open",
    };
    const config = readServeConfig(
      {
        ...flags,
        databaseConnections: "200",
        idempotencyDays: "3",
        directoryCredential: "a1-hash",
        dashboard: "on",
        prices: "markup=0",
        largestUpgrade: "1",
      },
      variables,
    );
    const { secretKeys, ...others } = config;
    const { publicUrl, trustedProxies, logAddresses } = defaults;
    expect(others).toEqual({
      ...flags,
      ...{ publicUrl, trustedProxies, logAddresses },
      databaseUrl: "postgres://u:p@db/msgd",
      databaseConnections: 200,
      metricsHosts: [],
      port: 0,
      idempotencyDays: 3,
      callbackReach: "loopback",
      directoryCredential: "a1-hash",
      dashboard: true,
      ...{ otpValidityMs: 600_000, bounces: undefined, speechFolder: undefined },
      speechCommand: expect.arrayContaining(["espeak-ng"]),
      prices: { ...defaultPrices, markupPercent: 0 },
      largestUpgradeCents: 1,
    });
    expect(secretKeys).toEqual([Buffer.alloc(32, 1)]);
  });

  it.each([
    [
      { speech: "espeak-ng -w out.wav" },
      '--speech (MSGD_SPEECH): expected a program and its arguments, one of which is {file}, such as piper --model /voices/{voice}.onnx -f {file}, received "espeak-ng -w out.wav"',
    ],
    [
      { speechFolder: "speech" },
      '--speech-folder (MSGD_SPEECH_FOLDER): expected an absolute path of letters, digits, . _ - and /, such as /var/spool/msgd/speech, received "speech"',
    ],
    [{ data: "" }, "--data (MSGD_DATA): expected a folder, received nothing"],
    [
      { databaseConnections: "2" },
      '--database-connections (MSGD_DATABASE_CONNECTIONS): expected 3 to 200, received "2"',
    ],
    [{ databaseConnections: "201" }, 'received "201"'],
    [{ host: " " }, "--host (MSGD_HOST): expected an address of this machine"],
    [{ port: "abc" }, '--port (MSGD_PORT): expected 0 to 65535, received "abc"'],
    [{ port: "65536" }, '--port (MSGD_PORT): expected 0 to 65535, received "65536"'],
    [{ port: "-1" }, 'received "-1"'],
    [{ port: "" }, 'received ""'],
    [{ port: "80.5" }, 'received "80.5"'],
    [{ consentPolicy: "lax" }, 'expected strict or opt_out_only, received "lax"'],
    [{ stopCovers: "voice" }, '--stop-covers (MSGD_STOP_COVERS): expected sms or sms,voice, received "voice"'],
    [{ registration: "lax" }, '--registration (MSGD_REGISTRATION): expected open or strict, received "lax"'],
    [{ idempotencyDays: "2" }, 'expected 3 to 999, received "2"'],
    [{ idempotencyDays: "a week" }, 'received "a week"'],
    [{ directoryCredential: "none" }, 'expected a1-hash or password, received "none"'],
    [{ dashboard: "yes" }, 'expected on or off, received "yes"'],
    [
      { otpValidity: "5s" },
      '--otp-validity (MSGD_OTP_VALIDITY): expected a time from 10s to 72h, such as 5m, received "5s"',
    ],
    [{ bounces: "2525" }, "--bounces (MSGD_BOUNCES): expected host:port, such as 127.0.0.1:2525"],
    [{ bounces: "localhost:70000" }, 'received "localhost:70000"'],
    [
      { prices: "fax=1" },
      "--prices (MSGD_PRICES): expected a list such as sms=7900,markup=20: sms, email and minute up to 100000000 micro-USD",
    ],
    [{ largestUpgrade: "0" }, "--largest-upgrade (MSGD_LARGEST_UPGRADE): expected cents, 1 to 999999999999"],
    [{ largestUpgrade: "1000000000000" }, 'received "1000000000000"'],
    [{ largestUpgrade: "$100" }, 'received "$100"'],
    [
      { logAddresses: "some" },
      '--log-addresses (MSGD_LOG_ADDRESSES): expected one of full, masked, none, received "some"',
    ],
    [{ logLevel: "loud" }, 'expected one of trace, debug, info, warn, error, fatal, silent, received "loud"'],
  ])("refuse %j with the allowed values", (flags, fault) => {
    expect(faultsOf(flags)).toEqual([expect.stringContaining(fault)]);
  });

  it.each([
    ["off", undefined],
    ["50", { perSecond: 50, burst: 500 }],
    ["50:200", { perSecond: 50, burst: 200 }],
    ["0.5:1", { perSecond: 0.5, burst: 1 }],
    ["0.01", { perSecond: 0.01, burst: 1 }],
  ])("read the rate limit %s", (rateLimit, expected) => {
    expect(readServeConfig({ rateLimit }, {}).rateLimit).toEqual(expected);
    expect(readServeConfig({}, { MSGD_RATE_LIMIT: rateLimit }).rateLimit).toEqual(expected);
  });

  it.each([
    ["127.0.0.1:2525", { host: "127.0.0.1", port: 2525 }],
    ["[::1]:24", { host: "::1", port: 24 }],
    ["mail.internal:25", { host: "mail.internal", port: 25 }],
    ["", undefined],
  ])("read the bounce address %j", (bounces, expected) => {
    expect(readServeConfig({ bounces }, {}).bounces).toEqual(expected);
  });

  it.each([
    ["", []],
    ["msgd", ["msgd"]],
    ["msgd.internal,msgd", ["msgd.internal", "msgd"]],
  ])("read the hosts of metrics %j", (metricsHosts, expected) => {
    expect(readServeConfig({ metricsHosts }, {}).metricsHosts).toEqual(expected);
    expect(readServeConfig({}, { MSGD_METRICS_HOSTS: metricsHosts }).metricsHosts).toEqual(expected);
  });

  it.each([
    ["https://msg.example.com", "https://msg.example.com"],
    ["https://MSG.example.com:8443/", "https://msg.example.com:8443"],
    ["http://127.0.0.1:4800", "http://127.0.0.1:4800"],
    ["", undefined],
  ])("read the public URL %j", (publicUrl, expected) => {
    expect(readServeConfig({ publicUrl }, {}).publicUrl).toBe(expected);
    expect(readServeConfig({}, { MSGD_PUBLIC_URL: publicUrl }).publicUrl).toBe(expected);
  });

  it.each([
    ["http://msg.example.com", "expected an https URL without a path"],
    ["msg.example.com", 'received "msg.example.com"'],
    ["https://msg.example.com?a=1", 'received "https://msg.example.com?a=1"'],
    ["https://msg.example.com/#", 'received "https://msg.example.com/#"'],
    ["https://u:p@msg.example.com", "expected an https URL"],
    [
      "https://example.com/msgd/",
      'received "https://example.com/msgd/": msgd cannot be served under a path; give it a host name of its own',
    ],
  ])("refuse the public URL %j", (publicUrl, fault) => {
    expect(faultsOf({ publicUrl })).toEqual([expect.stringContaining("--public-url (MSGD_PUBLIC_URL): expected")]);
    expect(faultsOf({ publicUrl })).toEqual([expect.stringContaining(fault)]);
  });

  it("read the networks of proxies, and refuse invalid ones", () => {
    const trustedProxies = "10.0.0.0/8, fd00::/8,192.0.2.7";
    const expected = ["10.0.0.0/8", "fd00::/8", "192.0.2.7"];
    expect(readServeConfig({ trustedProxies }, {}).trustedProxies).toEqual(expected);
    expect(readServeConfig({}, { MSGD_TRUSTED_PROXIES: "" }).trustedProxies).toEqual([]);
    expect(faultsOf({ trustedProxies: "proxy.internal" })).toEqual([
      '--trusted-proxies (MSGD_TRUSTED_PROXIES): expected addresses and networks without ports, such as 127.0.0.1,10.0.0.0/8,fd00::/8, received "proxy.internal"',
    ]);
  });

  it.each([",", "msgd:4800", "http://msgd", "*", "msgd, other"])("refuse the hosts of metrics %j", (metricsHosts) => {
    expect(faultsOf({ metricsHosts })).toEqual([expect.stringContaining(`received "${metricsHosts}"`)]);
  });

  it.each(["", "0", "0.001", "100001", "-5", "fast", "50:0", "50:", ":50", "50/200", "1e3", "Infinity"])(
    "refuse the rate limit %j",
    (rateLimit) => {
      expect(faultsOf({ rateLimit })).toEqual([expect.stringContaining(`received "${rateLimit}"`)]);
    },
  );

  it.each([
    [{}, {}, "public"],
    [{ dev: true }, {}, "loopback"],
    [{ dev: true }, { MSGD_ALLOW_PRIVATE_CALLBACKS: "false" }, "public"],
    [{ dev: true, allowPrivateCallbacks: true }, {}, "private"],
    [{ allowPrivateCallbacks: true }, {}, "private"],
    [{}, { MSGD_ALLOW_PRIVATE_CALLBACKS: "true" }, "private"],
    [{}, { MSGD_ALLOW_PRIVATE_CALLBACKS: "false" }, "public"],
    [{ allowPrivateCallbacks: true }, { MSGD_ALLOW_PRIVATE_CALLBACKS: "false" }, "private"],
  ])("%j, %j let callbacks go to %s addresses", (flags, env, expected) => {
    expect(readServeConfig(flags, env).callbackReach).toBe(expected);
  });

  it("refuse a value other than true or false for callbacks to private addresses", () => {
    expect(faultsOf({}, { MSGD_ALLOW_PRIVATE_CALLBACKS: "1" })).toEqual([
      'MSGD_ALLOW_PRIVATE_CALLBACKS: expected true or false, received "1"',
    ]);
  });

  it("refuse an invalid secret key, and do not show it", () => {
    const [fault = ""] = faultsOf({}, { MSGD_SECRET_KEY: "aHVudGVyMg" });
    expect(fault).toContain("MSGD_SECRET_KEY: expected base64 of 32 bytes");
    expect(fault).not.toContain("aHVudGVyMg");
  });

  it("refuse an invalid database URL, and do not show its password", () => {
    expect(
      faultsOf({}, { DATABASE_URL: "mysql://u:hunter2@db/msgd", MSGD_SECRET_KEY: variables.MSGD_SECRET_KEY }),
    ).toEqual(["DATABASE_URL: expected postgres://user:password@host:5432/name, received a URL of scheme mysql"]);
  });

  it("treat an empty database URL as not set", () => {
    expect(readServeConfig({}, { DATABASE_URL: "" })).toEqual(defaults);
  });

  it("require a secret key if there is a database URL", () => {
    const env = { DATABASE_URL: variables.DATABASE_URL };
    const [fault = "", ...how] = faultsOf({}, env);
    expect(fault).toContain("MSGD_SECRET_KEY: needed with DATABASE_URL, received nothing");
    expect(how.join("\n")).toContain("openssl rand -base64 32");
    expect(faultsOf({ dev: true }, env)).toEqual([]);
    expect(faultsOf({}, { ...env, MSGD_SECRET_KEY: "short" })).toEqual([
      expect.stringContaining("MSGD_SECRET_KEY: expected base64 of 32 bytes"),
    ]);
    expect(() => requireSecretKeys([])).toThrow(ConfigError);
  });

  it("report all faults at once", () => {
    const env = { MSGD_PORT: "x", MSGD_LOG_LEVEL: "loud" };
    expect(faultsOf({ host: "" }, env).map((fault) => fault.split(" ")[0])).toEqual([
      "--host",
      "--port",
      "--log-level",
    ]);
  });

  it.each(["127.0.0.1", "127.8.8.8", "localhost", "::1"])("allow a demo on %s", (host) => {
    expect(faultsOf({ dev: true, host })).toEqual([]);
  });

  it.each(["0.0.0.0", "::", "192.168.1.4", "example.com", "127.example.com"])("refuse a demo on %s", (host) => {
    expect(faultsOf({ dev: true, host })).toEqual([expect.stringMatching(`^--dev: .*received --host "${host}"`)]);
  });
});

describe("the data folder of the other commands", () => {
  it("is that of the flag, else of the variable, else the default", () => {
    expect(readDataFolder("here", variables)).toBe("here");
    expect(readDataFolder(undefined, variables)).toBe("there");
    expect(readDataFolder(undefined, {})).toBe(".msgd");
  });

  it("cannot be empty", () => {
    expect(() => readDataFolder("", {})).toThrow(ConfigError);
  });
});

describe("the database URL of the other commands", () => {
  it("is that of the variable; none if that is empty", () => {
    expect(readDatabaseUrl(variables)).toBe("postgres://u:p@db/msgd");
    expect(readDatabaseUrl({ DATABASE_URL: "" })).toBeUndefined();
    expect(readDatabaseUrl({})).toBeUndefined();
    expect(() => readDatabaseUrl({ DATABASE_URL: "db" })).toThrow(ConfigError);
  });
});

describe("a time zone", () => {
  it.each(["UTC", "America/New_York"])("can be %s", (name) => expect(requireTimezone(name)).toBe(name));

  it.each(["Foo/Bar", "", "New York", "BST"])("cannot be %j", (name) => {
    expect(() => requireTimezone(name)).toThrow(`America/New_York, received "${name}"`);
  });
});
