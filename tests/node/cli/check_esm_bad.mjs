// rondo-test: option=-c
export default const x;
