function isPrime(n) {
  for (let i = 2; i < n; ++i) if (n % i === 0) return false;
  return true;
}

setTimeout(function check() {
  const end = Date.now() + 200;
  while (Date.now() < end) isPrime(1_000_003);
}, 10);
setTimeout(() => console.log('late'), 20);
