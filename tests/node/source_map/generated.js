// rondo-test: option=--enable-source-maps
// The text of eval() and new Function() has a map if it says what it is called.
const map = 'data:application/json;base64,eyJ2ZXJzaW9uIjogMywgInNvdXJjZXMiOiBbInNoYXBlLnRzIl0sICJzb3VyY2VzQ29udGVudCI6IFsiLy8gVGhlIHNvdXJjZTogd2hhdCBzdGFja3MgYXJlIHRvIHNob3cuXG5pbnRlcmZhY2UgU2hhcGUge1xuICBzaWRlczogbnVtYmVyO1xufVxuXG5leHBvcnQgZnVuY3Rpb24gb3V0ZXIoc2hhcGU6IFNoYXBlKTogbmV2ZXIge1xuXHRyZXR1cm4gaW5uZXIoc2hhcGUpO1xufVxuXG5mdW5jdGlvbiBpbm5lcihzaGFwZTogU2hhcGUpOiBuZXZlciB7XG4gIHRocm93IG5ldyBSYW5nZUVycm9yKGBzaWRlczogJHtzaGFwZS5zaWRlc31gKTtcbn1cbiJdLCAibmFtZXMiOiBbIm91dGVyIiwgImlubmVyIl0sICJtYXBwaW5ncyI6ICJBQUtBLGdCQUFBQSxjQUNDLE9BQU9DO0FBR1JBLGNBQ0UsTUFBTSJ9';
const text = `globalThis.outer=a;function a(s){return b(s)}
function b(s){throw new RangeError(\`sides: \${s.sides}\`)}
`;

function stackOf(fn) {
  try {
    return fn();
  } catch (error) {
    return error.stack.split('\n').slice(0, 4).join('\n');
  }
}

(0, eval)(`${text}//# sourceURL=/made/shape.js\n//# sourceMappingURL=${map}`);
console.log(stackOf(() => outer({ sides: 3 })));
new Function(`${text}//# sourceURL=made.js\n//# sourceMappingURL=${map}`)();
console.log(stackOf(() => outer({ sides: 4 })).replace(process.cwd(), ''));
(0, eval)(`${text}//# sourceMappingURL=${map}`);
console.log(stackOf(() => outer({ sides: 5 })));
console.log(typeof require('module').findSourceMap('/made/shape.js'));
