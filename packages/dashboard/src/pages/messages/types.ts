const types: Readonly<Record<string, string>> = {
  OTP: "One-time password",
  REMINDER: "Reminder",
  MARKETING: "Marketing",
  TRANSACTIONAL: "Transactional",
};

/** A message's type as people call it. */
export function describeType(type: string): string {
  return types[type] ?? type;
}
