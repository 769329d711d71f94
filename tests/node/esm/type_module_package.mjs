import './fixtures/type_module/as_esm.js';
import './fixtures/type_module/as_cjs.cjs';
import './fixtures/type_module/nested/as_cjs.js';
