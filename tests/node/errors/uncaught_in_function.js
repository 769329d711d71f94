function inner() {
  const value = undefined;
  return value.property;
}
const outer = () => inner();
outer();
