export const IDENTITY_STATUSES = ['CLEAR', 'BLACKLISTED'] as const;
export type IdentityStatus = (typeof IDENTITY_STATUSES)[number];

/** 1: registered. 2: verified by a person. */
export const KYC_REGISTERED = 1;
export const KYC_VERIFIED = 2;
