'use strict';
// Proxies from the environment: HTTP_PROXY, HTTPS_PROXY, NO_PROXY and their lower-case forms, which win.
//
// A request to an http: URL goes to the proxy itself, with the whole URL in its first line. One to an
// https: URL goes through a tunnel that the proxy makes (CONNECT), which is node:https's affair.

const { codes: { ERR_INVALID_ARG_VALUE, ERR_PROXY_INVALID_CONFIG } } = require('internal/errors');
const { kProxyConfig } = require('internal/http/symbols');
const { isIPv4 } = require('internal/net/address');
const { URL } = require('internal/url');
const { validatePort } = require('internal/validators');

function numberOfIPv4(address) {
  return address.split('.').reduce((sum, part) => sum * 256 + Number.parseInt(part), 0);
}

// "192.168.1.0-192.168.1.255"
function isInRange(host, range) {
  const [first, last] = range.split('-').map((part) => part.trim());
  if (!isIPv4(host) || !first || !last || !isIPv4(first) || !isIPv4(last)) return false;
  const number = numberOfIPv4(host);
  return number >= numberOfIPv4(first) && number <= numberOfIPv4(last);
}

// Whether an entry of NO_PROXY means this host: '*', 'host', 'host:port', '.domain', '*.domain', a range.
function matchesEntry(entry, host, port) {
  if (entry === '*' || entry === host || (port && entry === `${host}:${port}`)) return true;
  if (entry[0] === '.') {
    const domain = entry.slice(1);
    if (host === domain || host.endsWith(`.${domain}`)) return true;
  }
  if (entry.startsWith('*.') && host.endsWith(entry.slice(1))) return true;
  return entry.includes('-') && isInRange(host, entry);
}

// What an agent knows of its proxy.
class ProxyConfig {
  constructor(proxyUrl, keepAlive, noProxyList) {
    if (!URL.canParse(proxyUrl)) throw new ERR_PROXY_INVALID_CONFIG(`Invalid proxy URL: ${proxyUrl}`);
    const url = new URL(proxyUrl);
    const { hostname, port, protocol, username, password } = url;
    this.href = proxyUrl; // without credentials
    this.protocol = protocol;
    if (username || password) {
      url.username = '';
      url.password = '';
      this.href = url.href;
      const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
      this.auth = `Basic ${Buffer.from(credentials).toString('base64')}`;
    }
    this.bypassList = noProxyList ?
      noProxyList.split(',').map((entry) => entry.trim().toLowerCase()) : [];
    this.proxyConnectionOptions = {
      host: hostname[0] === '[' ? hostname.slice(1, -1) : hostname,
      port: port ? Number(port) : protocol === 'https:' ? 443 : 80,
    };
  }

  shouldUseProxy(hostname, port) {
    const host = hostname.toLowerCase();
    return !this.bypassList.some((entry) => matchesEntry(entry, host, port));
  }
}

// The variable for such requests, or null.
function parseProxyUrl(env, protocol) {
  const url = protocol === 'https:' ?
    env.https_proxy || env.HTTPS_PROXY : env.http_proxy || env.HTTP_PROXY;
  if (!url) return null;
  if (/[\r\n]/.test(url)) throw new ERR_PROXY_INVALID_CONFIG(`Invalid proxy URL: ${url}`);
  return url;
}

// For an agent of this protocol. Proxies of other kinds are left to others.
function parseProxyConfigFromEnv(env, protocol, keepAlive) {
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  const url = parseProxyUrl(env, protocol);
  if (url === null || !/^https?:\/\//.test(url)) return null;
  return new ProxyConfig(url, keepAlive, env.no_proxy || env.NO_PROXY);
}

function checkShouldUseProxy(proxyConfig, options) {
  if (!proxyConfig || options.socketPath) return false;
  return proxyConfig.shouldUseProxy(options.host || 'localhost', options.port);
}

function filterEnvForProxies(env) {
  const { http_proxy, HTTP_PROXY, https_proxy, HTTPS_PROXY, no_proxy, NO_PROXY } = env;
  return { __proto__: null, http_proxy, HTTP_PROXY, https_proxy, HTTPS_PROXY, no_proxy, NO_PROXY };
}

function getGlobalAgent(proxyEnv, Agent) {
  return new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000, proxyEnv });
}

