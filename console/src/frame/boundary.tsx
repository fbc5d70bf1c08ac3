import { Component, type ReactNode } from "react";
import { Problem } from "../parts/loading/problem.tsx";
import { reloadIfServed } from "../reload.ts";
import { UnloadedScreen } from "../screens.tsx";

interface BoundaryProps {
  readonly children: ReactNode;
}

/** Keeps the frame usable if a screen fails. */
export class Boundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const retry = () => {
      if (error instanceof UnloadedScreen) void reloadIfServed();
      else this.setState({ error: undefined });
    };
    return <Problem error={error} what="This screen" retry={retry} />;
  }
}
