import { t } from '../../language/message.ts';
import type { ConsolePage } from '../../page.ts';
import { strangersFile } from '../../responses.ts';

/** A file that buyer or seller sent on the order page. */
export const filePage: ConsolePage = {
  path: '/escrows/:id/files/:fileId',
  title: t('File'),
  who: 'read',
  isBackground: true,
  show: async ({ api, params: { id = '', fileId = '' } }) =>
    strangersFile(await api.download('/v1/escrow/{id}/files/{fileId}', '*/*', { path: { id, fileId } }), false),
};
