export { type CrossdockClient, createClient } from "./client.ts";
export type { Services } from "./generated/services.ts";
export { type ItemOf, items, type ListPath, type Page, type PageOf, pages } from "./pages.ts";
export { type Answer, type DataOf, type Problem, ProblemError, unwrap } from "./problem.ts";
export type { RetryOptions } from "./retry.ts";
export type { ClientOptions } from "./sender.ts";
export { TokenError } from "./tokens.ts";
