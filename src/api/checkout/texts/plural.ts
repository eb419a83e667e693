type Forms = { readonly one: string; readonly other: string };

/** Returns a function that puts a number before the form of a noun that goes with it in the language: `1 day`, `2 days`. */
export function counter(language: string, { one, other }: Forms): (count: number) => string {
  const rules = new Intl.PluralRules(language);
  return (count) => `${count} ${rules.select(count) === 'one' ? one : other}`;
}
