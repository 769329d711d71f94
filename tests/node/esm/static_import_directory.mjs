import './fixtures';
