import type { Company } from '../../db/entities/tenancy.ts';

/** Who issues a PDF file: the company's name, its address, and its numbers, each on a line of its own. */
export type Letterhead = { readonly name: string; readonly lines: readonly string[] };

type CompanyNumbers = {
  readonly address?: string | null | undefined;
  readonly taxNumber?: string | null | undefined;
  readonly registrationNumber?: string | null | undefined;
};

type Titles = { readonly tax: string; readonly registration: string };
const ENGLISH: Titles = { tax: 'Tax no.', registration: 'Registration no.' };

export function letterheadOf(company: Pick<Company, 'name'> & CompanyNumbers): Letterhead {
  return { name: company.name, lines: letterheadLines(company) };
}

export function letterheadLines(
  { address, taxNumber, registrationNumber }: CompanyNumbers,
  titles = ENGLISH,
): string[] {
  return [
    ...(address == null ? [] : [address]),
    ...(taxNumber == null ? [] : [`${titles.tax} ${taxNumber}`]),
    ...(registrationNumber == null ? [] : [`${titles.registration} ${registrationNumber}`]),
  ];
}
