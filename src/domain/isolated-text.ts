/** A text with one of these can change the order of the text around it: right-to-left letters, and direction marks. */
const TURNS = /[\p{Bidi_Control}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';
const ISOLATES = /[\u2066-\u2069]/g;

/**
 * Isolates a stored text, so that its right-to-left letters and direction marks cannot reorder its neighbours, such as an amount.
 * Adds Unicode's isolate marks, which are invisible, only where they are needed. Do not use it for form values, because the
 * browser sends the marks back. Source: Unicode Standard Annex 9, section 2.6.
 */
export function isolated(text: string): string {
  return TURNS.test(text) ? text.split('\n').map(isolatedLine).join('\n') : text;
}

function isolatedLine(line: string): string {
  let open = 0;
  const balanced = line.replace(ISOLATES, (mark) => {
    if (mark === POP_ISOLATE && open === 0) return ''; // would end the isolate around the line
    open += mark === POP_ISOLATE ? -1 : 1;
    return mark;
  });
  return FIRST_STRONG_ISOLATE + balanced + POP_ISOLATE.repeat(open + 1);
}
