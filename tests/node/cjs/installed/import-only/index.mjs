export default 'import only';
