/** A page of the documentation, in the words of the help menu. */
export interface Guide {
  readonly text: string;
  /** Below /docs: `states#sales-order`. */
  readonly page: string;
}

const everywhere: readonly Guide[] = [
  { text: "The operators' console", page: "console" },
  { text: "The operator's handbook", page: "operators-handbook" },
  { text: "Glossary", page: "glossary" },
];

/** The guides of a screen by the first part of its path; the page of the console has a section of every screen. */
const guidesOf: Readonly<Record<string, readonly Guide[]>> = {
  overview: [{ text: "Each day", page: "operators-handbook#each-day" }],
  exceptions: [{ text: "Called at night", page: "operators-handbook#called-at-night" }],
  reports: [{ text: "Figures for a bill", page: "figures-for-a-bill" }],
  feeds: [
    { text: "A stuck feed", page: "operators-handbook#a-stuck-feed" },
    { text: "Errors of a document", page: "acknowledgements" },
    { text: "States of a document", page: "states#feed-document" },
  ],
  orders: [
    { text: "A stuck order", page: "operators-handbook#a-stuck-order" },
    { text: "States of an order", page: "states#sales-order" },
    { text: "Event codes", page: "event-codes" },
  ],
  inventory: [
    { text: "Stock that looks wrong", page: "operators-handbook#stock-that-looks-wrong" },
    { text: "Reasons of adjustments", page: "adjustment-reasons" },
  ],
  inbound: [{ text: "States of a purchase order", page: "states#purchase-order" }],
  returns: [{ text: "States of a return", page: "states#return-rma" }],
  "work-orders": [{ text: "States of a work order", page: "states#work-order" }],
  carriers: [{ text: "Carrier data", page: "contract/carriers" }],
  webhooks: [
    { text: "Webhooks that do not arrive", page: "operators-handbook#webhooks-that-do-not-arrive" },
    { text: "Receiving webhooks", page: "webhooks" },
    { text: "Events", page: "events" },
  ],
  outbound: [{ text: "Outbound feeds", page: "outbound" }],
  mails: [{ text: "Alerts", page: "observability#alerts" }],
  clients: [
    { text: "Going live", page: "going-live" },
    { text: "Settings of a client", page: "commands#settings-of-a-client" },
    { text: "Keys and personal data", page: "keys-and-data" },
  ],
  facilities: [{ text: "Connecting a warehouse", page: "warehouse" }],
  users: [
    { text: "Roles and limits", page: "console#roles-and-limits" },
    { text: "Developers of brands", page: "brand-developers" },
    { text: "Single sign-on", page: "single-sign-on" },
    { text: "Second factor", page: "second-factor" },
  ],
  notifications: [{ text: "Notifications", page: "notifications" }],
  sandbox: [{ text: "The sandbox", page: "sandbox" }],
  audit: [{ text: "Questions, answered quickly", page: "console#questions-answered-quickly" }],
  account: [
    { text: "Second factor", page: "second-factor" },
    { text: "Agents", page: "agents" },
  ],
};

/** @param area first part of the path below /console */
export const guidesOfScreen = (area: string): readonly Guide[] => guidesOf[area] ?? [];

export const guidesOfConsole = everywhere;
