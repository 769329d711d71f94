export default 'import';
