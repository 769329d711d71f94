export default 'esm-pkg';
