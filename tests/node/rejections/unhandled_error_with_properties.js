Promise.reject(Object.assign(new TypeError('with code'), { code: 'E_CODE' }));
