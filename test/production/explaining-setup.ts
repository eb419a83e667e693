import { linkSync } from 'node:fs';
import { addressFor, SUPERUSER, withClient } from '../../src/sandbox/stack/postgres-client.ts';
import globalSetup from '../support/global-setup.ts';
import { servers } from '../support/servers.ts';

/** The servers of a test run, with a PostgreSQL that writes the plan of every statement into its log. */

/** The file in which the log survives the run. */
export const PLANS_FILE = 'plans.log';

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
};

export default async function explainingSetup(): Promise<void> {
  await globalSetup();
  const { ownerUrl, superuserPassword: password, postgresLogFile } = servers();
  await withClient(addressFor(ownerUrl, { user: SUPERUSER, password }), async (client) => {
    await client.query("load 'auto_explain'");
    for (const [name, value] of Object.entries(SETTINGS)) await client.query(`alter system set ${name} = '${value}'`);
    await client.query('select pg_reload_conf()');
  });
  linkSync(postgresLogFile, PLANS_FILE);
}
