import { ActionIcon, Menu } from "@mantine/core";
import { useLocation } from "react-router";
import { IconHelp } from "../parts/icons.tsx";
import { screens } from "../screens.tsx";
import { type Guide, guidesOfConsole, guidesOfScreen } from "./help-guides.ts";

/** The guides of the screen that is open, and of the console; a guide opens beside the console. */
export function HelpMenu({ openShortcuts }: { openShortcuts(): void }) {
  const [, area = ""] = useLocation().pathname.split("/");
  const label = screens.find(({ path }) => path === area)?.label;
  const guides = guidesOfScreen(area);
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label="Help">
          <IconHelp size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {guides.length === 0 ? null : (
          <>
            <Menu.Label>{label ?? "This page"}</Menu.Label>
            {guides.map(item)}
            <Menu.Divider />
          </>
        )}
        {guidesOfConsole.map(item)}
        <Menu.Divider />
        <Menu.Item component="a" href="/docs" target="_blank" rel="noreferrer">
          All documentation
        </Menu.Item>
        <Menu.Item onClick={openShortcuts}>Keyboard shortcuts</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const item = ({ text, page }: Guide) => (
  <Menu.Item key={page} component="a" href={`/docs/${page}`} target="_blank" rel="noreferrer">
    {text}
  </Menu.Item>
);
