const first = (stack) => console.log(stack.split('\n').slice(0, 3).join('\n'));
first(eval('new Error("in eval").stack'));
first(new Function('return new Error("in Function").stack')());
