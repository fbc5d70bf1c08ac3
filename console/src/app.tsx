import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { useLayoutEffect } from "react";
import { createBrowserRouter, createRoutesFromElements, Route, RouterProvider, useRouteError } from "react-router";
import { FacilityScope } from "./facility-scope.tsx";
import { Frame } from "./frame/frame.tsx";
import { FrameSkeleton } from "./frame/frame-skeleton.tsx";
import { InvitationPage } from "./frame/invitation-page.tsx";
import { SignInPage } from "./frame/sign-in-page.tsx";
import { SignOutPage, signOutPath } from "./frame/sign-out-page.tsx";
import { UnknownPage } from "./frame/unknown-page.tsx";
import { Problem } from "./parts/loading/problem.tsx";
import { queries } from "./queries.ts";
import { reloadIfServed } from "./reload.ts";
import { AccountArea, AgentTokensArea, HomePage, screens } from "./screens.tsx";
import { SignedIn } from "./session.tsx";
import { cssVariables, styleNonce, theme } from "./theme/theme.ts";

// The library that locks scrolling behind a dialog reads the nonce of its style element here.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = styleNonce();

/** Error outside of any screen; the router has its own text. */
function Failed() {
  return <Problem error={useRouteError()} what="The console" retry={() => void reloadIfServed()} />;
}

// Created here and not in an element tree: only such a router supports blocking navigation.
const router = createBrowserRouter(
  createRoutesFromElements(
    <Route errorElement={<Failed />}>
      <Route path="/sign-in" element={<SignInPage />} />
      <Route path="/invitation" element={<InvitationPage />} />
      <Route
        element={
          <SignedIn
            waiting={<FrameSkeleton />}
            failed={(error, retry) => <Problem error={error} retry={retry} what="The session" />}
          >
            <FacilityScope waiting={<FrameSkeleton />}>
              <Frame />
            </FacilityScope>
          </SignedIn>
        }
      >
        <Route index element={<HomePage />} />
        <Route path={signOutPath} element={<SignOutPage />} />
        <Route path="account" element={<AccountArea />} />
        <Route path="account/agents" element={<AgentTokensArea />} />
        {screens.map(({ path, Area }) => (
          <Route key={path} path={`${path}/*`} element={<Area />} />
        ))}
        <Route path="*" element={<UnknownPage />} />
      </Route>
    </Route>,
  ),
  { basename: "/console" },
);

/** The whole console: signed-in users see the frame with a screen, all others the sign-in page. */
export function App() {
  // In the commit that paints the first content, so that the page is never blank between the two.
  useLayoutEffect(() => document.getElementById("outline")?.remove(), []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
      deduplicateInlineStyles={false}
    >
      <Notifications position="bottom-right" role="group" />
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
