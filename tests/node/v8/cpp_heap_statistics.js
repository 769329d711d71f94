'use strict';
// v8.getCppHeapStatistics(): its shape; the figures depend on the program.
const v8 = require('node:v8');

const shapeOf = (value) => {
  if (Array.isArray(value)) return 'list';
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, shapeOf(entry)]));
};

const brief = v8.getCppHeapStatistics('brief');
console.log(shapeOf(brief), brief.detail_level, brief.space_statistics, brief.type_names);
const detailed = v8.getCppHeapStatistics();
console.log(shapeOf(detailed), detailed.detail_level);
console.log(shapeOf(detailed.space_statistics[0]));
console.log(detailed.space_statistics.map(({ name }) => name).join());
for (const { page_stats: pages, committed_size_bytes: committed, used_size_bytes: used } of detailed.space_statistics) {
  console.log(used <= committed, pages.every((page) => typeof shapeOf(page) === 'object' && page.used_size_bytes <= page.committed_size_bytes));
}
for (const type of ['other', null, 1, 'BRIEF']) {
  try {
    v8.getCppHeapStatistics(type);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
console.log(Object.keys(v8));
