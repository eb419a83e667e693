/**
 * Our reference at the gateway, which requires 8 to 16 alphanumerics: the end of the attempt's UUIDv7, which is its random
 * part.
 */
export function merchantReferenceOf(attemptId: string): string {
  return attemptId.replaceAll('-', '').slice(-16);
}
