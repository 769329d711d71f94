// Types are left out; places stay the same.
import './fixtures/typed_main.mts';
