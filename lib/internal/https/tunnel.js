'use strict';
// HTTPS by a proxy: CONNECT asks the proxy for a connection to the server, and TLS goes through that (RFC 9110, 9.3.6).

const { codes: { ERR_PROXY_TUNNEL } } = require('internal/errors');
const { kPerRequestIdentity } = require('internal/https/symbols');
const { checkShouldUseProxy, kProxyConfig, kWaitForProxyTunnel } = require('internal/http');
const { getOptionValue } = require('internal/options');
const { once } = require('internal/util');
const net = require('net');
const tls = require('tls');

const kHeadEnd = '\r\n\r\n';
const kDefaultHeadSize = 16 * 1024;

// What to ask the proxy for, or null if it is not needed.
function tunnelFor(agent, options) {
  const config = agent[kProxyConfig];
  if (!config || (options.protocol || agent.protocol) !== 'https:' || !checkShouldUseProxy(config, options)) {
    return null;
  }
  const family = net.isIP(options.host);
  const host = family === 6 ? `[${options.host}]` : options.host;
  const endpoint = `${host}:${options.port || agent.defaultPort}`;
  const lines = [`CONNECT ${endpoint} HTTP/1.1`];
  if (config.auth) lines.push(`proxy-authorization: ${config.auth}`);
  if (agent.keepAlive || agent.maxSockets !== Infinity) lines.push('proxy-connection: keep-alive');
  lines.push(`host: ${endpoint}`);
  return {
    __proto__: null,
    endpoint,
    head: lines.join('\r\n') + kHeadEnd,
    maxHeadSize: options.maxHeaderSize || getOptionValue('--max-http-header-size') || kDefaultHeadSize,
    options: {
      __proto__: null,
      servername: options.servername || family ? undefined : options.host,
      ...options,
    },
  };
}

function timeoutError(timeout) {
  const error = new ERR_PROXY_TUNNEL(`Connection to establish proxy tunnel timed out after ${timeout}ms`);
  error.proxyTunnelTimeout = timeout;
  return error;
}

// Returns the socket to the proxy; `callback` gets the one through the tunnel.
function connectByProxy(agent, tunnel, callback) {
  const config = agent[kProxyConfig];
  const { timeout } = tunnel.options;
  const options = { ...config.proxyConnectionOptions };
  const done = once((error, through) => {
    socket.removeListener('error', onError);
    socket.removeListener('timeout', onTimeout);
    // With an answer that is not 200 the request ends it.
    if (error && error.code === 'ERR_PROXY_TUNNEL' && !error.statusCode) socket.destroy();
    callback?.(error, through);
  });
  const onError = (error) => done(error, socket);
  const onTimeout = () => done(timeoutError(timeout), socket);
  const onConnect = () => {
    socket.removeListener('error', onError);
    establish(config, socket, tunnel, done);
  };
  const socket = config.protocol === 'http:' ? net.connect(options, onConnect) : tls.connect(options, onConnect);
  socket.on('error', onError);
  if (timeout) socket.setTimeout(timeout, onTimeout);
  socket[kWaitForProxyTunnel] = true;
  return socket;
}

// Asks for the tunnel, reads the answer.
function establish(config, socket, tunnel, done) {
  const { timeout } = tunnel.options;
  let received = Buffer.alloc(0);

  const stop = () => {
    socket.removeListener('end', onEnd);
    socket.removeListener('error', onError);
    socket.removeListener('readable', onReadable);
    socket.setTimeout(0);
  };
  const fail = (error) => {
    stop();
    done(error, socket);
  };
  const onError = fail;
  const onEnd = () => fail(new ERR_PROXY_TUNNEL('Connection to establish proxy tunnel ended unexpectedly'));

  // Whether the whole head is there, or too much of it.
  const take = (chunk) => {
    received = Buffer.concat([received, chunk]);
    const end = received.indexOf(kHeadEnd);
    const size = end === -1 ? received.length : end + kHeadEnd.length;
    if (size > tunnel.maxHeadSize) {
      fail(new ERR_PROXY_TUNNEL(`Proxy response headers exceeded ${tunnel.maxHeadSize} bytes`));
      return true;
    }
    if (end === -1) return false;
    const statusLine = received.toString('utf8', 0, received.indexOf('\r\n'));
    const status = statusLine.split(' ')[1];
    if (status === '200') {
      stop();
      secure(socket, tunnel.options, done);
      return true;
    }
    const error = new ERR_PROXY_TUNNEL(
      `Failed to establish tunnel to ${tunnel.endpoint} via ${config.href}: ${statusLine}`);
    error.statusCode = Number.parseInt(status, 10);
    fail(error);
    return true;
  };
  const onReadable = () => {
    let chunk;
    while ((chunk = socket.read()) !== null) {
      if (take(chunk)) return;
    }
    socket.once('readable', onReadable);
  };

  if (timeout > 0) socket.setTimeout(timeout, () => fail(timeoutError(timeout)));
  socket.on('error', onError);
  socket.on('end', onEnd);
  socket.write(tunnel.head);
  onReadable();
}

function secure(socket, options, done) {
  options.socket = socket;
  const through = tls.connect(options, () => {
    through.removeListener('error', onError);
    done(null, through);
  });
  const onError = (error) => done(error, through);
  if (options[kPerRequestIdentity]) through[kPerRequestIdentity] = true;
  through.on('free', () => socket.emit('free'));
  through.on('error', onError);
}

module.exports = { connectByProxy, tunnelFor };
