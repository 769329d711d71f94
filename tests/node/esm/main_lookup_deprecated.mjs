// The main file of a package without its full name: a warning, once for each.
import first from 'index_only';
import second from 'short_main';
console.log(first, second, (await import('index_only')).default);
