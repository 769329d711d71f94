'use strict';
// http.Agent: which connections a client has, by name ("host:port:localAddress"): those in use, those that
// wait for the next request, and requests that wait for a connection.

const EventEmitter = require('events');
const net = require('net');
const { AsyncResource } = require('async_hooks');
const { async_id_symbol, emitDestroy, initResource } = require('internal/async_hooks');
const {
  checkShouldUseProxy, getGlobalAgent, parseProxyConfigFromEnv,
} = require('internal/http/proxy');
const { kProxyConfig, kWaitForProxyTunnel } = require('internal/http/symbols');
const { getOptionValue } = require('internal/options');
const { kOwner, onHandleRead } = require('internal/native/stream_handle');
const { debuglog } = require('internal/util/debuglog');
const { kEmptyObject, once } = require('internal/util');
const { validateNumber, validateOneOf, validateString } = require('internal/validators');

const debug = debuglog('http');
const kOnKeylog = Symbol('onkeylog');
const kRequestOptions = Symbol('requestOptions');
const kRequestAsyncResource = Symbol('requestAsyncResource');
const kGuard = Symbol('freeSocketDataGuard');

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  Reflect.apply(EventEmitter, this, []);
  this.options = { __proto__: null, ...options };
  this.defaultPort = this.options.defaultPort || 80;
  this.protocol = this.options.protocol || 'http:';
  if (this.options.noDelay === undefined) this.options.noDelay = true;
  // A path would be that of a pipe.
  this.options.path = null;
  this.requests = { __proto__: null };
  this.sockets = { __proto__: null };
  this.freeSockets = { __proto__: null };
  this.keepAliveMsecs = this.options.keepAliveMsecs || 1000;
  this.keepAlive = this.options.keepAlive || false;
  this.maxSockets = this.options.maxSockets || Agent.defaultMaxSockets;
  this.maxFreeSockets = this.options.maxFreeSockets || 256;
  this.scheduling = this.options.scheduling || 'lifo';
  this.maxTotalSockets = this.options.maxTotalSockets;
  this.totalSocketCount = 0;
  const { agentKeepAliveTimeoutBuffer: buffer } = this.options;
  this.agentKeepAliveTimeoutBuffer =
    typeof buffer === 'number' && buffer >= 0 && Number.isFinite(buffer) ? buffer : 1000;

  const { proxyEnv } = this.options;
  if (typeof proxyEnv === 'object' && proxyEnv !== null) {
    this[kProxyConfig] = parseProxyConfigFromEnv(proxyEnv, this.protocol, this.keepAlive);
  }
  validateOneOf(this.scheduling, 'scheduling', ['fifo', 'lifo']);
  if (this.maxTotalSockets !== undefined) {
    validateNumber(this.maxTotalSockets, 'maxTotalSockets', 1);
  } else {
    this.maxTotalSockets = Infinity;
  }
  this.on('free', onFree);
  this.on('newListener', onNewListener);
}
Object.setPrototypeOf(Agent.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Agent, EventEmitter);

Agent.defaultMaxSockets = Infinity;

// Forwards 'keylog' of the sockets once the agent has a listener for it.
function onNewListener(event) {
  if (event !== 'keylog') return;
  this.removeListener('newListener', onNewListener);
  const agent = this;
  this[kOnKeylog] = function onkeylog(line) {
    agent.emit('keylog', line, this);
  };
  for (const sockets of [this.freeSockets, this.sockets].flatMap(Object.values)) {
    for (const socket of sockets) socket.on('keylog', this[kOnKeylog]);
  }
}

Agent.prototype.getName = function getName(options = kEmptyObject) {
  let name = `${options.host || 'localhost'}:${options.port || ''}:${options.localAddress || ''}`;
  if (options.family === 4 || options.family === 6) name += `:${options.family}`;
  if (options.socketPath) name += `:${options.socketPath}`;
  return name;
};

