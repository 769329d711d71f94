import('cjs-pkg/lib/main').catch((e) => console.log(e.code, e.message.split('\n')[0]));
