import { form, hidden, textField } from '../components/form.ts';
import { html } from '../components/html.ts';
import type { ConsolePage } from '../page.ts';
import { ownPath } from '../responses.ts';

/** Platform staff choose the company whose data the pages show. The API checks the choice in every request. */

export const actForPage: ConsolePage = {
  path: '/act-for',
  title: 'Act for a company',
  who: 'platform',
  menu: { section: 'Platform', label: 'Act for a company' },
  show: async ({ csrf, session, attempt, query }) => ({
    main: html`${form({
      action: '/console/act-for',
      csrf,
      className: 'form card',
      fields: html`${hidden('next', query.get('next') ?? '')}${textField({
        name: 'companyId',
        label: 'Company id',
        hint: 'All pages then show this company, and everything you do is recorded in its audit log. Empty: your own company.',
        value: attempt?.form.text('companyId') ?? query.get('companyId') ?? session.companyId,
        maxLength: 64,
      })}`,
      submit: 'Act for this company',
    })}`,
  }),
  async act({ apiFor, session }, posted) {
    const asked = posted.text('companyId');
    if (asked === '') return { to: '/', session: { ...session, companyId: session.homeCompanyId } };
    const company = await apiFor(asked).get('/v1/core/companies/me');
    return {
      to: ownPath(posted.text('next')) ?? '/',
      session: { ...session, companyId: company.id },
      flash: { tone: 'info', text: `You act for ${company.name}.` },
    };
  },
};
