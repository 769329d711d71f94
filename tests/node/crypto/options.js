'use strict';
// Options of the command line that concern OpenSSL.
const { spawnSync } = require('child_process');

function run(options, text) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...options, '-p', text], { encoding: 'utf8' });
  console.log(options.join(' '), status);
  console.log(stdout.trim());
  // Without the name of the program.
  console.log(stderr.trim().replaceAll(process.execPath + ': ', ''));
}

run([], 'crypto.secureHeapUsed()');
run(['--secure-heap=65536', '--secure-heap-min=4'], 'crypto.secureHeapUsed()');
run(['--secure-heap=65536', '--secure-heap-min=1'],
  '[crypto.generateKeyPairSync("rsa", { modulusLength: 512 }), crypto.secureHeapUsed().used > 0][1]');
run(['--secure-heap=3'], '1');
run(['--secure-heap=64', '--secure-heap-min=3'], '1');
run(['--openssl-legacy-provider'], 'crypto.createHash("md4").update("").digest("hex")');
run(['--openssl-config=/does/not/exist', '--openssl-shared-config'], 'crypto.getFips()');
run(['--enable-fips'], '1');
run(['--force-fips'], '1');