// A connection to the server, or to the proxy.
Agent.prototype.createConnection = function createConnection(...args) {
  const [options, callback] = net._normalizeArgs(args);
  const proxy = this[kProxyConfig];
  if (!checkShouldUseProxy(proxy, options)) return net.createConnection(...args);
  const { connect } = proxy.protocol === 'https:' ? require('tls') : net;
  return connect({ ...proxy.proxyConnectionOptions }, callback);
};

// ---- Requests ----

// The agent's options win over the request's.
function mergeOptions(agent, request, options) {
  const merged = { __proto__: null, ...options, ...agent.options };
  if (merged.socketPath) merged.path = merged.socketPath;
  if (!merged.servername && merged.servername !== '') {
    merged.servername = serverNameOf(merged, request);
  }
  return merged;
}

// The name for TLS: of the header Host, without its port; an address is none.
function serverNameOf(options, request) {
  let name = options.host;
  const header = request.getHeader('host');
  if (header) {
    validateString(header, 'options.headers.host');
    const bracket = header.indexOf(']');
    if (header[0] !== '[') [name] = header.split(':', 1);
    else name = bracket === -1 ? header : header.slice(1, bracket);
  }
  return net.isIP(name) ? '' : name;
}

const { getName } = Agent.prototype;

// A request that gets a connection that is there, or waits for one, needs no options but these few: merging takes longer than
// the rest of addRequest(). Other cases: a class with names of its own, and a header Host that is to be checked.
function canNameUnmerged(agent, req) {
  if (agent.getName !== getName) return false;
  const host = req.getHeader('host');
  return !host || typeof host === 'string';
}

function mergedOption(agent, options, key) {
  if (Object.hasOwn(agent.options, key)) return agent.options[key];
  return Object.hasOwn(options, key) ? options[key] : undefined;
}

// What getName() returns for the merged options.
function nameUnmerged(agent, options) {
  const family = mergedOption(agent, options, 'family');
  const socketPath = mergedOption(agent, options, 'socketPath');
  let name = `${mergedOption(agent, options, 'host') || 'localhost'}:${mergedOption(agent, options, 'port') || ''}:${
    mergedOption(agent, options, 'localAddress') || ''}`;
  if (family === 4 || family === 6) name += `:${family}`;
  if (socketPath) name += `:${socketPath}`;
  return name;
}

Agent.prototype.addRequest = function addRequest(req, options, port, localAddress) {
  // Once it was (req, host, port, localAddress).
  if (typeof options === 'string') options = { __proto__: null, host: options, port, localAddress };
  const isUnmerged = canNameUnmerged(this, req);
  if (!isUnmerged) options = mergeOptions(this, req, options);
  const name = isUnmerged ? nameUnmerged(this, options) : this.getName(options);
  this.sockets[name] ||= [];
  const socket = takeFree(this, name);
  const count = (this.freeSockets[name]?.length ?? 0) + this.sockets[name].length;
  if (socket) {
    const highWaterMark = mergedOption(this, options, 'highWaterMark');
    if (highWaterMark != null && socket.writableHighWaterMark !== highWaterMark) {
      socket._writableState.highWaterMark = highWaterMark;
    }
    renewAsyncId(socket);
    this.reuseSocket(socket, req);
    giveSocket(this, req, socket);
    this.sockets[name].push(socket);
  } else if (count < this.maxSockets && this.totalSocketCount < this.maxTotalSockets) {
    if (isUnmerged) options = mergeOptions(this, req, options);
    this.createSocket(req, options, (error, made) => {
      if (!error) {
        giveSocket(this, req, made);
        return;
      }
      reportTunnelError(error, req);
      req.onSocket(made, error);
    });
  } else {
    req[kRequestOptions] = options;
    req[kRequestAsyncResource] = new AsyncResource('QueuedRequest');
    (this.requests[name] ||= []).push(req);
  }
};

function takeFree(agent, name) {
  const free = agent.freeSockets[name];
  if (!free) return undefined;
  while (free.length > 0 && free[0].destroyed) free.shift();
  const socket = agent.scheduling === 'fifo' ? free.shift() : free.pop();
  if (free.length === 0) delete agent.freeSockets[name];
  return socket;
}

