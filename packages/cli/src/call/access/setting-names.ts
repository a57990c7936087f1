export const SETTING_KEYS = ["baseUrl", "output", "timeout", "retries"] as const;

export type SettingKey = (typeof SETTING_KEYS)[number];

export const SETTING_MEANINGS: Readonly<Record<SettingKey, string>> = {
  baseUrl: "Address of the service, without /api/v1.",
  output: "Output format, unless -o or MSGCTL_OUTPUT is given.",
  timeout: "Seconds to wait for a response, unless --timeout is given.",
  retries: "Number of retries, unless --retries is given.",
};
