export const part = import.meta.url.split('/').slice(-2).join('/');
