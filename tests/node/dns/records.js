'use strict';
// Records of every type, from a name server of our own.
const dgram = require('dgram');
const dns = require('dns');

const name = (text) => Buffer.concat([...text.split('.').map((label) => Buffer.from(`\0${label}`)), Buffer.from([0])]
  .map((part, i, all) => {
    if (i < all.length - 1) part[0] = part.length - 1;
    return part;
  }));
const u16 = (...numbers) => Buffer.concat(numbers.map((n) => Buffer.from([n >> 8, n & 255])));
const u32 = (...numbers) => Buffer.concat(numbers.map((n) => u16(n >>> 16, n & 0xffff)));
const text = (string) => Buffer.concat([Buffer.from([string.length]), Buffer.from(string)]);

const data = {
  1: [Buffer.from([10, 0, 0, 1]), Buffer.from([10, 0, 0, 2])],
  2: [name('ns1.example.org'), name('ns2.example.org')],
  5: [name('alias.example.org')],
  6: [Buffer.concat([name('ns.example.org'), name('admin.example.org'), u32(2026, 7200, 3600, 1209600, 300)])],
  12: [name('host.example.org')],
  15: [Buffer.concat([u16(10), name('mail.example.org')]), Buffer.concat([u16(20), name('backup.example.org')])],
  16: [Buffer.concat([text('one'), text('two')]), text('v=spf1 -all')],
  28: [Buffer.from([0x20, 1, 13, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])],
  33: [Buffer.concat([u16(1, 2, 8080), name('srv.example.org')])],
  35: [Buffer.concat([u16(100, 50), text('s'), text('SIP+D2U'), text(''), name('_sip._udp.example.org')])],
  52: [Buffer.from([3, 1, 1, 10, 20, 30]), Buffer.from([0, 0, 2, 255])],
  257: [Buffer.concat([Buffer.from([0]), text('issue'), Buffer.from('ca.example.org')]),
        Buffer.concat([Buffer.from([128]), text('iodef'), Buffer.from('mailto:a@example.org')])],
};

const server = dgram.createSocket('udp4', (query, { port, address }) => {
  const end = query.indexOf(0, 12) + 5;
  const type = query.readUInt16BE(end - 4);
  const isMissing = query.includes('missing');
  // What resolveAny() gets, in answers below 512 bytes: the alias alone, because it hides addresses.
  const any = Object.keys(data).filter((one) => {
    return query.includes('alias') ? one === '5' : one !== '5' && query.includes('more') === (one > 28);
  });
  const answers = (isMissing ? [] : type === 255 ? any : [type]).flatMap((one) => (data[one] ?? []).map((bytes) => {
    return Buffer.concat([u16(0xc00c, +one, 1), u32(123), u16(bytes.length), bytes]);
  }));
  const head = Buffer.concat([query.subarray(0, 2), u16(isMissing ? 0x8183 : 0x8180, 1, answers.length, 0, 0)]);
  server.send([head, query.subarray(12, end), ...answers], port, address);
});

server.bind(0, '127.0.0.1', async () => {
  const resolver = new dns.promises.Resolver({ timeout: 3000, tries: 1 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  for (const type of ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NAPTR', 'NS', 'PTR', 'SOA', 'SRV', 'TLSA', 'TXT', 'ANY']) {
    // Node leaves holes before records of TLSA among others; we do not.
    console.log(type, [await resolver.resolve('example.org', type)].flat());
  }
  console.log(await resolver.resolve4('example.org', { ttl: true }), await resolver.resolve6('example.org', { ttl: true }));
  console.log((await resolver.resolveAny('more.example.org')).flat(), await resolver.resolveAny('alias.example.org'));
  console.log(await resolver.reverse('10.0.0.1'));
  await resolver.resolve4('missing.example.org').catch(({ code, syscall, hostname, message, errno }) => {
    console.log(code, syscall, hostname, message, errno);
  });
  const callbacks = new dns.Resolver({ timeout: 3000, tries: 1 });
  callbacks.setServers(resolver.getServers());
  const request = callbacks.resolveMx('example.org', (error, records) => {
    console.log(error, records);
    callbacks.resolve('missing.example.org', (failure, nothing) => {
      console.log(failure.code, failure.syscall, nothing);
      server.close();
    });
  });
  console.log(request.constructor.name, request.hostname, request.bindingName);
});
