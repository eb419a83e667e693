let taken = 0;

/** A mobile number that no other user of the service has. Numbers are consecutive, so that searches for digits find the same ones. */
export function nextMobileNumber(): string {
  taken += 1;
  return `+26378${String(taken).padStart(7, '0')}`;
}

/** Continues after `count` numbers, in a database that others have filled. */
export function startMobileNumbersAt(count: number): void {
  taken = Math.max(taken, count);
}
