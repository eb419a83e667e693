import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createWebhookSender, isAllowedAddress, refusalOfUrl } from '../../src/providers/webhooks.ts';

const PRODUCTION = { isProduction: true };
const DEVELOPMENT = { isProduction: false };

describe('an address', () => {
  test.each([
    ['this network', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['private', '10.255.255.255'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.254'],
    ['private', '192.168.1.1'],
    ['shared by carriers', '100.64.0.1'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['link-local, the metadata of clouds', '169.254.169.254'],
    ['link-local', '169.254.0.1'],
    ['of protocols', '192.0.0.1'],
    ['of documentation', '192.0.2.1'],
    ['of documentation', '198.51.100.7'],
    ['of documentation', '203.0.113.9'],
    ['of benchmarks', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['multicast', '239.255.255.250'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped metadata', '::ffff:169.254.169.254'],
    ['mapped private, in hex', '::ffff:0a00:0001'],
    ['mapped public', '::ffff:93.184.216.34'],
    ['IPv4-compatible loopback', '::127.0.0.1'],
    ['IPv4-compatible private, in hex', '::a00:1'],
    ['IPv4-compatible public, in hex', '::808:808'],
    ['translated to IPv4 (SIIT) private', '::ffff:0:a00:1'],
    ['translated (NAT64) private, in hex', '64:ff9b::a00:1'],
    ['translated (NAT64) private', '64:ff9b::10.0.0.1'],
    ['translated (local NAT64)', '64:ff9b:1::1'],
    ['6to4 of a private address', '2002:0a00:0001::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['unique local', 'fc00::1'],
    ['unique local, metadata of clouds', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['of documentation', '2001:db8::1'],
    ['discarded', '100::1'],
    ['no address', 'localhost'],
  ])('that is %s is refused in production: %s', (_what, address) => {
    expect(isAllowedAddress(address, PRODUCTION)).toBe(false);
  });

  test.each([
    '93.184.216.34',
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
  ])('of the internet is allowed: %s', (address) => {
    expect(isAllowedAddress(address, PRODUCTION)).toBe(true);
  });

  test('of the loopback is allowed in development, and no other internal address', () => {
    expect(
      ['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254'].map((one) => isAllowedAddress(one, DEVELOPMENT)),
    ).toEqual([...[true, true], ...[false, false]]);
  });
});

describe('a URL', () => {
  test.each([
    ['http', 'http://shop.example/hook'],
    ['another scheme', 'ftp://shop.example/hook'],
    ['another port', 'https://shop.example:5432/hook'],
    ['credentials', 'https://me:secret@shop.example/hook'],
    ['a fragment', 'https://shop.example/hook#top'],
    ['no host', 'https:///'],
    ['an internal address', 'https://10.0.0.1/hook'],
    ['an internal address in decimal', 'https://2130706433/hook'],
    ['an internal address in hex', 'https://0x7f000001/hook'],
    ['an internal address in octal', 'https://0177.0.0.1/hook'],
    ['a short internal address', 'https://127.1/hook'],
    ['a mapped address', 'https://[::ffff:127.0.0.1]/hook'],
    ['an IPv4-compatible address', 'https://[::10.0.0.1]/hook'],
    ['an IPv4-compatible address of metadata', 'https://[::169.254.169.254]/hook'],
    ['a NAT64 address', 'https://[64:ff9b::10.0.0.1]/hook'],
    ['a 6to4 address', 'https://[2002:a00:1::]/hook'],
    ['no URL', 'shop'],
  ])('with %s is refused in production: %s', (_what, url) => {
    expect(refusalOfUrl(url, PRODUCTION)).toMatch(/^must/);
  });

  test.each(['https://shop.example/hook', 'https://shop.example:8443/', 'https://93.184.216.34/hook?x=1'])(
    'is allowed in production: %s',
    (url) => {
      expect(refusalOfUrl(url, PRODUCTION)).toBeNull();
    },
  );
});

describe('the sender', () => {
  let port: number;
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(request.url ?? '');
    if (request.url === '/redirect') response.writeHead(302, { location: '/inside' }).end();
    else if (request.url === '/long') response.end('x'.repeat(1_000_000));
    else if (request.url !== '/silent') response.end('thanks');
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port; // it listens on TCP
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const message = (url: string, timeoutMs = 5_000) => ({
    url,
    secrets: [],
    message: { id: 'evt_1' },
    timeoutMs,
  });

  test('connects to the address that it checked, even if the name server then answers with another one', async () => {
    let answers = 0;
    const rebinding = createWebhookSender({
      isProduction: false,
      resolve: (_name, _options, callback) => {
        answers += 1;
        callback(null, [{ address: answers === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]);
      },
    });
    expect(await rebinding.send(message(`http://shop.example:${port}/first`))).toMatchObject({
      status: 200,
      answer: 'thanks',
    });
    expect(answers).toBe(1);
    await rebinding.close();
  });

  test.each([
    ['an internal address', [{ address: '10.0.0.1', family: 4 }]],
    [
      'an internal address besides a public one',
      [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    ],
    ['no address', []],
  ])('refuses a name that resolves to %s, at registration and at the connection', async (_what, addresses) => {
    const sender = createWebhookSender({
      isProduction: true,
      resolve: (_name, _options, done) => done(null, addresses),
    });
    const reason = 'the name leads to an internal address';
    expect(await sender.refusalOf('https://shop.example/hook')).toBe(`cannot be used: ${reason}`);
    expect(await sender.send(message('https://shop.example/hook'))).toMatchObject({ status: null, error: reason });
    await sender.close();
  });

  test('follows no redirect, keeps 2 KiB of an answer, and stops waiting at its limit', async () => {
    const sender = createWebhookSender({ isProduction: false });
    const at = (path: string) => `http://127.0.0.1:${port}${path}`;
    expect(await sender.send(message(at('/redirect')))).toMatchObject({ status: 302 });
    expect(hits).not.toContain('/inside');
    const { answer } = await sender.send(message(at('/long')));
    expect(answer?.length).toBe(2_048);
    expect(await sender.send(message(at('/silent'), 200))).toMatchObject({ status: null, error: 'no answer in time' });
    expect(await sender.send(message('http://127.0.0.1:1/'))).toMatchObject({ error: 'the connection was refused' });
    await sender.close();
  });
});
