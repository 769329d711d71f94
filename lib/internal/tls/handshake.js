'use strict';
// The callbacks of a TLS handle (src/runtime/tls/tls_stream.h) during the handshake. Each function is called on the
// handle, as a task of its own.

const {
  async_id_symbol, emitAfter, emitBefore, trigger_async_id_symbol,
} = require('internal/async_hooks');
const {
  codes: {
    ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_MULTIPLE_CALLBACK, ERR_SOCKET_CLOSED,
    ERR_TLS_ALPN_CALLBACK_INVALID_RESULT, ERR_TLS_RENEGOTIATION_DISABLED, ERR_TLS_SESSION_ATTACK,
  },
} = require('internal/errors');
const { kOwner } = require('internal/native/stream_handle');
const {
  kALPNCallback, kConnectOptions, kDisableRenegotiation, kIsVerified, kPendingSession, kPskCallback,
} = require('internal/tls/symbols');
const { packSession } = require('internal/tls/session_state');
const { validateBuffer, validateObject, validateString } = require('internal/validators');

function asTask(step) {
  return function(...args) {
    const socket = this[kOwner];
    if (!socket) return undefined;
    const asyncId = this[async_id_symbol];
    emitBefore(asyncId, this[trigger_async_id_symbol], this);
    const result = step(socket, this, ...args);
    emitAfter(asyncId);
    return result;
  };
}

// Calls `then` with the first answer. Errors, and answers that come twice or too late, end the socket.
function answerOnce(socket, then) {
  let answered = false;
  return (error, value) => {
    if (answered) {
      socket.destroy(new ERR_MULTIPLE_CALLBACK());
      return;
    }
    answered = true;
    if (error) socket.destroy(error);
    else if (socket._handle === null) socket.destroy(new ERR_SOCKET_CLOSED());
    else then(value);
  };
}

// ---- Servers ----

// A client that renegotiates repeatedly costs the server: that is limited.
function onHandshakeStart(socket, handle, now) {
  const last = handle.lastHandshakeTime;
  handle.lastHandshakeTime = now;
  if (last === 0) return;
  const { CLIENT_RENEG_LIMIT, CLIENT_RENEG_WINDOW } = require('tls');
  handle.handshakes = now - last >= CLIENT_RENEG_WINDOW * 1000 ? 1 : handle.handshakes + 1;
  if (handle.handshakes > CLIENT_RENEG_LIMIT) socket._emitTLSError(new ERR_TLS_SESSION_ATTACK());
  else if (socket[kDisableRenegotiation]) socket._emitTLSError(new ERR_TLS_RENEGOTIATION_DISABLED());
}

function onHandshakeDone(socket) {
  // The program has still to store the session.
  if (socket._newSessionPending) socket._securePending = true;
  else socket._finishInit();
}

// The server's listeners may know the session that the client asks for by its id. A ticket needs none of them.
function onClientHello(socket, handle, { sessionId, tlsTicket }) {
  const answer = answerOnce(socket, (session) => {
    handle.loadSession(session);
    handle.clientHelloDone();
  });
  let isAsked = sessionId.length > 0 && !tlsTicket;
  if (isAsked && socket.server) {
    try {
      isAsked = socket.server.emit('resumeSession', sessionId, answer);
    } catch (error) {
      answer(error);
      return;
    }
  }
  if (!isAsked) handle.clientHelloDone();
}

function onCertificateWanted(socket, handle, info) {
  const { servername } = info;
  if (!servername || !socket._SNICallback) {
    requestOcsp(socket, info);
    return;
  }
  const answer = answerOnce(socket, (context) => {
    if (context) handle.sni_context = context.context || context;
    requestOcsp(socket, info);
  });
  try {
    socket._SNICallback(servername, answer);
  } catch (error) {
    socket.destroy(error);
  }
}

function requestOcsp(socket, { OCSPRequest }) {
  const { server } = socket;
  let context = socket._handle?.sni_context || server?._sharedCreds;
  if (context?.context) ({ context } = context);
  if (!OCSPRequest || !server || !context || server.listenerCount('OCSPRequest') === 0) {
    certificateChosen(socket);
    return;
  }
  const answer = answerOnce(socket, (response) => {
    if (response) socket._handle.setOCSPResponse(response);
    certificateChosen(socket);
  });
  try {
    server.emit('OCSPRequest', context.getCertificate(), context.getIssuer(), answer);
  } catch (error) {
    socket.destroy(error);
  }
}

function certificateChosen(socket) {
  try {
    socket._handle.certCbDone();
  } catch (error) {
    socket.destroy(error);
  }
}

function onServername(socket, handle, name) {
  socket.servername = name;
}

