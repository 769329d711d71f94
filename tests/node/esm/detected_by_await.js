const value = await Promise.resolve('awaited');
console.log(value, typeof module);
