// rondo-test: env=FORCE_COLOR=0
throw Object.assign(new TypeError('without colours'), { list: ['x'] });
