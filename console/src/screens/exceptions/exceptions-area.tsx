import { ExceptionList } from "./exception-list.tsx";

/** Everything below /console/exceptions. */
export function ExceptionsArea() {
  return <ExceptionList />;
}
