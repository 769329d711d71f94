'use strict';
// --use-env-proxy for fetch(). The agents of node:http and node:https see to themselves (internal/http/proxy).

// undici is large, and is loaded only if there is a proxy. An URL that is none throws, as early as in Node.
function useForFetch(env) {
  if (!env.HTTP_PROXY && !env.HTTPS_PROXY && !env.http_proxy && !env.https_proxy) return;
  const { EnvHttpProxyAgent, setGlobalDispatcher } = require('internal/web/undici');
  setGlobalDispatcher(new EnvHttpProxyAgent());
}

module.exports = { useForFetch };
