const { win32 } = require('path');
console.log(win32.join('C:\\a', '..', 'b/c'), win32.resolve('C:\\a', 'D:b', '\\c'), win32.normalize('C:/a//b/..\\c\\'), win32.relative('C:\\a\\b', 'c:\\A\\d'));
console.log(win32.parse('C:\\path\\file.txt'), win32.isAbsolute('C:/x'), win32.isAbsolute('x:'), win32.basename('C:\\a\\b.html', '.html'), win32.toNamespacedPath('C:\\x'), win32.dirname('\\\\server\\share\\x'), win32.sep, win32.delimiter);
