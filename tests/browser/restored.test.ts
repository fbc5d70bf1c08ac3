// The banner on every screen after a restore, until everything is released.
import assert from "node:assert/strict";
import { insertHolds } from "#/store/db/store/restore-hold.ts";
import { browserWorld } from "../support/browser/chromium.ts";

const world = await browserWorld();
const restoredTo = "2026-11-21T03:00:00.000Z";

world.test(
  "every screen says what waits after a restore; an admin releases it part by part, others see it",
  async (open) => {
    await insertHolds(world.server.database, restoredTo, new Date().toISOString());
    const viewer = await open("viewer");
    await viewer.open("/facilities");
    const banner = viewer.page.getByRole("note").filter({ hasText: `restored to ${restoredTo}` });
    await banner.waitFor();
    assert.match(
      await banner.innerText(),
      /Waiting for release: deliveries, allocation, tasks\..*An admin can release it\./s,
    );
    assert.equal(await viewer.page.getByRole("button", { name: /^Release/ }).count(), 0);

    const admin = await open("admin");
    await admin.open("/audit");
    const link = admin.page.getByRole("note").filter({ hasText: "restored to" });
    await link.waitFor();
    await admin.checkBoth();
    await admin.shoot("restored");
    for (const part of ["deliveries", "allocation", "tasks"]) {
      await link.getByRole("button", { name: `Release ${part}` }).click();
      await admin.page.getByRole("dialog").getByText("This cannot be undone").waitFor();
      await admin.page
        .getByRole("dialog")
        .getByRole("button", { name: `Release ${part}` })
        .click();
      await admin.page.getByText(`Released: ${part}.`).waitFor();
      await admin.page.getByRole("dialog").waitFor({ state: "hidden" });
    }
    await link.waitFor({ state: "detached" });
    const state = (await admin.user?.get("/restore/get"))?.body;
    assert.deepEqual(state.waiting, []);
    assert.equal(state.holds[0].releasedBy, `user:${admin.user?.userName}`);
  },
);
