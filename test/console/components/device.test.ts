import { expect, test } from '@jest/globals';
import { deviceText } from '../../../src/console/components/device.ts';
import { LANGUAGES } from '../../../src/console/language/languages.ts';
import { plainText } from '../../../src/console/language/message.ts';

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const MAC = 'Macintosh; Intel Mac OS X 10_15_7';

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`,
    'Edge 126 on Windows',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36`,
    'Chrome 126 on Windows',
  ],
  [
    `Mozilla/5.0 (${MAC}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 OPR/111.0.0.0`,
    'Opera 111 on macOS',
  ],
  [`Mozilla/5.0 (${MAC}) ${WEBKIT} Version/17.5 Safari/605.1.15`, 'Safari 17 on macOS'],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${WEBKIT} Version/17.5 Mobile/15E148 Safari/604.1`,
    'Safari 17 on iPhone',
  ],
  [
    `Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${WEBKIT} CriOS/126.0.0.0 Mobile/15E148 Safari/604.1`,
    'Chrome 126 on iPad',
  ],
  ['Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0', 'Firefox 127 on Android'],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
    'Samsung Internet 25 on Android',
  ],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36',
    'Chrome 126 on ChromeOS',
  ],
  ['Mozilla/5.0 (X11; FreeBSD amd64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox 128 on FreeBSD'],
  ['curl/8.5.0', 'curl 8.5.0'],
  ['node', 'node'],
  ['Mozilla/5.0 (of nobody)', 'Mozilla/5.0 (of nobody)'],
])('%s is %s', (userAgent, words) => {
  expect(plainText(deviceText(userAgent), LANGUAGES.en)).toBe(words);
});
