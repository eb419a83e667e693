import type { Context } from 'hono';
import type { Permission } from '../domain/roles.ts';
import type { ApiClient, ApiProblem } from './api-client.ts';
import type { Html } from './components/html.ts';
import type { Language } from './language/languages.ts';
import type { Message, Text } from './language/message.ts';
import type { Session, Tone } from './session/session.ts';

/** What a page of the console declares. All pages are in the table of pages/index.ts: routes, menu and access tests read it. */

export type ConsoleEnv = {
  Variables: {
    requestId: string;
    log: { readonly [Level in 'warn' | 'error']: (fields: object, text: string) => void };
    bankFileForm: FileForm;
  };
};

/** A form with a file of the bank, read by the API, which limits it. */
export type FileForm = {
  /** Of the file alone. */
  readonly maxBytes: number;
  /** Runs the request when the company may send a further file. Throws a refusal if that takes too long. */
  readonly inTurn: <T>(companyId: string, work: () => Promise<T>) => Promise<T>;
  /** Throws a refusal for a form that is too large or malformed. */
  readonly read: () => Promise<readonly (readonly [name: string, value: string | { readonly bytes: Uint8Array }])[]>;
};

export const MENU_SECTIONS = ['Work', 'Money', 'Company', 'Platform'] as const;
export type MenuSection = (typeof MENU_SECTIONS)[number];

export type ConsolePage = {
  /** Below `/console`, with Hono's parameters: `/escrows/:id`. */
  readonly path: `/${string}`;
  readonly title: Message;
  /** Who may open it. The API decides again in every operation that the page uses. */
  readonly who: Permission;
  readonly menu?: { readonly section: MenuSection; readonly label: Message };
  /** Answers GET. A `Response` is sent as it is: a file, a redirect, a fragment. */
  readonly show: (visit: Visit) => Promise<Screen | Response>;
  /**
   * Answers POST to the same path: a redirect, or a further screen, such as a review or a secret that is shown once. A problem of the
   * API that it throws is shown above the page, with what was typed.
   */
  readonly act?: (visit: Visit, form: Form) => Promise<FormResult | Screen | Response>;
  /** Production has no such page. */
  readonly isSandboxOnly?: boolean;
  /** Its form has passwords, which are never sent back to the browser. */
  readonly hasPasswords?: boolean;
  /** A page that scripts fetch by themselves. It does not count as activity of the administrator. */
  readonly isBackground?: boolean;
  /**
   * Of a page that answers a script while somebody fills in a form: what stands in the form if there is no answer. Such a page never
   * leads elsewhere, because that would throw the form away.
   */
  readonly inPlaceOfAnswer?: (why: Text) => Html;
  /** One of its forms has a file of the bank. The permission that sending it needs, which is checked before the file is read. */
  readonly takesBankFile?: Permission;
  /** Its form is about the administrator. It is carried out whatever company the pages show. */
  readonly isAboutReader?: boolean;
};

export type Screen = {
  /** Replaces the page's title, where it depends on what is shown. */
  readonly title?: Text;
  readonly main: Html;
  /** The pages above this one: [label, path below /console]. */
  readonly trail?: readonly (readonly [label: Text, path: string])[];
  /** Of the response; absent: 200, or that of the form's refusal. */
  readonly status?: number;
  /** Of an action: replaces the reader's session. */
  readonly session?: Session;
  /** Cannot be asked for again, so the frame has no links, searches and languages that lead away from it. */
  readonly isShownOnce?: boolean;
  /** Fragments for htmx are sent without the frame. */
  readonly isFragment?: boolean;
};

/** What follows a form that was carried out: a redirect to a page, which shows the message once. */
export type FormResult = {
  readonly to: string;
  readonly flash?: { readonly tone: Tone; readonly text: Text };
  readonly session?: Session;
};

export type Visit = {
  readonly c: Context<ConsoleEnv>;
  readonly session: Session;
  readonly api: ApiClient;
  /** The same session for another company. The API refuses it to everybody but platform staff. */
  readonly apiFor: (companyId: string) => ApiClient;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The hidden field `csrf` of every form that posts. It holds the form's idempotency key and language too. */
  readonly csrf: string;
  readonly now: Date;
  /** By the company's test clock, which escrows, disputes, links and withdrawals follow. The same as `now` in production. */
  readonly companyNow: Date;
  /** With the company's time zone. */
  readonly language: Language;
  /** Set where a form of this page was refused and is shown again. */
  readonly refused: RefusedForm | null;
  readonly settings: ConsoleSettings;
};

export type Form = {
  /** The value of a field as one trimmed line, because the API takes no line breaks; empty if it was not sent. */
  readonly text: (name: string) => string;
  /** The lines of a field that has several values, one in each. Empty lines are left out. */
  readonly lines: (name: string) => readonly string[];
  /** All values of a field with several. */
  readonly all: (name: string) => readonly string[];
  readonly fields: URLSearchParams;
  /** Null: the form has none, or none was chosen. */
  readonly file: Uint8Array | null;
  /** Throws: shows the page again with this sentence, with status 422. For mistakes that the page itself finds. */
  readonly refuse: (field: string, message: Message) => never;
  /** Made when the form was first shown, so that a form that is sent twice, or shown again and sent again, acts once. */
  readonly idempotencyKey: string;
  /** In which the form was shown and amounts were typed, whatever the reader has chosen since. */
  readonly language: Language;
};

export type RefusedForm = { readonly problem: ApiProblem; readonly form: Form };

export type ConsoleSettings = {
  readonly version: string;
  readonly isProduction: boolean;
  /** Of what the bank received. Otherwise owners record it too. */
  readonly mayOnlyPlatformCapture: boolean;
  /** Null: unknown. */
  readonly temporalUiUrl: string | null;
  readonly temporalNamespace: string;
  /** Of one export. */
  readonly maxExportedRows: number;
};
