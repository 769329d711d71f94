// Argument: the folder with the modules (the runner writes them).
import { pathToFileURL } from 'node:url';
import { begin } from './measure.js';

const n = 1000;
const url = pathToFileURL(`${process.argv[2]}/all.mjs`).href;
const end = begin(n);
const { sum } = await import(url);
end();
if (sum !== (n * (n - 1)) / 2) throw new Error(`sum ${sum}`);
