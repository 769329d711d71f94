import 'esm-pkg/hidden';
