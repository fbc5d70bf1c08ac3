export { type Courier, startCourier } from "#/delivery/notifications/courier.ts";
export { titleOf } from "#/delivery/notifications/message.ts";
export type { Condition, Current } from "#/delivery/notifications/plan.ts";
export {
  listMessages,
  purgeMessages,
  type StoredMessage,
} from "#/delivery/notifications/repository.ts";
export {
  type ConditionScope,
  createNotificationRounds,
  testContent,
  writeMessages,
} from "#/delivery/notifications/rounds.ts";
export {
  channels,
  deleteRule,
  findRule,
  listRules,
  makeSecret,
  newSettings,
  openTarget,
  type Rule,
  type RuleSettings,
  rulesMax,
  saveRule,
  schedules,
  sealedRules,
  sealTarget,
  severities,
} from "#/delivery/notifications/rule.ts";
