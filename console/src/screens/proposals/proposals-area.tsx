import type { ComponentType } from "react";
import type { Pages } from "../../frame/area-pages.tsx";
import { ofAllFacilities } from "../../parts/all-facilities.tsx";
import { ProposalPage } from "./proposal-page.tsx";
import { Proposals } from "./proposals.tsx";

const closable = (Page: ComponentType) => ofAllFacilities(Page, { title: "Proposals", what: "Proposals of agents" });

/** Everything below /console/proposals: changes that agents propose. */
export const proposalsPages: Pages = {
  "": closable(Proposals),
  ":clientId/:proposalId": closable(ProposalPage),
};
