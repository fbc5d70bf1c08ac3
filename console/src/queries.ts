import { QueryClient } from "@tanstack/react-query";
import { ApiProblem } from "./api.ts";

const attemptsMax = 2;

/** The data of all pages. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      // Rejections are final. Only missing responses and server errors are retried.
      retry: (attempt, error) =>
        attempt < attemptsMax && error instanceof ApiProblem && (error.status === 0 || error.status >= 500),
      retryDelay: (attempt) => 500 * 2 ** attempt,
    },
  },
});
