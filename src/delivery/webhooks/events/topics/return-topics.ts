import Type from "typebox";
import { amount, leftOut, oneOf, type TopicFamily } from "#/delivery/webhooks/events/topic.ts";
import { closed, maybeText, nullable, text } from "#/http/routes/schema.ts";
import { dispositions, returnDiscrepancies } from "#/modules/returns/index.ts";
import { returnStates } from "#/modules/returns/states.ts";

const disposition = Type.Object(
  {
    disposition: oneOf(dispositions, "The grade: destination of the goods. SCRAP has left.", "RESELLABLE"),
    qty: amount("Quantity of the line with this grade."),
    stockPool: Type.Optional(text("Stock pool; absent: DEFAULT.", "OUTLET")),
    batchRef: Type.Optional(text("Batch, where there is one.", "LOT-7")),
    expiryDate: Type.Optional(
      Type.String({ format: "date", description: "Expiry date, where there is one.", examples: ["2027-06-30"] }),
    ),
    serials: Type.Optional(Type.Array(text("Serial number.", "SN-1"), { description: "Serial numbers of the units." })),
    returnReasonCode: Type.Optional(text("Why the goods came back, as the warehouse reports it.", "REFUSED")),
    note: Type.Optional(text("Remark of the warehouse.", "Box opened")),
  },
  { ...closed, title: "ReturnDisposition", description: "Goods of one lot of the line, with one grade." },
);

const line = Type.Object(
  {
    lineNumber: nullable(
      Type.Integer({ description: "Line of the return; null for a SKU that was not expected.", examples: [1] }),
    ),
    sku: text("Product.", "MUG-BLUE-330"),
    qtyExpected: amount("Announced quantity."),
    qtyReceived: amount("Quantity received so far."),
    discrepancy: oneOf(
      returnDiscrepancies,
      "Difference to the announced quantity; UNPLANNED: the SKU was not announced.",
      "NONE",
    ),
    dispositions: Type.Array(disposition, { description: "Grades of the received quantity." }),
  },
  { ...closed, title: "ReturnLine", description: "A line of the return." },
);

const data = Type.Object(
  {
    rmaNumber: maybeText("The authorisation; null where the goods were not announced.", "RMA-501"),
    olpnId: maybeText("The parcel that came back to its sender, if it is one.", "006141410000000012"),
    status: oneOf(returnStates, "State of the return after this event.", "RECEIVED"),
    lines: Type.Array(line, { description: "All lines, with all grades so far." }),
    ...leftOut,
  },
  { ...closed, title: "ReturnData", description: "The return in the state of this event: cumulative." },
);

const sampleOf = (status: string, qtyReceived: number) => ({
  objectId: "RMA-501",
  data: {
    rmaNumber: "RMA-501",
    olpnId: null,
    status,
    lines: [
      {
        lineNumber: 1,
        sku: "MUG-BLUE-330",
        qtyExpected: 2,
        qtyReceived,
        discrepancy: "NONE",
        dispositions: qtyReceived > 0 ? [{ disposition: "RESELLABLE", qty: qtyReceived }] : [],
      },
    ],
  },
});

export const returnTopics: TopicFamily = {
  title: "Returns",
  objectType: "return",
  object: "the rmaNumber; without one the olpnId of the parcel, or the warehouse's identifier of a blind return",
  data,
  topics: [
    { topicName: "return:authorised", when: "A return was announced.", sample: sampleOf("AUTHORISED", 0) },
    {
      topicName: "return:received",
      when: "Goods came back and were graded; more may follow.",
      sample: sampleOf("RECEIVED", 2),
    },
    {
      topicName: "return:closed",
      when: "No more is expected for the return: the warehouse, an operator or the client closed it, or it ended by its date.",
      sample: sampleOf("CLOSED", 2),
    },
    { topicName: "return:cancelled", when: "The client cancelled the return.", sample: sampleOf("CANCELLED", 0) },
    {
      topicName: "return:expired",
      when: "No unit of the return arrived within the client's rmaDays. A receipt reopens it.",
      sample: sampleOf("EXPIRED", 0),
    },
  ],
};
