import { type Message, t } from '../language/message.ts';

/**
 * A browser in words, from its User-Agent header. Browsers have frozen these texts, so a short table names the common ones and a library
 * would add little. A text that it does not know is shown as it is.
 */

/** The first that fits: most browsers name others too, which they can stand in for. */
const BROWSERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\b(?:OPR|OPT)\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Vivaldi', /\bVivaldi\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* .*\bSafari\//],
];
const SYSTEMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMacintosh\b/],
  ['FreeBSD', /\bFreeBSD\b/],
  ['OpenBSD', /\bOpenBSD\b/],
  ['NetBSD', /\bNetBSD\b/],
  ['Linux', /\bLinux\b/],
];
/** A program's own name: `curl/8.5.0`. */
const PROGRAM = /^([\w.-]+)\/(\d[\w.]*)/;

export function deviceText(userAgent: string): Message | string {
  const browser = BROWSERS.map(([name, pattern]) => ({ name, version: pattern.exec(userAgent)?.[1] })).find(
    ({ version }) => version !== undefined,
  );
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  if (browser !== undefined) {
    const values = { browser: `${browser.name} ${browser.version}`, system: system ?? '' };
    return system === undefined ? values.browser : t('{browser} on {system}', values);
  }
  const [, program, version] = PROGRAM.exec(userAgent) ?? [];
  return program === undefined || program === 'Mozilla' ? userAgent : `${program} ${version}`;
}
