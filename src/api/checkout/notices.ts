import { ENGLISH, type Texts } from './texts/english.ts';

/** The buyer's last action on the page, and the message about it. */

export const METHODS = ['card', 'mobile', 'balance'] as const;
export type Method = (typeof METHODS)[number];

export type Notice = keyof Texts['notices'];

export function isNotice(word: string | undefined): word is Notice {
  return word !== undefined && Object.hasOwn(ENGLISH.notices, word);
}

/** All notices but one say what went wrong. */
export function isError(notice: Notice): boolean {
  return notice !== 'code_sent';
}

/** The buyer's last action: the chosen way to pay, and the result. */
export type LastAttempt = {
  readonly method: Method | null;
  readonly notice: Notice | null;
  /** The value of the refused field. */
  readonly typed?: string;
  /** The path from this page to the start of the checkout: '../' where the page is the answer to a form. */
  readonly root?: '' | '../';
};
