const value = await new Promise((resolve) => setTimeout(resolve, 5, 'resolved by a timer'));
console.log(value);
