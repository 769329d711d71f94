function lower() { return new TypeError('the cause'); }
function upper() { throw new Error('the effect', { cause: lower() }); }
upper();
