import { table } from "#/store/db/table.ts";

export const activityDay = table("activity_day", ["day", "facility_code", "measure", "key"], {
  day: "date",
  facility_code: "text",
  measure: "text",
  key: "text",
  quantity: "numeric",
});

export const activityDue = table("activity_due", ["day", "facility_code"], { day: "date", facility_code: "text" });
