import { lockTransfers, writeTransfers } from "#/modules/transfers/repository.ts";
import { type Transfer, transferEvent } from "#/modules/transfers/transfer.ts";
import { recordAudits } from "#/store/db/audit.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

/** The state of a transfer in the receiving facility; quantities in integer thousandths. */
export interface TransferReceipt {
  readonly transferId: string;
  readonly status: "OPEN" | "RECEIVING" | "RECEIVED" | "CLOSED" | "CANCELLED";
  readonly lines: readonly { readonly lineNumber: number; readonly received: number; readonly damaged: number }[];
}

/** Brings transfers up to date with what was received of them, in the transaction of the receipt or the close. */
export async function settleReceipts(tx: UnitOfWork, receipts: readonly TransferReceipt[]): Promise<EventDraft[]> {
  if (receipts.length === 0) return [];
  const receiptOf = new Map(receipts.map((receipt) => [receipt.transferId, receipt]));
  const locked = await lockTransfers(tx, [...receiptOf.keys()]);
  const settled = locked.map((before): Transfer => {
    const { status, lines = [] } = receiptOf.get(before.transferId) ?? {};
    const sums = new Map(lines.map((line) => [line.lineNumber, line]));
    return {
      ...before,
      status: status === "OPEN" || status === undefined ? "SHIPPED" : status,
      updatedAt: tx.change.at,
      version: before.version + 1,
      lines: before.lines.map((line) => {
        const { received, damaged } = sums.get(line.lineNumber) ?? line;
        return { ...line, received, damaged };
      }),
    };
  });
  writeTransfers(tx, settled);
  recordAudits(
    tx,
    settled.map(({ transferId, status }) => ({
      action: "receive",
      objectType: "transfer",
      objectId: transferId,
      detail: { status },
    })),
  );
  return settled.map((transfer) =>
    transferEvent(tx.clientId, transfer.status === "CLOSED" ? "transfer:closed" : "transfer:received", transfer),
  );
}
