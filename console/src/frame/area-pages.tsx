import type { ComponentType } from "react";
import { Route, Routes } from "react-router";
import { Go } from "../parts/go.tsx";
import { Area } from "../parts/loading/area.ts";
import { Empty } from "../parts/loading/empty.tsx";
import { Screen } from "../parts/page/screen.tsx";
import { UnknownPage } from "./unknown-page.tsx";

/** The pages of an area of the console by their paths below it, such as `:clientId/:orderId`; "" is its first page. */
export type Pages = Readonly<Record<string, ComponentType>>;

interface AreaPagesProps {
  readonly pages: Pages;
  readonly of: { readonly path: string; readonly label: string };
  /** The area is closed to developers of brands, and the user is one. */
  readonly isClosed: boolean;
}

/** The page of the URL, or the page for unknown paths, so that no area is ever blank. */
export function AreaPages({ pages, of, isClosed }: AreaPagesProps) {
  if (isClosed) {
    return (
      <Screen title={of.label}>
        <Empty
          why="This is not open to developers of brands. They see what concerns the integration of their client."
          action={<Go to="/">Back to the client</Go>}
        />
      </Screen>
    );
  }
  return (
    <Area value={of}>
      <Routes>
        {Object.entries(pages).map(([path, Page]) => (
          <Route key={path} path={path} element={<Page />} />
        ))}
        <Route path="*" element={<UnknownPage to={`/${of.path}`} label={of.label} />} />
      </Routes>
    </Area>
  );
}
