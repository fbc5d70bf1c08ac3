import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useParamsOfPart, withScope } from "../scope.ts";

interface GoProps {
  /** A path below /console, such as `/orders/ACME/4711?tab=lines`; the filters of the top bar are added. */
  readonly to: string;
  readonly children: ReactNode;
  readonly className?: string | undefined;
  /** No link style, for tiles and rows. */
  readonly isPlain?: boolean;
  readonly label?: string | undefined;
  /** Skipped by the Tab key, because an adjacent link has the same target. */
  readonly isBesideAnother?: boolean;
}

/** A link within the console. */
export function Go({ to, children, className, isPlain = false, label, isBesideAnother = false }: GoProps) {
  const params = useParamsOfPart();
  const href = withScope(to, params);
  const named = {
    ...(label === undefined ? {} : { "aria-label": label }),
    ...(isBesideAnother ? { tabIndex: -1 } : {}),
  };
  if (isPlain) {
    return (
      <Link to={href} className={className} {...named}>
        {children}
      </Link>
    );
  }
  return (
    <Anchor component={Link} to={href} className={className ?? ""} inherit {...named}>
      {children}
    </Anchor>
  );
}
