let taken = 0;

/**
 * A mobile number that no other user of this test file has. Numbers are counted, so that every run of a test sees the same
 * ones: a search for some digits finds what it found yesterday. Each test file has a database of its own.
 */
export function nextMobileNumber(): string {
  taken += 1;
  return `+26378${String(taken).padStart(7, '0')}`;
}
