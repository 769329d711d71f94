import 'no-such-package';
