/** Ours at the gateway, where 8 to 16 alphanumerics are taken: the end of an attempt's UUIDv7, which is its random part. */
export function merchantReferenceOf(attemptId: string): string {
  return attemptId.replaceAll('-', '').slice(-16);
}
