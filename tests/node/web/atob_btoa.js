console.log(btoa('hello é'), atob('aGVsbG8g6Q=='), atob(' aGk = '), btoa(''), btoa(null));
for (const f of [() => btoa('€'), () => atob('a'), () => atob('*'), () => btoa()]) {
  try {
    console.log(f());
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
}