// `offered` is a list of names, each after its length. Returns where the chosen one begins.
function chooseProtocol(socket, handle, offered) {
  try {
    const protocols = [];
    const offsets = [];
    for (let offset = 0; offset < offered.length; offset += 1 + offered[offset]) {
      offsets.push(offset);
      protocols.push(offered.toString('ascii', offset + 1, offset + 1 + offered[offset]));
    }
    const chosen = socket[kALPNCallback]({ servername: handle.getServername(), protocols });
    if (chosen === undefined) return undefined; // none of them
    const index = protocols.indexOf(chosen);
    if (index === -1) throw new ERR_TLS_ALPN_CALLBACK_INVALID_RESULT(chosen, protocols);
    return offsets[index];
  } catch (error) {
    socket.destroy(error);
    return undefined;
  }
}

// The handshake continues when the program has stored it.
function onNewServerSession(socket, handle, id, session) {
  const { server } = socket;
  if (!server) return;
  let isDone = false;
  const done = () => {
    if (isDone) return;
    isDone = true;
    if (socket._handle === null) {
      socket.destroy(new ERR_SOCKET_CLOSED());
      return;
    }
    handle.newSessionDone();
    socket._newSessionPending = false;
    if (socket._securePending) socket._finishInit();
    socket._securePending = false;
  };
  socket._newSessionPending = true;
  let hasListener = false;
  try {
    hasListener = server.emit('newSession', id, session, done);
  } catch (error) {
    server.emit('error', error);
  }
  if (!hasListener) done();
}

function checkKeySize(key, most) {
  if (key.length > most) {
    throw new ERR_INVALID_ARG_VALUE('psk', key, `Pre-shared key exceeds ${most} bytes`);
  }
}

function serverKey(socket, handle, identity, mostKey) {
  try {
    const result = socket[kPskCallback](socket, identity);
    if (result == null) return undefined;
    let key = result;
    if (!ArrayBuffer.isView(result)) {
      if (typeof result !== 'object') {
        throw new ERR_INVALID_ARG_TYPE('ret', ['Object', 'Buffer', 'TypedArray', 'DataView'], result);
      }
      key = result.psk;
      validateBuffer(key, 'psk');
    }
    checkKeySize(key, mostKey);
    return key;
  } catch (error) {
    socket.destroy(error);
    return undefined;
  }
}

// ---- Clients ----

function onClientHandshakeDone(socket) {
  socket._finishInit();
}

// Told when the server is verified, and not before.
function onNewClientSession(socket, handle, id, session) {
  const packed = packSession(session, socket[kConnectOptions]);
  if (socket[kIsVerified]) socket.emit('session', packed);
  else socket[kPendingSession] = packed;
}

function onOcspResponse(socket, handle, response) {
  socket.emit('OCSPResponse', response);
}

function clientKey(socket, handle, hint, mostKey, mostIdentity) {
  try {
    const result = socket[kPskCallback](hint);
    if (result == null) return undefined;
    validateObject(result, 'ret');
    const { psk, identity } = result;
    validateBuffer(psk, 'psk');
    checkKeySize(psk, mostKey);
    validateString(identity, 'identity');
    if (Buffer.byteLength(identity) > mostIdentity) {
      throw new ERR_INVALID_ARG_VALUE('identity', identity, `PSK identity exceeds ${mostIdentity} bytes`);
    }
    return { psk, identity };
  } catch (error) {
    socket.destroy(error);
    return undefined;
  }
}

// ---- Both ----

function onKeyLog(socket, handle, line) {
  socket.emit('keylog', line);
}

function onError(socket, handle, error) {
  if (socket._hadError) return;
  socket._hadError = true;
  if (!socket._secureEstablished) {
    // The socket can still be used while 'tlsClientError' is emitted.
    socket._closeAfterHandlingError = true;
    socket.destroy(error);
  } else if (socket._tlsOptions?.isServer && socket._rejectUnauthorized &&
             /peer did not return a certificate/.test(error.message)) {
    socket.destroy(); // it was reported by 'tlsClientError', or has no listener
  } else {
    socket._emitTLSError(error);
  }
}

function noop() {}

const kForServers = {
  onhandshakestart: asTask(onHandshakeStart),
  onhandshakedone: asTask(onHandshakeDone),
  onclienthello: asTask(onClientHello),
  oncertcb: asTask(onCertificateWanted),
  onservername: asTask(onServername),
  onnewsession: asTask(onNewServerSession),
  onkeylog: asTask(onKeyLog),
  onerror: asTask(onError),
  lastHandshakeTime: 0,
  handshakes: 0,
};

const kForClients = {
  onhandshakestart: noop,
  onhandshakedone: asTask(onClientHandshakeDone),
  onocspresponse: asTask(onOcspResponse),
  onnewsession: asTask(onNewClientSession),
  onkeylog: asTask(onKeyLog),
  onerror: asTask(onError),
};

module.exports = {
  callbacksFor(isServer) {
    return isServer ? kForServers : kForClients;
  },
  chooseProtocol: asTask(chooseProtocol),
  clientKey: asTask(clientKey),
  serverKey: asTask(serverKey),
};
