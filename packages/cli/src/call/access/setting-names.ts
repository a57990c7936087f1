export const SETTING_KEYS = ["baseUrl", "output", "timeout", "retries"] as const;

export type SettingKey = (typeof SETTING_KEYS)[number];

export const SETTING_MEANINGS: Readonly<Record<SettingKey, string>> = {
  baseUrl: "Address of the service, without /api/v1.",
  output: "Format where neither -o nor MSGCTL_OUTPUT is given.",
  timeout: "Seconds to wait for an answer where --timeout is not given.",
  retries: "How often to send a request again where --retries is not given.",
};
