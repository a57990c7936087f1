// For tests of registrations.

/** The request of a campaign whose texts are as short as the contract takes them. */
export const shortCampaign = {
  useCase: "CUSTOMER_CARE",
  description: "d",
  messageFlow: "m",
  sampleMessages: ["s"],
  optInKeywords: ["i"],
  optOutKeywords: ["o"],
  helpKeywords: ["h"],
  optInMessage: "i",
  optOutMessage: "o",
  helpMessage: "h",
};