function giveSocket(agent, req, socket) {
  req.onSocket(socket);
  const { timeout } = req;
  if (timeout === undefined || timeout === (agent.options.timeout || 0)) return;
  socket.setTimeout(timeout);
}

function reportTunnelError(error, req) {
  if (error.code !== 'ERR_PROXY_TUNNEL') return;
  if (error.proxyTunnelTimeout) req.emit('timeout');
  req.emit('error', error);
}

// A connection that serves another request is another task for async_hooks.
function renewAsyncId(socket) {
  const handle = socket._handle;
  if (!handle || handle[async_id_symbol] === undefined) return;
  emitDestroy(handle[async_id_symbol]);
  initResource(handle, handle.getProviderType?.() ?? 'TCPWRAP');
  socket[async_id_symbol] = handle[async_id_symbol];
}

// ---- Sockets ----

Agent.prototype.createSocket = function createSocket(req, options, callback) {
  options = mergeOptions(this, req, options);
  const timeout = req.timeout || this.options.timeout || undefined;
  if (timeout) options.timeout = timeout;
  const name = this.getName(options);
  options._agentKey = name;
  debug('createConnection', name);
  options.encoding = null;
  const onCreated = once((error, socket) => {
    if (error) {
      callback(error);
      return;
    }
    (this.sockets[name] ||= []).push(socket);
    this.totalSocketCount++;
    watchSocket(this, socket, options);
    callback(null, socket);
  });
  if (this.keepAlive) {
    options.keepAlive = this.keepAlive;
    options.keepAliveInitialDelay = this.keepAliveMsecs;
  }
  const socket = this.createConnection(options, onCreated);
  // A tunnel is reported when it is established.
  if (socket && !socket[kWaitForProxyTunnel]) onCreated(null, socket);
};

function watchSocket(agent, socket, options) {
  function onSocketFree() {
    agent.emit('free', socket, options);
  }
  function onSocketClose() {
    agent.totalSocketCount--;
    agent.removeSocket(socket, options);
  }
  function onSocketTimeout() {
    if (Object.values(agent.freeSockets).some((free) => free.includes(socket))) socket.destroy();
  }
  // After an upgrade the socket no longer belongs to the agent.
  function onAgentRemove() {
    agent.totalSocketCount--;
    agent.removeSocket(socket, options);
    socket.removeListener('close', onSocketClose);
    socket.removeListener('free', onSocketFree);
    socket.removeListener('timeout', onSocketTimeout);
    socket.removeListener('agentRemove', onAgentRemove);
  }
  socket.on('free', onSocketFree);
  socket.on('close', onSocketClose);
  socket.on('timeout', onSocketTimeout);
  socket.on('agentRemove', onAgentRemove);
  if (agent[kOnKeylog]) socket.on('keylog', agent[kOnKeylog]);
}

// The listener of 'free': a request is over, and its socket can serve another one.
function onFree(socket, options) {
  const name = this.getName(options);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requests = this.requests[name];
  if (requests?.length) {
    const req = requests.shift();
    if (requests.length === 0) delete this.requests[name];
    startQueued(this, req, socket);
    return;
  }
  if (!canBeKept(this, name, socket)) {
    socket.destroy();
    return;
  }
  const free = this.freeSockets[name] ||= [];
  socket[async_id_symbol] = -1;
  socket._httpMessage = null;
  this.removeSocket(socket, options);
  socket.once('error', onFreeSocketError);
  guardFreeSocket(socket);
  free.push(socket);
}

// In the context that the request was made in.
function startQueued(agent, req, socket) {
  const resource = req[kRequestAsyncResource];
  if (!resource) {
    giveSocket(agent, req, socket);
    return;
  }
  resource.runInAsyncScope(() => {
    renewAsyncId(socket);
    giveSocket(agent, req, socket);
  });
  req[kRequestAsyncResource] = null;
}

