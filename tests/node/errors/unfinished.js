// The syntax error lies behind the last line.
for (const each of [1]) {
