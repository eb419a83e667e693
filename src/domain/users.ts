import type { InstitutionId } from './ids.ts';

export const IDENTITY_STATUSES = ['CLEAR', 'BLACKLISTED'] as const;
export type IdentityStatus = (typeof IDENTITY_STATUSES)[number];

/** The bank account to which a user is paid. */
export type BankAccount = {
  readonly institutionId: InstitutionId;
  readonly accountNumber: string;
  readonly accountName: string | null;
  readonly branchName: string | null;
  readonly branchCode: string | null;
};

/** 1: registered. 2: verified by a person. */
export const KYC_REGISTERED = 1;
export const KYC_VERIFIED = 2;

/** The status in the list for administrators. */
export const KYC_STATUSES = ['PENDING', 'APPROVED', 'BLACKLISTED'] as const;
export type KycStatus = (typeof KYC_STATUSES)[number];

export function kycStatusOf(user: { readonly identityStatus: IdentityStatus; readonly kycLevel: number }): KycStatus {
  if (user.identityStatus === 'BLACKLISTED') return 'BLACKLISTED';
  return user.kycLevel >= KYC_VERIFIED ? 'APPROVED' : 'PENDING';
}

/** The data that an approval covers. */
export const IDENTITY_EVIDENCE = ['ID_NUMBER', 'DOCUMENT'] as const;
export type IdentityEvidence = (typeof IDENTITY_EVIDENCE)[number];

type Approval = { readonly kycLevel: number; readonly changedSinceApproval: readonly IdentityEvidence[] };

/** The approval after `evidence` was changed: it is withdrawn, and the reason is kept until a person has checked again. */
export function withChangedEvidence(
  { kycLevel, changedSinceApproval }: Approval,
  evidence: IdentityEvidence,
): { kycLevel: number; changedSinceApproval: IdentityEvidence[] } {
  const wasApproved = kycLevel >= KYC_VERIFIED || changedSinceApproval.length > 0;
  const changed = IDENTITY_EVIDENCE.filter((one) => one === evidence || changedSinceApproval.includes(one));
  return { kycLevel: Math.min(kycLevel, KYC_REGISTERED), changedSinceApproval: wasApproved ? changed : [] };
}

type PersonName = { readonly firstName: string | null; readonly lastName: string | null };

/** First name and initial: enough for the buyer to recognise their own name, and too little to identify them to others. */
export function discreetName({ firstName, lastName }: PersonName): string | null {
  if (firstName === null) return lastName === null ? null : `${lastName.charAt(0)}.`;
  return lastName === null ? firstName : `${firstName} ${lastName.charAt(0)}.`;
}
