import Type from "typebox";

const bucket = (what: string) => Type.Number({ description: `${what}.`, examples: [0] });

/** The state of an order after a report on it. */
export const orderFields = {
  orderId: Type.String({ description: "The order.", examples: ["WEB-100045"] }),
  status: Type.String({ description: "State of the order after the report.", examples: ["PICKING"] }),
  lines: Type.Array(
    Type.Object(
      {
        lineNumber: Type.Integer({ description: "Number of the line.", examples: [1] }),
        status: Type.String({ description: "State of the line.", examples: ["PICKING"] }),
        qtyOrdered: bucket("Ordered"),
        qtyOpen: bucket("Not yet allocated or back-ordered"),
        qtyBackordered: bucket("Waiting for stock"),
        qtyAllocated: bucket("Reserved"),
        qtyPicked: bucket("Picked"),
        qtyPacked: bucket("Packed"),
        qtyDespatched: bucket("Gone out"),
        qtyCancelled: bucket("Cancelled"),
      },
      { additionalProperties: true },
    ),
    { description: "The lines after the report." },
  ),
};
