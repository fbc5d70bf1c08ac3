export { eventCodeOf } from "#/modules/carriers/event-words.ts";
