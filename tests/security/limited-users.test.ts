// Users who are limited to a client neither read the house's prices nor change what protects the 3PL and other clients.
import assert from "node:assert/strict";
import { signIn } from "../support/app/console.ts";
import { testServer } from "../support/app/server.ts";
import { carrierDataOf, saveCarriers, seedCarriers, serviceOf } from "../support/carriers/carriers.ts";
import { type Attempt, type Expected, holdAgainst } from "./attempts.ts";

const server = await testServer();
await server.onboard("ACMES");
await server.onboard("BETAS");
await seedCarriers(server.database);
await saveCarriers(server.database, carrierDataOf(serviceOf("OWN-1", "RM", 3)), "ACMES");
const root = await signIn(server, "admin");
const users = {
  viewer: await signIn(server, "viewer", { clientIds: ["ACMES"] }),
  admin: await signIn(server, "admin", { clientIds: ["ACMES"] }),
  ofBetas: await signIn(server, "viewer", { clientIds: ["BETAS"] }),
};
const house = await root.get("/carrierData/get");
assert.equal(house.status, 200, JSON.stringify(house.body));

interface Row {
  readonly user: keyof typeof users;
  readonly attempt: string;
  readonly path: string;
  /** A PATCH with this body; without it a GET. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly facilities?: readonly string[];
  readonly expected: Expected;
}

const closed: Expected = { status: 403, type: "scope-forbidden", hides: ["rateCards", "OWN-1"] };
const ofThe3pl: Expected = { status: 403, type: "role-forbidden" };
const patch = "/clientDirectory/patch/ACMES";

const rows: readonly Row[] = [
  { user: "viewer", attempt: "read the house's carrier data", path: "/carrierData/get", expected: closed },
  { user: "viewer", attempt: "read an old version of it", path: "/carrierData/get?version=1", expected: closed },
  { user: "viewer", attempt: "list its versions", path: "/carrierData/list", expected: closed },
  { user: "admin", attempt: "read it as an admin", path: "/carrierData/get", expected: closed },
  {
    user: "viewer",
    attempt: "read the own set",
    path: "/carrierData/get?clientId=ACMES",
    expected: { status: 200, shows: ["OWN-1"] },
  },
  {
    user: "ofBetas",
    attempt: "read the set in force of a client without one",
    path: "/carrierData/get?clientId=BETAS",
    expected: { status: 200 },
  },
  {
    user: "ofBetas",
    attempt: "read another client's set",
    path: "/carrierData/get?clientId=ACMES",
    expected: { status: 403, hides: ["OWN-1"] },
  },
  ...[
    "rateLimit=off",
    "personalDataDays=36500",
    "feedRetentionDays=36500",
    "countTolerance=100",
    "countToleranceUnits=1000",
  ].map((assignment): Row => {
    const [name = "", value = ""] = assignment.split("=");
    return {
      user: "admin",
      attempt: `set ${assignment}`,
      path: patch,
      settings: { [name]: value },
      expected: ofThe3pl,
    };
  }),
  {
    user: "admin",
    attempt: "hide it among settings of the brand",
    path: patch,
    settings: { rmaDays: "30", rateLimit: "9999/s" },
    expected: ofThe3pl,
  },
  { user: "admin", attempt: "choose the facilities", path: patch, facilities: ["DC1"], expected: ofThe3pl },
];

const attempts = rows.map(({ user, attempt, path, settings, facilities, expected }): Attempt => {
  return {
    attempt: `${user}: ${attempt}`,
    async send() {
      const isRead = settings === undefined && facilities === undefined;
      const { status, body } = isRead
        ? await users[user].get(path)
        : await users[user].patch(path, { ...(settings ? { settings } : {}), ...(facilities ? { facilities } : {}) });
      return { status, text: JSON.stringify(body) };
    },
    expected,
  };
});

holdAgainst(attempts, async () => (await root.get("/clientDirectory/get/ACMES")).body);

holdAgainst(
  [
    {
      attempt: "admin: a setting of the brand is changed",
      async send() {
        const { status, body } = await users.admin.patch(patch, { settings: { rmaDays: "31" } });
        return { status, text: JSON.stringify(body) };
      },
      expected: { status: 200, shows: ['"31"'] },
    },
  ],
  async () => undefined,
);
