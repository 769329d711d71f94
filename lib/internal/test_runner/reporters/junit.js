'use strict';
// XML, as JUnit writes it.

const { inspectSafely } = require('internal/test_runner/reporters/inspect_safely');

function escapeText(text = '') {
  return text.replace(/&(?!#\d{1,7};)/g, '&amp;').replace(/</g, '&lt;');
}

function escapeAttribute(text) {
  return escapeText(text.replace(/\n/g, '&#10;').replace(/"/g, '&quot;'));
}

// A node is a text, { comment, nesting }, or { tag, attributes, nesting, children }.
function toXml(node) {
  if (typeof node === 'string') return `${escapeText(node)}\n`;
  const { attributes, children, comment, tag } = node;
  const margin = '\t'.repeat(node.nesting + 1);
  if (comment) return `${margin}<!-- ${comment.replace(/--/g, '&#45;&#45;')} -->\n`;
  const pairs = Object.entries(attributes)
    .map(([name, value]) => `${name}="${escapeAttribute(String(value))}"`).join(' ');
  if (!children?.length) return `${margin}<${tag} ${pairs}/>\n`;
  return `${margin}<${tag} ${pairs}>\n${children.map(toXml).join('')}${margin}</${tag}>\n`;
}

function holds(tag) {
  return ({ children }) => children?.some((child) => child.tag === tag);
}

function isFailed(node) {
  return holds('failure')(node) || node.attributes?.failures;
}

function isSkipped(node) {
  return holds('skipped')(node) || node.attributes?.skipped;
}

function completeSuite({ attributes, children }, tests, { details }) {
  Object.assign(attributes, {
    disabled: 0,
    errors: 0,
    tests: tests.length,
    failures: children.filter(isFailed).length,
    skipped: children.filter(isSkipped).length,
    timestamp: new Date(Date.now() - details.duration_ms).toISOString(),
    hostname: require('os').hostname(),
  });
}

function completeCase({ attributes, children }, type, data) {
  attributes.classname = data.classname ?? 'test';
  if (data.file) attributes.file = data.file;
  const nesting = data.nesting + 1;
  const skipped = (kind, message) => children.push(
    { nesting, tag: 'skipped', attributes: { __proto__: null, type: kind, message } });
  if (data.skip) skipped('skipped', data.skip);
  if (data.todo) skipped('todo', data.todo);
  if (type !== 'test:fail') return;
  const error = data.details?.error;
  children.push({
    nesting,
    tag: 'failure',
    attributes: {
      __proto__: null, type: error?.failureType || error?.code, message: error?.message.trim() ?? '',
    },
    children: [inspectSafely(error, { __proto__: null, colors: false, breakLength: Infinity })],
  });
  attributes.failure = error?.message ?? '';
}

class Tree {
  roots = [];
  #current = null;

  begin({ name, nesting }) {
    const parent = this.#current;
    this.#current = { attributes: { __proto__: null, name }, nesting, parent, children: [] };
    (parent?.children ?? this.roots).push(this.#current);
  }

  end(type, data) {
    if (this.#current === null) this.begin({ name: 'root', nesting: 0 });
    if (this.#current.attributes.name !== data.name || this.#current.nesting !== data.nesting) {
      this.begin(data);
    }
    const node = this.#current;
    if (node.nesting === data.nesting) this.#current = node.parent;
    node.attributes.time = (data.details.duration_ms / 1000).toFixed(6);
    const tests = node.children.filter((child) => child.comment == null);
    node.tag = tests.length > 0 ? 'testsuite' : 'testcase';
    if (tests.length > 0) completeSuite(node, tests, data);
    else completeCase(node, type, data);
  }

  comment({ nesting, message }) {
    (this.#current?.children ?? this.roots).push({ nesting, comment: message });
  }
}

module.exports = async function* junit(source) {
  yield '<?xml version="1.0" encoding="utf-8"?>\n';
  yield '<testsuites>\n';
  const tree = new Tree();
  for await (const { type, data } of source) {
    switch (type) {
      case 'test:start': tree.begin(data); break;
      case 'test:pass': case 'test:fail': tree.end(type, data); break;
      case 'test:diagnostic': case 'test:log': tree.comment(data); break;
    }
  }
  for (const root of tree.roots) yield toXml(root);
  yield '</testsuites>\n';
};