// ---- A request to an http: URL, by way of a proxy ----

// Host of an array of headers: flat, or of pairs.
function hostInArray(headers) {
  const isPairs = headers.length > 0 && Array.isArray(headers[0]);
  let host;
  for (let i = 0; isPairs ? i < headers.length : i + 1 < headers.length; i += isPairs ? 1 : 2) {
    if (isPairs && !Array.isArray(headers[i])) {
      throw new ERR_INVALID_ARG_VALUE(`options.headers[${i}]`, typeof headers[i],
        'must be an array when headers is passed as an array of pairs');
    }
    const name = isPairs ? headers[i][0] : headers[i];
    const value = isPairs ? headers[i][1] : headers[i + 1];
    if (`${name}`.toLowerCase() !== 'host') continue;
    if (host !== undefined) {
      throw new ERR_INVALID_ARG_VALUE('options.headers', '(redacted)',
        'must not contain duplicate Host headers');
    }
    host = `${value}`;
  }
  return host;
}

function isSameAuthority(host, header) {
  const url = URL.canParse(`http://${header}`) ? new URL(`http://${header}`) : null;
  return url !== null && !url.username && !url.password && url.pathname === '/' && !url.search &&
    !url.hash && url.host === host;
}

function checkHost(host, wanted, isExact) {
  if (host === undefined) return;
  if (isExact ? host === wanted : isSameAuthority(wanted, host)) return;
  throw new ERR_INVALID_ARG_VALUE('Host in options.headers', host,
    `must match the request authority (${wanted})`);
}

// The URL that the proxy is asked for. The path may be one already, but of the same server.
function targetOf(path, base) {
  if (!URL.canParse(path)) {
    if (path[0] !== '/') {
      throw new ERR_INVALID_ARG_VALUE('options.path', path,
        'must be in absolute-form or start with /');
    }
    return new URL(base.origin + path);
  }
  const url = new URL(path);
  if (url.username || url.password) {
    url.username = '';
    url.password = '';
    throw new ERR_INVALID_ARG_VALUE('options.path', url.href,
      'must not contain userinfo, use options.auth instead');
  }
  if (url.protocol !== 'http:') {
    throw new ERR_INVALID_ARG_VALUE('options.path', url.protocol,
      'must use http: scheme when specified as an absolute URL');
  }
  if (url.host !== base.host) {
    throw new ERR_INVALID_ARG_VALUE('options.path', url,
      `must match the request authority (${base.host})`);
  }
  return url;
}

// Changes the request into one to the proxy, if its agent has one that is for it. `authority` is { host, port };
// `userHost` the Host that the program has set; `headerArray` its headers, if they are an array. Whether the path has become a URL.
function rewriteForProxy(request, options, authority, userHost, headerArray) {
  const config = request.agent?.[kProxyConfig];
  if (request._header || !config) return false;
  if ((options.protocol || request.agent.protocol) !== 'http:') return false;
  if (!checkShouldUseProxy(config, options)) return false;

  let target;
  if (request.method !== 'CONNECT' && !(request.method === 'OPTIONS' && request.path === '*')) {
    validatePort(authority.port, 'options.port', true);
    const base = new URL(`http://${authority.host}`);
    base.port = authority.port;
    if (headerArray !== undefined) checkHost(hostInArray(headerArray), base.host, true);
    else checkHost(userHost, base.host, false);
    target = targetOf(`${request.path}`, base);
    const current = headerArray === undefined ? request.getHeader('host') : undefined;
    if (current !== undefined && current !== base.host) request.setHeader('Host', base.host);
  }
  if (config.auth) request.setHeader('proxy-authorization', config.auth);
  request.setHeader('proxy-connection', request.shouldKeepAlive ? 'keep-alive' : 'close');
  if (target === undefined) return false;
  request.path = target.href;
  return true;
}

module.exports = {
  ProxyConfig,
  checkShouldUseProxy,
  filterEnvForProxies,
  getGlobalAgent,
  parseProxyConfigFromEnv,
  parseProxyUrl,
  rewriteForProxy,
};
