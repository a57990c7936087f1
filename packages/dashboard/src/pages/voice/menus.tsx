import { Fact } from "../../elements/page.tsx";
import { toWords } from "../../elements/state.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { useBoundedRows } from "../bounded-rows.tsx";
import type { Provisioning } from "./provisioning.ts";

type Menu = Provisioning["menus"][number];
type Choice = Menu["options"][number];
type Known = Pick<Provisioning, "menus" | "ringGroups" | "sipUsers">;

/** The voice menus: their announcements, and the target of each key. */
export function Menus({ provisioning }: { readonly provisioning: Known }) {
  const { shown, more } = useBoundedRows(provisioning.menus);
  return (
    <>
      {shown.map((menu) => (
        <Menu key={String(menu.id)} menu={menu} known={provisioning} />
      ))}
      {more}
    </>
  );
}

function Menu({ menu, known }: { readonly menu: Menu; readonly known: Known }) {
  return (
    <section aria-label={`Menu ${toVisible(menu.menuName)}`}>
      <h2>
        Menu: {toVisible(menu.menuName)}
        {menu.primary && <span class="quiet"> main menu</span>}
      </h2>
      <dl class="facts">
        <Fact name="Greeting">{toVisible(menu.greetingText ?? menu.greetingUrl ?? "none")}</Fact>
        <Fact name="Without a choice">
          {describeAction(menu.fallbackAction ?? "HANGUP", menu.fallbackValue)}, after {menu.maxRetries} attempts of{" "}
          {menu.timeoutSeconds} s each
        </Fact>
        {menu.businessHoursEnabled && (
          <>
            <Fact name="Open">{describeHours(menu)}</Fact>
            <Fact name="Closed">
              {menu.afterHoursAction === null
                ? "the same menu"
                : describeAction(menu.afterHoursAction, menu.afterHoursValue)}
            </Fact>
          </>
        )}
      </dl>
      {menu.options.length > 0 && <Choices choices={menu.options} known={known} />}
    </section>
  );
}

function Choices({ choices, known }: { readonly choices: readonly Choice[]; readonly known: Known }) {
  return (
    <table class="table">
      <caption>Choices</caption>
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Name</th>
          <th scope="col">Action</th>
        </tr>
      </thead>
      <tbody>
        {choices.map((choice) => (
          <tr key={String(choice.id)}>
            <td>{toVisible(choice.digit)}</td>
            <td class="named">{choice.label !== null && toVisible(choice.label)}</td>
            <td class="named">{describeAction(choice.actionType, targetOf(choice, known))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Returns the name of a choice's target, such as a ring group or a user. */
function targetOf({ ringGroupId, userId, targetValue }: Choice, { ringGroups, sipUsers }: Known): string | null {
  const group = ringGroupId === null ? undefined : ringGroups.find(({ id }) => id === ringGroupId);
  const user = userId === null ? undefined : sipUsers.find((each) => each.userId === userId);
  return group?.name ?? user?.email ?? targetValue;
}

function describeAction(action: string, target: string | null): string {
  return target === null ? toWords(action) : `${toWords(action)}: ${toVisible(target)}`;
}

function describeHours({ businessDays, businessOpenLocal, businessCloseLocal, businessTimeZone }: Menu): string {
  const days = businessDays.map((day) => toWords(day)).join(", ");
  return toVisible(`${days} ${businessOpenLocal ?? ""} to ${businessCloseLocal ?? ""}, ${businessTimeZone ?? ""}`);
}
