#!/usr/bin/env node
import { main } from './command-line.ts';

await main(process.argv.slice(2));
