import './fixtures/live';
