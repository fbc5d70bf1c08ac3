import type { CarrierData, CarrierService } from "../carrier-data.ts";

/** Values of the inputs, by their names. */
export type ServiceInputs = Readonly<Record<string, string>>;

const flags = ["hazmat", "bulky", "signature", "postal"] as const;
const numbers = ["maxWeightKg", "maxLongestSideCm", "dimensionalDivisor"] as const;
const amounts = ["maxDeclaredValue", "cn22MaxValue"] as const;
const texts = ["trackingUrl", "activeFrom", "activeTo"] as const;

/** The inputs of a service; without one, those of a new service. */
export function valuesOfService(service?: CarrierService): ServiceInputs {
  const linesOf = (byName: Readonly<Record<string, unknown>> | undefined) =>
    Object.entries(byName ?? {})
      .map(([name, value]) => [name, ...(Array.isArray(value) ? value : [value])].join(" "))
      .join("\n");
  return {
    code: service?.code ?? "",
    carrierCode: service?.carrierCode ?? "",
    name: service?.name ?? "",
    serviceLevel: service?.serviceLevel ?? "STANDARD",
    countries: service?.countries?.join(", ") ?? "",
    trackable: String(service?.trackable ?? true),
    deliveryDays: service?.deliveryDays?.join(",") ?? "",
    transitDays: linesOf(service?.transitDays),
    cutOff: linesOf(service?.cutOff),
    pickUpDays: linesOf(service?.pickUpDays),
    ...Object.fromEntries(flags.map((name) => [name, String(service?.[name] ?? false)])),
    ...Object.fromEntries(numbers.map((name) => [name, String(service?.[name] ?? "")])),
    ...Object.fromEntries(texts.map((name) => [name, service?.[name] ?? ""])),
    ...Object.fromEntries(
      amounts.map((name) => [name, service?.[name] ? `${service[name].amount} ${service[name].currency}` : ""]),
    ),
  };
}

/** A text that is not a number stays one, so that the check of the API names it with its place. */
const numberOrText = (text: string): number | string =>
  text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;

/**
 * The service of these inputs. Empty ones are left out; a flag that is off is left out unless the service had it, so that
 * nothing changes but what was edited.
 */
export function serviceOf(values: ServiceInputs, before?: CarrierService): CarrierService {
  const get = (name: string) => (values[name] ?? "").trim();
  const filled = <Value>(name: string, read: (text: string) => Value) =>
    get(name) === "" ? {} : { [name]: read(get(name)) };
  const byName = (name: string, read: (parts: readonly string[]) => unknown) =>
    filled(name, (text) => Object.fromEntries(text.split("\n").flatMap((line) => namedValue(line, read))));
  const flag = (name: (typeof flags)[number]) => {
    const isOn = get(name) === "true";
    return isOn || before?.[name] !== undefined ? { [name]: isOn } : {};
  };
  const isTracked = get("trackable") !== "false";
  const made = {
    ...Object.fromEntries(["code", "carrierCode", "name", "serviceLevel"].map((name) => [name, get(name)])),
    ...filled("countries", (text) => text.split(/[\s,;]+/).filter(Boolean)),
    ...Object.assign({}, ...numbers.map((name) => filled(name, numberOrText))),
    ...Object.assign({}, ...flags.map(flag)),
    ...(isTracked && before?.trackable === undefined ? {} : { trackable: isTracked }),
    ...Object.assign(
      {},
      ...amounts.map((name) =>
        filled(name, (text) => {
          const [amount = "", currency = ""] = text.split(/\s+/);
          return { amount: numberOrText(amount), currency: currency.toUpperCase() };
        }),
      ),
    ),
    ...Object.assign({}, ...texts.map((name) => filled(name, (text) => text))),
    ...byName("transitDays", ([days = ""]) => numberOrText(days)),
    ...byName("cutOff", ([time = ""]) => time),
    ...byName("pickUpDays", (parts) => parts.map((day) => day.toUpperCase())),
    ...filled("deliveryDays", (text) => text.split(",")),
  } as unknown as CarrierService;
  return before === undefined ? made : inOrderOf(before, made);
}

const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)$/i;

/** "DC1 MON TUE", "ZONE A 14": a name, which may have blanks, and the last word, or all weekdays. */
function namedValue(line: string, read: (parts: readonly string[]) => unknown): [string, unknown][] {
  const words = line.split(/[\s,=]+/).filter(Boolean);
  if (words.length === 0) return [];
  const firstDay = words.findIndex((word, i) => i > 0 && weekday.test(word));
  const end = Math.max(1, firstDay > 0 ? firstDay : words.length - 1);
  return [[words.slice(0, end).join(" ").replace(/:$/, ""), read(words.slice(end))]];
}

/** With the fields in the order of the service before: an unchanged service equals it. */
function inOrderOf(before: CarrierService, made: CarrierService): CarrierService {
  const names = [...new Set([...Object.keys(before), ...Object.keys(made)])] as (keyof CarrierService)[];
  return Object.fromEntries(
    names.flatMap((name) => (made[name] === undefined ? [] : [[name, made[name]]])),
  ) as unknown as CarrierService;
}

/** The set with the service in the place, at the end if the place is new. Price matrices follow a new code. */
export function withService(data: CarrierData, place: number, service: CarrierService): CarrierData {
  const old = data.services[place]?.code;
  const isRenamed =
    old !== undefined && old !== service.code && !data.services.some(({ code }) => code === service.code);
  return {
    ...data,
    services: Object.assign([...data.services], { [place]: service }),
    rateCards: isRenamed
      ? data.rateCards.map((card) => (card.serviceCode === old ? { ...card, serviceCode: service.code } : card))
      : data.rateCards,
  };
}

/** The set without the service and its price matrices. */
export function withoutService(data: CarrierData, place: number): CarrierData {
  const removed = data.services[place]?.code;
  return {
    ...data,
    services: data.services.filter((_, i) => i !== place),
    rateCards: data.rateCards.filter(({ serviceCode }) => serviceCode !== removed),
  };
}
