/** Lines of YAML with the required fields of a campaign, except for its reference and use case. */
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
