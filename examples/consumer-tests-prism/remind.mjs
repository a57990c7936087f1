// The program under test: a function of a dental practice that reminds a patient by SMS and returns the outcome as text.
import { ApiError, ConsentError } from "@msgctl/sdk";

/**
 * @param {import("@msgctl/sdk").MessagingClient} client
 * @param {{ phone: string, time: string }} visit
 * @returns {Promise<string>} a line for the practice's calendar
 */
export async function remind(client, { phone, time }) {
  const message = `Your visit is at ${time}. Reply STOP to opt out.`;
  try {
    const sent = await client.send.sms({ merchantId: "bright-dental", to: phone, message, type: "REMINDER" });
    return `reminded (${sent.messageId})`;
  } catch (error) {
    if (error instanceof ConsentError) return "not reminded: the patient wants no messages";
    if (error instanceof ApiError && error.code === "quota_exceeded")
      return "not reminded: no messages left this month";
    throw error;
  }
}
