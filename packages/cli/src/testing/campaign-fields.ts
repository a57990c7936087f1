/** The fields that every campaign of a registration file needs, beside its reference and use case, as lines of YAML. */
export function writeCampaignFields(indent: string): string {
  const fields = [
    "description: Codes",
    "messageFlow: On the site",
    "sampleMessages: [Code 1]",
    "optInKeywords: [START]",
    "optOutKeywords: [STOP]",
    "helpKeywords: [HELP]",
    "optInMessage: In",
    "optOutMessage: Out",
    "helpMessage: Help",
  ];
  return fields.map((field) => `${indent}${field}`).join("\n");
}
