import './fixtures/tdz_a.mjs';
