import './fixtures/with_imports/main.mjs';
