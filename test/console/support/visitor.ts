import { newAdministrator } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import type { TestCompany, TestService } from '../../support/service.ts';

/** A browser without JavaScript and without a screen: cookies, links and forms. */

export type Page = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The address to which the response redirects, if the visitor did not follow it. */
  readonly location: string | null;
};

export type Visitor = {
  readonly service: TestService;
  /** `name=value` of the session's cookie; empty before the login. */
  cookie: string;
  /** The cookie of a language that the visitor chose. */
  language: string;
  get(path: string, headers?: Record<string, string>): Promise<Page>;
  /** Sends a form as it is, to `/console` and `path`. Repeats what is answered 503: the form's token makes it one command. */
  send(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Page>;
  /** Sends it once, for tests of outages. */
  sendOnce(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Page>;
  /** Sends a form with a file. */
  sendForm(path: string, form: FormData): Promise<Page>;
  /** Opens `path`, and sends its form with the hidden fields that the page has. */
  submit(path: string, fields?: Record<string, string>): Promise<Page>;
  logIn(credentials: { readonly email: string; readonly password: string }): Promise<Page>;
};

export function newVisitor(service: TestService): Visitor {
  const visitor: Visitor = {
    service,
    cookie: '',
    language: '',
    get: (path, headers = {}) => go(path, { headers }),
    send: (path, fields, headers) =>
      eventually(async () => {
        const page = await visitor.sendOnce(path, fields, headers);
        return page.status !== 503 && page;
      }),
    sendOnce: (path, fields, headers = {}) =>
      go(path, {
        method: 'POST',
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
    sendForm: (path, form) => go(path, { method: 'POST', body: form, headers: {} }),
    async submit(path, fields = {}) {
      const page = await visitor.get(path);
      return visitor.send(path.replace(/\?.*/, ''), { ...hiddenFields(page.text, path), ...fields });
    },
    logIn: ({ email, password }) => visitor.send('/login', { email, password }),
  };
  async function go(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Page> {
    const cookie = [visitor.cookie, visitor.language].filter((one) => one !== '').join('; ');
    const headers = { ...(cookie === '' ? {} : { cookie }), ...init.headers };
    const answer = await fetch(`${service.url}/console${path}`, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      if (pair.startsWith('console_language=')) visitor.language = pair;
      else visitor.cookie = /max-age=0/i.test(line) ? '' : pair;
    }
    return {
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
      location: answer.headers.get('location'),
    };
  }
  return visitor;
}

/** The hidden fields of the form that posts to `path` and contains `marker`, else of the first form with a token. */
export function hiddenFields(text: string, path = '', marker = ''): Record<string, string> {
  const forms = [...text.matchAll(/<form[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => form);
  const target = `action="/console${path.replace(/\?.*/, '')}"`;
  const form =
    forms.find((one) => one.includes(target) && one.includes(marker)) ??
    forms.find((one) => one.includes('name="csrf"')) ??
    '';
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, unescaped(value)]));
}

const tokens = new WeakMap<Visitor, Promise<Record<string, string>>>();

/** A token of the visitor's session, read once. Only for forms that are refused: carried out, one token is one command. */
export function tokenOf(visitor: Visitor): Promise<Record<string, string>> {
  const read = async () => hiddenFields((await visitor.get('/password')).text, '/password');
  const token = tokens.get(visitor) ?? read();
  tokens.set(visitor, token);
  return token;
}

/** What a browser would send of the form that posts to `path` and contains `marker`, with nothing typed. */
export function shownForm(text: string, path: string, marker: string): Record<string, string> {
  const forms = [...text.matchAll(/<form[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => form);
  const form = forms.find((one) => one.includes(`action="/console${path}`) && one.includes(marker));
  if (form === undefined) throw new Error(`the page has no form to ${path} with ${marker}`);
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1];
    const isUnchecked = /type="(checkbox|radio)"/.test(tag) && !/ checked/.test(tag);
    if (name !== undefined && !isUnchecked) fields[unescaped(name)] = unescaped(/value="([^"]*)"/.exec(tag)?.[1] ?? '');
  }
  for (const [, name = '', value = ''] of form.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*>([^<]*)<\/textarea>/g))
    fields[name] = unescaped(value);
  for (const [, name = '', options = ''] of form.matchAll(/<select[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g))
    fields[name] = unescaped(/value="([^"]*)" selected/.exec(options)?.[1] ?? '');
  return fields;
}

function unescaped(text: string): string {
  return text
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}

/** A visitor who is logged in with a role of the company. */
export async function visitorAs(
  service: TestService,
  company: TestCompany,
  role: 'owner' | 'admin' | 'manager',
): Promise<Visitor> {
  const visitor = newVisitor(service);
  const person = role === 'owner' ? company.owner : await newAdministrator(service, company, role);
  const { status } = await visitor.logIn(person);
  if (status !== 303) throw new Error(`the login was answered ${status}`);
  return visitor;
}
