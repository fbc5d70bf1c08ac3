import type { UseQueryResult } from "@tanstack/react-query";
import type { AnswerOf } from "../../answer-of.ts";
import { api } from "../../api.ts";
import { useData } from "../../data.ts";

export type Topics = AnswerOf<"/client/webhook/topics">;

/** The topics of a client or of a warehouse. @param clientId empty: not chosen yet */
export function useTopics(clientId: string): UseQueryResult<Topics, Error> {
  const query = { clientId, limit: 500 };
  return useData(["topics", clientId], (signal) => api.GET("/client/webhook/topics", { params: { query }, signal }), {
    isReady: clientId !== "",
  });
}
