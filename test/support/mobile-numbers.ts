let taken = 0;

/**
 * A mobile number that no other user of this test file has. Numbers are consecutive, so that every run of a test has the same
 * ones, and a search for digits has the same result. Each test file has a separate database.
 */
export function nextMobileNumber(): string {
  taken += 1;
  return `+26378${String(taken).padStart(7, '0')}`;
}

/** Continues after `count` numbers, in a database that an earlier run filled. */
export function skipMobileNumbers(count: number): void {
  taken = Math.max(taken, count);
}
