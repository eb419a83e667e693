import type { EntityManager } from '@mikro-orm/postgresql';
import type { Party } from '../../domain/escrow/escrow.ts';
import type { CommandId, CompanyId, DocumentId, EscrowId } from '../../domain/ids.ts';

/** Files that parties sent about an escrow, on their order pages. */

export type OrderFile = {
  readonly id: DocumentId;
  readonly commandId: CommandId;
  readonly party: Party;
  readonly mediaType: string;
  readonly byteCount: number;
  /** Of the file as it was sent, in hex. */
  readonly sha256: string;
  readonly createdAt: Date;
};

/** Far more than parties may send. */
const MAX_FILES = 1_000;
/** What one party may send about an escrow. */
export const MAX_PARTY_FILES = 50;

export type FileRow = Omit<OrderFile, 'createdAt'> & { readonly createdAt: Date | string };

/** The statement of the files that were sent about an escrow, oldest first. */
export const ORDER_FILES = `select d.id, d.command_id as "commandId", d.party, d.media_type as "mediaType", d.byte_count as "byteCount",
       encode(d.sha256, 'hex') as sha256, d.created_at as "createdAt"
     from document d where d.company_id = ? and d.escrow_id = ? and is_file_sent(d.*) order by d.created_at, d.id limit ${MAX_FILES}`;

export async function findOrderFiles(
  em: EntityManager,
  companyId: CompanyId,
  escrowId: EscrowId,
): Promise<OrderFile[]> {
  return orderFilesOf(await em.execute<FileRow[]>(ORDER_FILES, [companyId, escrowId]));
}

export function orderFilesOf(rows: readonly FileRow[]): OrderFile[] {
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }));
}

export async function countOrderFiles(
  em: EntityManager,
  companyId: CompanyId,
  { escrowId, party }: { readonly escrowId: EscrowId; readonly party: Party },
): Promise<number> {
  const [row] = await em.execute<{ files: number }[]>(
    'select count(*)::integer as files from document where company_id = ? and escrow_id = ? and party = ?',
    [companyId, escrowId, party],
  );
  return row?.files ?? 0;
}

/** Stores the row of a file once. Returns false if it is there already. */
export async function addOrderFile(
  em: EntityManager,
  file: {
    readonly id: DocumentId;
    readonly companyId: CompanyId;
    readonly escrowId: EscrowId;
    readonly commandId: CommandId;
    readonly party: Party;
    readonly mediaType: string;
    readonly byteCount: number;
    readonly sha256: Buffer;
  },
): Promise<boolean> {
  const { id, companyId, escrowId, commandId, party, mediaType, byteCount, sha256 } = file;
  const added = await em.execute<unknown[]>(
    `insert into document (id, company_id, media_type, byte_count, sha256, escrow_id, command_id, party, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, company_now(?)) on conflict (company_id, id) do nothing returning id`,
    [id, companyId, mediaType, byteCount, sha256, escrowId, commandId, party, companyId],
  );
  return added.length > 0;
}
