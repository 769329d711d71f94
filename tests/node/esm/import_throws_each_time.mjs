const errors = [];
for (let i = 0; i < 2; i++) await import('./fixtures/throws.mjs').catch((e) => errors.push(e));
console.log(errors[0] === errors[1], errors[0].message);
