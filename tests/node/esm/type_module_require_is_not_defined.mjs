import './fixtures/type_module/uses_require.js';
