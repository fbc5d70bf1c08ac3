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

/** The paths that are read. */
export type GetPath = {
  [Path in keyof Operations]: Operations[Path] extends { readonly get: object } ? Path : never;
}[keyof Operations];

/** The path and query parameters of an operation that reads. */
export type ParamsOf<Path extends GetPath> = Operations[Path] extends {
  readonly get: { readonly parameters: infer It };
}
  ? It
  : never;
