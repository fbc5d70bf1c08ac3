import { Stack, Text } from "@mantine/core";
import { FigureRow } from "../../parts/page/screen.tsx";
import { ClientOfPart } from "../../scope.ts";
import { LeadingFigures } from "../overview/leading-figures.tsx";
import { OverviewCharts } from "../overview/overview-charts.tsx";
import { OverviewState } from "../overview/overview-state.tsx";

/** The overview of one client. Its figures lead to the lists of this client. */
export function ClientOverview({ clientId }: { readonly clientId: string }) {
  return (
    <ClientOfPart value={clientId}>
      <Stack gap="md">
        <Text component="p" m={0} c="dimmed">
          <OverviewState />
        </Text>
        <FigureRow>
          <LeadingFigures />
        </FigureRow>
        <OverviewCharts />
      </Stack>
    </ClientOfPart>
  );
}
