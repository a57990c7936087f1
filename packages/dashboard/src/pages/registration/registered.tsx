// Lists of registered brands, campaigns and numbers, newest first.

import { State, type Tone, toWords } from "../../elements/state.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { useBoundedRows } from "../bounded-rows.tsx";
import type { Registration } from "./steps.ts";

const tones: Readonly<Record<string, Tone>> = {
  APPROVED: "good",
  ACTIVE: "good",
  FAILED: "bad",
  SUSPENDED: "bad",
  EXPIRED: "bad",
  RELEASED: "bad",
};

const toneOf = (status: string): Tone => tones[status] ?? "open";

export function Brands({ brands }: Pick<Registration, "brands">) {
  const { shown, more } = useBoundedRows(brands);
  if (brands.length === 0) return null;
  return (
    <>
      <table class="table">
        <caption>Brands</caption>
        <thead>
          <tr>
            <th scope="col">Business</th>
            <th scope="col">State</th>
            <th scope="col">Identity</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ id, legalBusinessName, status, verificationStatus, updatedAt }) => (
            <tr key={id}>
              <td class="named">{toVisible(legalBusinessName)}</td>
              <td>
                <State state={status} tone={toneOf(status)} />
              </td>
              <td>{toWords(verificationStatus)}</td>
              <td>
                <Time at={updatedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
}

export function Campaigns({ campaigns }: Pick<Registration, "campaigns">) {
  const { shown, more } = useBoundedRows(campaigns);
  if (campaigns.length === 0) return null;
  return (
    <>
      <table class="table">
        <caption>Campaigns</caption>
        <thead>
          <tr>
            <th scope="col">Campaign</th>
            <th scope="col">State</th>
            <th scope="col">Review</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((campaign) => (
            <tr key={campaign.id}>
              <td class="named">
                {toWords(campaign.useCase)}: {toVisible(shorten(campaign.description))}
              </td>
              <td>
                <State state={campaign.status} tone={toneOf(campaign.status)} />
              </td>
              <td class="named">
                {toWords(campaign.reviewStatus)}
                {campaign.reviewFailureReason !== null && `: ${toVisible(campaign.reviewFailureReason)}`}
              </td>
              <td>
                <Time at={campaign.updatedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
}

const LONGEST = 120;

function shorten(text: string): string {
  const characters = Array.from(text.slice(0, 2 * LONGEST + 2));
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST).join("")} …`;
}

export function Numbers({ numbers }: Pick<Registration, "numbers">) {
  const { shown, more } = useBoundedRows(numbers);
  if (numbers.length === 0) return null;
  return (
    <>
      <table class="table">
        <caption>Numbers</caption>
        <thead>
          <tr>
            <th scope="col">Number</th>
            <th scope="col">State</th>
            <th scope="col">Assignment</th>
            <th scope="col">Used for</th>
            <th scope="col" class="aside">
              Changed
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ id, phoneNumber, status, assignmentStatus, capabilities, updatedAt }) => (
            <tr key={id}>
              <td class="named">{toVisible(phoneNumber)}</td>
              <td>
                <State state={status} tone={toneOf(status)} />
              </td>
              <td>{toWords(assignmentStatus)}</td>
              <td>{toVisible(capabilities.join(", "))}</td>
              <td class="aside">
                <Time at={updatedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
}
