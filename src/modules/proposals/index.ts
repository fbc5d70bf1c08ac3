export * from "#/modules/proposals/repository.ts";
