import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MIGRATIONS_FOLDER } from '../../../src/db/migrations/index.ts';
import { changesOfReleased, freeze, releasesOf } from '../../support/released-schema.ts';

test('the migrations of every release are as they were, and new ones follow them', () => {
  expect(changesOfReleased(MIGRATIONS_FOLDER)).toEqual([]);
});

describe('after a release', () => {
  let folder: URL;
  const write = (name: string, sql: string) => writeFileSync(new URL(`${name}.sql`, folder), sql);

  beforeEach(() => {
    folder = pathToFileURL(`${mkdtempSync(join(tmpdir(), 'escrow-migrations-'))}/`);
    write('010-first', 'select 1');
    write('020-second', 'select 2');
    freeze(folder, '1.0.0-rc.1');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('a file at the end may be added, and the next release freezes it alone', () => {
    write('030-third', 'select 3');
    expect(changesOfReleased(folder)).toEqual([]);
    freeze(folder, '1.0.0');
    expect(releasesOf(folder).map(({ migrations }) => Object.keys(migrations))).toEqual([
      ['010-first', '020-second'],
      ['030-third'],
    ]);
    write('030-third', 'select 4');
    expect(changesOfReleased(folder)).toEqual(['030-third has changed']);
  });

  test.each([
    ['a changed file', () => write('010-first', 'select 0'), '010-first has changed'],
    ['a missing file', () => rmSync(new URL('020-second.sql', folder)), '020-second is gone'],
    [
      'a file among them',
      () => write('015-between', 'select 3'),
      '015-between is new, and would run before 020-second',
    ],
  ])('%s is named, and no release can be made of it', (_what, change, complaint) => {
    change();
    expect(changesOfReleased(folder)).toEqual([complaint]);
    expect(() => freeze(folder, '1.0.0')).toThrow(complaint);
  });
});
