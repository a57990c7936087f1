/** For tests: requests to a service with the demo data. */

export const sms = { merchantId: "demo", to: "+12025550100", message: "Your table is ready", type: "TRANSACTIONAL" };
export const call = {
  merchantId: "demo",
  useCase: "OTP",
  messageText: "Your code is 1234",
  toNumber: "+12025550100",
  callbackUrl: "https://shop.example/hooks",
};
