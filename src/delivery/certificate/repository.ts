import type { CertificateContent } from "#/delivery/certificate/contract.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

export function storeCertificate(tx: ClientTransaction, content: CertificateContent): void {
  tx.send(sql`insert into certificate as c (client_id, issued_at, content)
      values (${tenant}, ${content.issuedAt}::timestamptz, ${JSON.stringify(content)}::json)
      on conflict (client_id) do update set issued_at = excluded.issued_at, content = excluded.content
      where c.issued_at <= excluded.issued_at
      returning c.issued_at`);
}

export async function findCertificate(tx: ClientTx): Promise<CertificateContent | undefined> {
  const rows = await tx.query<{ content: CertificateContent }>(
    sql`select c.content from certificate c where c.client_id = ${tenant} limit 1`,
  );
  return rows[0]?.content;
}
