import type { paths } from "#operator";

type Operations = {
  [Path in keyof paths as Path extends `/v1/operatorService${infer Rest}` ? Rest : never]: paths[Path];
};

/** The success response of an operation, by its path below /v1/operatorService: `AnswerOf<"/order/list">`. */
export type AnswerOf<Path extends keyof Operations, Method extends "get" | "post" = "get"> = Operations[Path] extends {
  readonly [M in Method]: {
    readonly responses: { readonly 200: { readonly content: { readonly "application/json": infer Body } } };
  };
}
  ? Body
  : never;
