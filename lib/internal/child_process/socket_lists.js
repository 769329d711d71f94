'use strict';
// Sockets that a server has given to another process. A server counts them, and is closed when they
// are: so each side keeps a list for each server, and asks the other by messages.

const EventEmitter = require('events');
const { codes: { ERR_CHILD_CLOSED_BEFORE_REPLY } } = require('internal/errors');

// On the side that has the server.
class SentSockets extends EventEmitter {
  constructor(child, key) {
    super();
    this.key = key;
    this.child = child;
    child.once('exit', () => this.emit('exit', this));
  }

  #ask(cmd, answer, swallowErrors, callback) {
    const { child, key } = this;
    const onReply = (message) => {
      if (message.cmd !== answer || message.key !== key) return;
      child.removeListener('disconnect', onDisconnect);
      child.removeListener('internalMessage', onReply);
      callback(null, message);
    };
    const onDisconnect = () => {
      child.removeListener('internalMessage', onReply);
      callback(new ERR_CHILD_CLOSED_BEFORE_REPLY());
    };
    if (!child.connected) {
      onDisconnect();
      return;
    }
    child._send({ cmd, key }, undefined, swallowErrors);
    child.once('disconnect', onDisconnect);
    child.on('internalMessage', onReply);
  }

  // Calls back when all are closed.
  close(callback) {
    this.#ask('NODE_SOCKET_NOTIFY_CLOSE', 'NODE_SOCKET_ALL_CLOSED', true, callback);
  }

  getConnections(callback) {
    this.#ask('NODE_SOCKET_GET_COUNT', 'NODE_SOCKET_COUNT', false, (error, message) => {
      if (error) callback(error);
      else callback(null, message.count);
    });
  }
}

// On the side that has the sockets.
class ReceivedSockets extends EventEmitter {
  constructor(child, key) {
    super();
    this.connections = 0;
    this.key = key;
    this.child = child;
    child.on('internalMessage', (message) => {
      if (message.key === key) this.#answer(message);
    });
  }

  #send(message) {
    if (this.child.connected) this.child._send({ ...message, key: this.key }, undefined, true);
  }

  #answer({ cmd }) {
    if (cmd === 'NODE_SOCKET_GET_COUNT') {
      this.#send({ cmd: 'NODE_SOCKET_COUNT', count: this.connections });
    } else if (cmd === 'NODE_SOCKET_NOTIFY_CLOSE') {
      const sayClosed = () => this.#send({ cmd: 'NODE_SOCKET_ALL_CLOSED' });
      if (this.connections === 0) sayClosed();
      else this.once('empty', sayClosed);
    }
  }

  add(socket) {
    this.connections++;
    socket.once('close', () => {
      if (--this.connections === 0) this.emit('empty', this);
    });
  }
}

// The list of a server; made when it is first asked for.
function sentSockets(child, lists, key) {
  let list = lists.get(key);
  if (list !== undefined) return { list, isNew: false };
  list = new SentSockets(child, key);
  lists.set(key, list);
  child.once('exit', () => lists.delete(key));
  return { list, isNew: true };
}

function receivedSockets(child, lists, key) {
  let list = lists.get(key);
  if (list === undefined) lists.set(key, list = new ReceivedSockets(child, key));
  return list;
}

module.exports = { receivedSockets, sentSockets };
