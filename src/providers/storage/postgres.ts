import type { MikroORM } from '@mikro-orm/postgresql';
import { executeBound } from '../../db/core/bound.ts';
import { inTenant } from '../../db/core/orm.ts';
import { Places } from '../../turns/places.ts';
import type { DocumentKey, DocumentStorage } from './port.ts';

/** Smaller pieces take more statements, and leave more memory for V8 to free. */
const CHUNK_BYTES = 524_288;
/** Chunks that are read at once, for all clients: fewer than the connections, which other requests need. */
const READS_AT_ONCE = 2;

/** Documents in the database, behind its row-level security: no further service is needed, and one backup contains everything. */
export function createPostgresStorage(orm: MikroORM): DocumentStorage {
  const places = new Places(READS_AT_ONCE);
  const read = (key: DocumentKey, seq: number) => places.hold(() => chunk(orm, key, seq));
  return {
    async put({ companyId, documentId }, bytes) {
      await inTenant(orm, companyId, async (em) => {
        for (let seq = 0; seq * CHUNK_BYTES < bytes.length; seq += 1) {
          const content = viewOf(bytes.subarray(seq * CHUNK_BYTES, (seq + 1) * CHUNK_BYTES));
          await executeBound(
            em,
            'insert into document_chunk (document_id, seq, company_id, content) values (?, ?, ?, ?)',
            [documentId, String(seq), companyId, content],
          );
        }
      });
    },
    async get(key) {
      const first = await read(key, 0);
      return first === null ? null : stream(first, (seq) => read(key, seq));
    },
    async remove({ companyId, documentId }) {
      await inTenant(orm, companyId, (em) =>
        em.execute('delete from document_chunk where company_id = ? and document_id = ?', [companyId, documentId]),
      );
    },
  };
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Reads one chunk at a time, each in its own transaction: a slow reader holds no connection and little memory. */
function stream(first: Uint8Array, read: (seq: number) => Promise<Uint8Array | null>): ReadableStream<Uint8Array> {
  let seq = 0;
  return new ReadableStream({
    async pull(controller) {
      const content = seq === 0 ? first : await read(seq);
      seq += 1;
      if (content === null) controller.close();
      else controller.enqueue(content);
    },
  });
}

async function chunk(orm: MikroORM, { companyId, documentId }: DocumentKey, seq: number): Promise<Uint8Array | null> {
  const [row] = await inTenant(orm, companyId, (em) =>
    em.execute<{ content: Buffer }[]>(
      'select content from document_chunk where company_id = ? and document_id = ? and seq = ?',
      [companyId, documentId, seq],
    ),
  );
  return row?.content ?? null;
}
