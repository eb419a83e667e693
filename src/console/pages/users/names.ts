import { badge } from '../../components/badge.ts';
import { t } from '../../language/message.ts';

/** How users are named, and how far their identity is known. */

type Named = {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly mobileNumber: string | null;
};

export function nameOf({ firstName, lastName, mobileNumber }: Named): string {
  const name = [firstName, lastName].filter((part) => part !== null).join(' ');
  return name === '' ? (mobileNumber ?? '–') : name; // an erased person has neither
}

export const kycBadge = (level: number) =>
  level >= 2 ? badge(t('Verified'), 'good') : badge(t('Level {level}', { level }), 'quiet');