function canBeKept(agent, name, socket) {
  const req = socket._httpMessage;
  if (!req?.shouldKeepAlive || !agent.keepAlive) return false;
  const free = agent.freeSockets[name]?.length ?? 0;
  const count = free + (agent.sockets[name]?.length ?? 0);
  return agent.totalSocketCount <= agent.maxTotalSockets && count <= agent.maxSockets &&
    free < agent.maxFreeSockets && agent.keepSocketAlive(socket);
}

Agent.prototype.keepSocketAlive = function keepSocketAlive(socket) {
  socket.setKeepAlive(true, this.keepAliveMsecs);
  socket.unref();
  let timeout = this.options.timeout || 0;
  let canBeReused = true;
  // "timeout=5": until then the server keeps it. We close it somewhat earlier.
  const hint = /^timeout=(\d+)/.exec(socket._httpMessage?.res?.headers['keep-alive'])?.[1];
  if (hint) {
    const limit = Number.parseInt(hint) * 1000 - this.agentKeepAliveTimeoutBuffer;
    if (limit <= 0) canBeReused = false;
    else if (limit < timeout) timeout = limit;
  }
  if (socket.timeout !== timeout) socket.setTimeout(timeout);
  return canBeReused;
};

Agent.prototype.reuseSocket = function reuseSocket(socket, req) {
  socket.removeListener('error', onFreeSocketError);
  unguardFreeSocket(socket);
  req.reusedSocket = true;
  socket.ref();
};

// Removes a socket from the lists, and starts a request that has waited for one.
Agent.prototype.removeSocket = function removeSocket(socket, options) {
  const name = this.getName(options);
  removeFrom(this.sockets, name, socket);
  if (!socket.writable) removeFrom(this.freeSockets, name, socket);
  let req = this.requests[name]?.[0];
  if (!req) {
    const [other] = Object.keys(this.requests);
    if (other !== undefined && !this.sockets[other]?.length) {
      [req] = this.requests[other];
      options = req[kRequestOptions] && mergeOptions(this, req, req[kRequestOptions]);
    }
  }
  if (!req || !options) return;
  req[kRequestOptions] = undefined;
  this.createSocket(req, options, (error, made) => {
    if (!error) {
      made.emit('free');
      return;
    }
    reportTunnelError(error, req);
    req.onSocket(null, error);
  });
};

function removeFrom(lists, name, socket) {
  const index = lists[name] ? lists[name].indexOf(socket) : -1;
  if (index === -1) return;
  lists[name].splice(index, 1);
  if (lists[name].length === 0) delete lists[name];
}

Agent.prototype.destroy = function destroy() {
  for (const lists of [this.freeSockets, this.sockets]) {
    for (const name of Object.keys(lists)) {
      for (const socket of lists[name].slice()) socket.destroy();
    }
  }
};

// ---- Sockets that wait ----

function onFreeSocketError() {
  this.destroy();
  this.emit('agentRemove');
}

// Nothing was asked, so nothing can come: whatever arrives now would be taken for the answer to the next
// request.
function guardFreeSocket(socket) {
  if (socket.readableLength > 0) {
    socket.destroy();
    return;
  }
  if (socket.connecting) {
    socket[kGuard] = () => {
      socket[kGuard] = null;
      guardFreeSocket(socket);
    };
    socket.once('connect', socket[kGuard]);
    return;
  }
  const handle = socket._handle;
  if (!handle) return;
  handle.onread = onUnexpectedRead;
  if (handle.reading) return;
  handle.reading = true;
  if (handle.readStart()) socket.destroy();
}

function onUnexpectedRead() {
  this[kOwner].destroy();
}

function unguardFreeSocket(socket) {
  if (socket[kGuard]) {
    socket.removeListener('connect', socket[kGuard]);
    socket[kGuard] = null;
  }
  const handle = socket._handle;
  if (handle?.onread === onUnexpectedRead) handle.onread = onHandleRead;
}

let globalAgent;

module.exports = {
  Agent,
  get globalAgent() {
    return globalAgent ??=
      getGlobalAgent(getOptionValue('--use-env-proxy') ? process.env : undefined, Agent);
  },
  set globalAgent(agent) {
    globalAgent = agent;
  },
};
