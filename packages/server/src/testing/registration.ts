// For tests of registrations.

/** A campaign request whose texts are as short as the contract allows. */
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

/** A campaign that a review finds nothing wrong with. */
export const goodCampaign = {
  useCase: "CUSTOMER_CARE",
  description: "Appointment reminders for patients of Bright Dental who asked for them.",
  messageFlow: "Patients tick a box on the intake form to receive SMS from Bright Dental.",
  sampleMessages: ["Your visit is tomorrow at 9:30. Reply STOP to opt out.", "We received your payment. Thank you."],
  optInKeywords: ["JOIN"],
  optOutKeywords: ["BYE"],
  helpKeywords: ["AID"],
  optInMessage: "Bright Dental: you will receive reminders again.",
  optOutMessage: "Bright Dental: you are opted out, goodbye.",
  helpMessage: "Bright Dental: call us at +12025550142 for help.",
};
