import { describe, expect, it } from "vitest";
import { PLAIN } from "../../output/text/style.ts";
import { createRowStream } from "./row-stream.ts";

describe("a stream of rows", () => {
  const columns = ["createdAt", "severity", "merchantId", "message"];
  const samples = { createdAt: "2026-01-31T08:00:00.000Z", severity: "CRITICAL" };
  const rows = (width?: number) => createRowStream(columns, samples, { style: PLAIN, width });
  const alert = { createdAt: "2026-03-01T12:00:00.000Z", severity: "INFO", merchantId: "m1", message: "Half\u001b[2J" };

  it("keeps its columns in place: a long value shifts only its own row", () => {
    const stream = rows();
    expect([stream.heading(), stream.row(alert), stream.row({ ...alert, merchantId: "a-merchant-of-20-chr" })]).toEqual(
      [
        "createdAt                severity  merchantId    message\n",
        "2026-03-01 12:00:00 UTC  INFO      m1            Half\\u001b[2J\n",
        "2026-03-01 12:00:00 UTC  INFO      a-merchant-of-20-chr  Half\\u001b[2J\n",
      ],
    );
  });

  it("shortens instants on a narrow terminal", () => {
    expect([rows(80).heading(), rows(80).row(alert)]).toEqual([
      "createdAt          severity  merchantId    message\n",
      "2026-03-01 12:00Z  INFO      m1            Half\\u001b[2J\n",
    ]);
  });

  it("wraps the last column within its own width if there is room for it", () => {
    const long = { ...alert, message: "One two three four five six seven eight nine" };
    expect(rows(80).row(long).split("\n")).toEqual([
      "2026-03-01 12:00Z  INFO      m1            One two three four five six seven",
      "                                           eight nine",
      "",
    ]);
    expect(rows(50).row(long).split("\n")).toHaveLength(2);
  });
});
