import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HIDDEN } from "../../elements/visible-text.ts";
import { copyCall } from "./call-copies.ts";

const sms = (message: string) =>
  copyCall({ operationId: "sendSms", body: { merchantId: "m1", to: "+12025550100", type: "OTP", message } });

describe("the code for a call", () => {
  it("has one argument per line, and quotes only where it must", () => {
    const { msgctl, TypeScript } = sms("It's 417");
    expect(msgctl).toBe(
      "msgctl send sms \\\n  --merchant-id m1 \\\n  --to +12025550100 \\\n  --type OTP \\\n  --message 'It'\\''s 417'",
    );
    expect(TypeScript).toBe(
      'await client.send.sms({\n  merchantId: "m1",\n  to: "+12025550100",\n  type: "OTP",\n  message: "It\'s 417",\n});',
    );
  });

  it("contains no invisible characters, whatever the message", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        const { curl, msgctl, TypeScript } = sms(text);
        for (const copy of [curl, msgctl, TypeScript]) expect(copy.search(HIDDEN)).toBe(-1);
        expect(
          new Function("client", `return ${TypeScript.slice("await ".length)}`)({
            send: { sms: (body: object) => body },
          }),
        ).toMatchObject({ message: text });
      }),
    );
  });
});
