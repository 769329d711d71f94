// rondo-test: option=--no-warnings
// vm.measureMemory() with nothing else to do: the program waits for it.
const vm = require('vm');
const shape = ({ jsMemoryEstimate, jsMemoryRange }) => [typeof jsMemoryEstimate, jsMemoryRange.map((x) => typeof x)];

vm.measureMemory({ execution: 'eager' }).then((result) => console.log(Object.keys(result), shape(result.total)));
vm.measureMemory({ mode: 'detailed', execution: 'eager' }).then((result) =>
  console.log(Object.keys(result), shape(result.current), Array.isArray(result.other)));
