console.log(new Date(Date.UTC(2024, 1, 29, 12, 30)).toString(), new Intl.NumberFormat('en-US').format(1234567.891), new Date(0).toLocaleDateString('en-US'), (1234.5).toLocaleString('de-DE'), ['b', 'a', 'C'].sort(new Intl.Collator('en').compare));
console.log('straße'.toUpperCase(), 'İ'.toLowerCase().length, 'e\u0301'.normalize('NFC').length, /\p{Lu}/u.test('É'));
